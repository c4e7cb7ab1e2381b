-- +goose Up

-- The registry centres people have entered. A digest is encrypted. The revision
-- changes with every change, so that a console notices those of another.
CREATE TABLE IF NOT EXISTS elasticjob_registry (
    name      VARCHAR(100)  NOT NULL PRIMARY KEY,
    servers   VARCHAR(1000) NOT NULL,
    namespace VARCHAR(200)  NOT NULL,
    digest    VARCHAR(1000) NOT NULL,
    revision  BIGINT        NOT NULL
);

-- What a client of ElasticJob's own consoles has "connected": chosen for its
-- token, until that expires. Kind is registry or data source.
CREATE TABLE IF NOT EXISTS elasticjob_choice (
    token_id   VARCHAR(64)  NOT NULL,
    kind       VARCHAR(20)  NOT NULL,
    name       VARCHAR(100) NOT NULL,
    expires_ms BIGINT       NOT NULL,
    PRIMARY KEY (token_id, kind)
);
CREATE INDEX IF NOT EXISTS elasticjob_choice_expires ON elasticjob_choice (expires_ms);
