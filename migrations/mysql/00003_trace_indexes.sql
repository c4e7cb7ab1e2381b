-- +goose NO TRANSACTION
-- +goose Up

-- What the history is searched by. The id at the end of an index is what pages
-- continue from. ElasticJob has only TASK_ID_STATE_INDEX, and that only where
-- its engine created the table.

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_START_INDEX ON JOB_EXECUTION_LOG (start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_START_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_JOB_START_INDEX ON JOB_EXECUTION_LOG (job_name, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_JOB_START_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_IP_START_INDEX ON JOB_EXECUTION_LOG (ip, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_IP_START_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_RESULT_START_INDEX ON JOB_EXECUTION_LOG (is_success, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_RESULT_START_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_TASK_INDEX ON JOB_EXECUTION_LOG (task_id(128))')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_TASK_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX STATUS_CREATION_INDEX ON JOB_STATUS_TRACE_LOG (creation_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_STATUS_TRACE_LOG' AND index_name = 'STATUS_CREATION_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX STATUS_JOB_CREATION_INDEX ON JOB_STATUS_TRACE_LOG (job_name, creation_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_STATUS_TRACE_LOG' AND index_name = 'STATUS_JOB_CREATION_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX TASK_ID_STATE_INDEX ON JOB_STATUS_TRACE_LOG (task_id(128), state)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_STATUS_TRACE_LOG' AND index_name = 'TASK_ID_STATE_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

-- An ElasticJob engine does not make the id of the status table unique, nor
-- index it. We make it so if the rows allow it, and else at least index it.
SET @ddl = (SELECT CASE
        WHEN COUNT(*) > 0 THEN 'DO 0'
        WHEN EXISTS (SELECT 1 FROM JOB_STATUS_TRACE_LOG GROUP BY id HAVING COUNT(*) > 1) THEN
            'CREATE INDEX STATUS_ID_INDEX ON JOB_STATUS_TRACE_LOG (id)'
        ELSE 'CREATE UNIQUE INDEX STATUS_ID_INDEX ON JOB_STATUS_TRACE_LOG (id)' END
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_STATUS_TRACE_LOG'
        AND column_name = 'id' AND seq_in_index = 1);
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;
