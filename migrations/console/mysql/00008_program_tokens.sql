-- +goose NO TRANSACTION
-- +goose Up

-- Tokens for programs: the account, the scope, and the hash of the secret, encrypted and
-- bound to the row, so that a row made in the database is worth nothing.
-- The name is in live_name, too, until the token is revoked, so that it is unique
-- among the others. Times are milliseconds since 1970, 0 for never.
CREATE TABLE IF NOT EXISTS elasticjob_program_token (
    id         VARCHAR(64)  NOT NULL PRIMARY KEY,
    name       VARCHAR(64)  NOT NULL,
    live_name  VARCHAR(64)  NULL UNIQUE,
    hash       VARCHAR(200) NOT NULL,
    owner      VARCHAR(100) NOT NULL,
    owner_role VARCHAR(20)  NOT NULL,
    scope      VARCHAR(20)  NOT NULL,
    jobs       VARCHAR(200) NOT NULL,
    created_ms BIGINT       NOT NULL,
    expires_ms BIGINT       NOT NULL,
    used_ms    BIGINT       NOT NULL,
    revoked_ms BIGINT       NOT NULL
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
