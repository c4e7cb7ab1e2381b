-- +goose Up

-- Lists sorted by how long a run took, and by when it was complete.
CREATE INDEX IF NOT EXISTS EXECUTION_DURATION_INDEX ON JOB_EXECUTION_LOG ((CAST(EXTRACT(EPOCH FROM complete_time - start_time) * 1000 AS BIGINT)), start_time, id);
CREATE INDEX IF NOT EXISTS EXECUTION_COMPLETE_INDEX ON JOB_EXECUTION_LOG (complete_time, start_time, id);

-- Whether an item has run again since, which tells a lost run from one that
-- goes on.
CREATE INDEX IF NOT EXISTS EXECUTION_ITEM_START_INDEX ON JOB_EXECUTION_LOG (job_name, sharding_item, start_time, id);
