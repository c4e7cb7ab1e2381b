-- +goose NO TRANSACTION
-- +goose Up

-- ElasticJob's execution log. What differs from the table a Java engine
-- creates: fractions of a second, a character set that holds every text, exact
-- comparison of names, and an auto_id that does not run out.
CREATE TABLE IF NOT EXISTS JOB_EXECUTION_LOG (
    auto_id          BIGINT        NOT NULL AUTO_INCREMENT,
    id               VARCHAR(40)   NOT NULL,
    job_name         VARCHAR(100)  NOT NULL,
    task_id          VARCHAR(255)  NOT NULL,
    hostname         VARCHAR(255)  NOT NULL,
    ip               VARCHAR(50)   NOT NULL,
    sharding_item    INT           NOT NULL,
    execution_source VARCHAR(20)   NOT NULL,
    failure_cause    VARCHAR(4000) NULL,
    is_success       INT           NOT NULL,
    start_time       TIMESTAMP(3)  NULL DEFAULT NULL,
    complete_time    TIMESTAMP(3)  NULL DEFAULT NULL,
    PRIMARY KEY (auto_id),
    UNIQUE KEY EXECUTION_ID_INDEX (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- ElasticJob's status trace. The column source is what 3.0.4 requires and
-- 3.0.5 does not know; with a default both can write.
CREATE TABLE IF NOT EXISTS JOB_STATUS_TRACE_LOG (
    auto_id          BIGINT        NOT NULL AUTO_INCREMENT,
    id               VARCHAR(40)   NOT NULL,
    job_name         VARCHAR(100)  NOT NULL,
    original_task_id VARCHAR(255)  NOT NULL,
    task_id          VARCHAR(255)  NOT NULL,
    slave_id         VARCHAR(50)   NOT NULL,
    source           VARCHAR(50)   NOT NULL DEFAULT 'LITE_EXECUTOR',
    execution_type   VARCHAR(20)   NOT NULL,
    sharding_item    VARCHAR(100)  NOT NULL,
    state            VARCHAR(20)   NOT NULL,
    message          VARCHAR(4000) NULL,
    creation_time    TIMESTAMP(3)  NULL DEFAULT NULL,
    PRIMARY KEY (auto_id),
    UNIQUE KEY STATUS_ID_INDEX (id),
    KEY TASK_ID_STATE_INDEX (task_id(128), state)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
