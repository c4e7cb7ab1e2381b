-- +goose Up

-- Views of lists that people saved, by who did; of nobody: for everybody. The query is
-- that of the list's address.
CREATE TABLE IF NOT EXISTS elasticjob_view (
    owner     TEXT    NOT NULL,
    area      TEXT    NOT NULL,
    name      TEXT    NOT NULL,
    query     TEXT    NOT NULL,
    user_name TEXT    NOT NULL,
    at_ms     INTEGER NOT NULL,
    PRIMARY KEY (owner, area, name)
);
