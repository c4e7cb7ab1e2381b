-- +goose NO TRANSACTION
-- +goose Up

-- How long a run took, for lists sorted by it. MariaDB has no indexes of
-- expressions, so it is a column that nothing stores and nobody writes. The two
-- products compute it differently: MySQL takes no UNIX_TIMESTAMP here, and
-- TIMESTAMPDIFF depends on the time zone of the session, which it need not in
-- MariaDB. There it is also hidden from SELECT *, so that rows can be copied.
SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0', CONCAT(
        'ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN duration_ms BIGINT GENERATED ALWAYS AS (', IF(VERSION() LIKE '%MariaDB%',
            'ROUND((UNIX_TIMESTAMP(complete_time) - UNIX_TIMESTAMP(start_time)) * 1000)) VIRTUAL INVISIBLE',
            'TIMESTAMPDIFF(MICROSECOND, start_time, complete_time) DIV 1000) VIRTUAL')))
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND column_name = 'duration_ms');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_DURATION_INDEX ON JOB_EXECUTION_LOG (duration_ms, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_DURATION_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

-- Whether an item has run again since, which tells a lost run from one that
-- goes on.
SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_ITEM_START_INDEX ON JOB_EXECUTION_LOG (job_name, sharding_item, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_ITEM_START_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

-- Lists sorted by completion use EXECUTION_UNFINISHED_INDEX here, which holds
-- all rows, other than that of the same name elsewhere.
