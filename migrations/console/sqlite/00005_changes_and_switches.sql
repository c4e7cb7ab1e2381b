-- +goose Up

-- Actions on jobs whose form was sent from a page: the id is that of the form, so
-- that one sent twice is carried out once. Results are JSON.
CREATE TABLE IF NOT EXISTS elasticjob_change (
    id        VARCHAR(40)  NOT NULL PRIMARY KEY,
    at_ms     BIGINT       NOT NULL,
    user_name VARCHAR(100) NOT NULL,
    registry  VARCHAR(100) NOT NULL,
    verb      VARCHAR(20)  NOT NULL,
    reason    VARCHAR(200) NOT NULL,
    undone_ms BIGINT       NOT NULL,
    results   TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS elasticjob_change_at ON elasticjob_change (at_ms);

-- Jobs that were disabled: who did it, why, and when they are to be enabled again;
-- 0 for never. The lease keeps two consoles from doing so at once.
CREATE TABLE IF NOT EXISTS elasticjob_switch (
    registry  VARCHAR(100) NOT NULL,
    job       VARCHAR(400) NOT NULL,
    change_id VARCHAR(40)  NOT NULL,
    user_name VARCHAR(100) NOT NULL,
    reason    VARCHAR(200) NOT NULL,
    at_ms     BIGINT       NOT NULL,
    enable_ms BIGINT       NOT NULL,
    lease_ms  BIGINT       NOT NULL,
    PRIMARY KEY (registry, job)
);
CREATE INDEX IF NOT EXISTS elasticjob_switch_enable ON elasticjob_switch (enable_ms);
