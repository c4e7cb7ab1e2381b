-- +goose Up

-- Views of lists that people saved, by who did; of nobody: for everybody. The query is
-- that of the list's address.
CREATE TABLE IF NOT EXISTS elasticjob_view (
    owner     VARCHAR(100)  NOT NULL,
    area      VARCHAR(20)   NOT NULL,
    name      VARCHAR(100)  NOT NULL,
    query     VARCHAR(1000) NOT NULL,
    user_name VARCHAR(100)  NOT NULL,
    at_ms     BIGINT        NOT NULL,
    PRIMARY KEY (owner, area, name)
);
