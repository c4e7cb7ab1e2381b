-- +goose NO TRANSACTION
-- +goose Up

-- The event-trace data sources people have entered. A password is encrypted.
CREATE TABLE IF NOT EXISTS elasticjob_data_source (
    name          VARCHAR(100)  NOT NULL PRIMARY KEY,
    kind          VARCHAR(20)   NOT NULL,
    host          VARCHAR(255)  NOT NULL,
    port          INT           NOT NULL,
    database_name VARCHAR(255)  NOT NULL,
    user_name     VARCHAR(255)  NOT NULL,
    password      VARCHAR(1000) NOT NULL,
    options       VARCHAR(1000) NOT NULL,
    revision      BIGINT        NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
