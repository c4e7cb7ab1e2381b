-- +goose NO TRANSACTION
-- +goose Up

-- Runs that have not ended are few and may be anywhere in the history: an
-- agent that was killed leaves some behind. Without this index every failed
-- run is read to find them.
SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_UNFINISHED_INDEX ON JOB_EXECUTION_LOG (complete_time, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_UNFINISHED_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;
