-- +goose Up

-- What the history is searched by. The id at the end of an index is what pages
-- continue from. Writers wait while an index of a large table is built; the
-- recorders keep their events until then.
CREATE INDEX IF NOT EXISTS EXECUTION_START_INDEX ON JOB_EXECUTION_LOG (start_time, id);
CREATE INDEX IF NOT EXISTS EXECUTION_JOB_START_INDEX ON JOB_EXECUTION_LOG (job_name, start_time, id);
CREATE INDEX IF NOT EXISTS EXECUTION_IP_START_INDEX ON JOB_EXECUTION_LOG (ip, start_time, id);
CREATE INDEX IF NOT EXISTS EXECUTION_RESULT_START_INDEX ON JOB_EXECUTION_LOG (is_success, start_time, id);
CREATE INDEX IF NOT EXISTS EXECUTION_TASK_INDEX ON JOB_EXECUTION_LOG (task_id);
CREATE INDEX IF NOT EXISTS STATUS_CREATION_INDEX ON JOB_STATUS_TRACE_LOG (creation_time, id);
CREATE INDEX IF NOT EXISTS STATUS_JOB_CREATION_INDEX ON JOB_STATUS_TRACE_LOG (job_name, creation_time, id);
CREATE INDEX IF NOT EXISTS TASK_ID_STATE_INDEX ON JOB_STATUS_TRACE_LOG (task_id, state);
