-- +goose NO TRANSACTION
-- +goose Up

-- Which run an execution belongs to, which attempt at its shard it is,
-- why it ran, and the fire time it stands for. Java engines leave all four empty.
SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN `run_id` VARCHAR(40) NULL')
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND column_name = 'run_id');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN `attempt` INT NULL')
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND column_name = 'attempt');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN `trigger` VARCHAR(20) NULL')
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND column_name = 'trigger');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'ALTER TABLE JOB_EXECUTION_LOG ADD COLUMN `scheduled_at` TIMESTAMP(3) NULL DEFAULT NULL')
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND column_name = 'scheduled_at');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_RUN_INDEX ON JOB_EXECUTION_LOG (job_name, run_id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_RUN_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) > 0, 'DO 0',
        'CREATE INDEX EXECUTION_TRIGGER_START_INDEX ON JOB_EXECUTION_LOG (`trigger`, start_time, id)')
    FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND index_name = 'EXECUTION_TRIGGER_START_INDEX');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;
