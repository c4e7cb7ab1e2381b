-- +goose NO TRANSACTION
-- +goose Up

-- The configurations of jobs that were saved, with who and why. The document is
-- encrypted: it may hold secrets.
CREATE TABLE IF NOT EXISTS elasticjob_config_version (
    id        BIGINT       NOT NULL AUTO_INCREMENT PRIMARY KEY,
    at_ms     BIGINT       NOT NULL,
    user_name VARCHAR(100) NOT NULL,
    registry  VARCHAR(100) NOT NULL,
    job       VARCHAR(255) NOT NULL,
    revision  VARCHAR(64)  NOT NULL,
    reason    VARCHAR(400) NOT NULL,
    document  MEDIUMTEXT   NOT NULL,
    KEY elasticjob_config_version_job (registry, job, id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
