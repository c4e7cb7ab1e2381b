-- +goose NO TRANSACTION
-- +goose Up

-- Who did what, when, from where, and what came of it. Times are milliseconds
-- since 1970; pages continue from the id.
CREATE TABLE IF NOT EXISTS elasticjob_audit (
    id         BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    at_ms      BIGINT       NOT NULL,
    user_name  VARCHAR(100) NOT NULL,
    user_role  VARCHAR(20)  NOT NULL,
    remote     VARCHAR(64)  NOT NULL,
    action     VARCHAR(200) NOT NULL,
    registry   VARCHAR(100) NOT NULL,
    target     VARCHAR(400) NOT NULL,
    outcome    VARCHAR(40)  NOT NULL,
    status     INT          NOT NULL,
    request_id VARCHAR(40)  NOT NULL,
    detail     VARCHAR(4000) NOT NULL,
    KEY elasticjob_audit_at (at_ms, id),
    KEY elasticjob_audit_user (user_name, id),
    KEY elasticjob_audit_target (target, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- What a console has to remember of a token until it expires: that it was
-- given up.
CREATE TABLE IF NOT EXISTS elasticjob_token (
    id         VARCHAR(64) NOT NULL PRIMARY KEY,
    expires_ms BIGINT      NOT NULL,
    revoked    INT         NOT NULL,
    KEY elasticjob_token_expires (expires_ms)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
