-- +goose Up

-- Which run an execution belongs to, which attempt at its shard it is,
-- why it ran, and the fire time it stands for. SQLite cannot add a column only if
-- it is missing; it need not, as it applies a file and records that in one
-- transaction.
ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN run_id VARCHAR(40) NULL;
ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN attempt INT NULL;
ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN trigger VARCHAR(20) NULL;
ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN scheduled_at TIMESTAMP NULL;

CREATE INDEX IF NOT EXISTS EXECUTION_RUN_INDEX ON JOB_EXECUTION_LOG (job_name, run_id);
CREATE INDEX IF NOT EXISTS EXECUTION_TRIGGER_START_INDEX ON JOB_EXECUTION_LOG (trigger, start_time, id);
