-- +goose Up

-- Runs that have not ended are few and may be anywhere in the history: an
-- agent that was killed leaves some behind. Without this index every failed
-- run is read to find them. It holds them alone; MySQL, which has no indexes
-- of a part of a table, begins with complete_time instead.
CREATE INDEX IF NOT EXISTS EXECUTION_UNFINISHED_INDEX ON JOB_EXECUTION_LOG (start_time, id) WHERE complete_time IS NULL;
