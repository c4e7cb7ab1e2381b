-- +goose NO TRANSACTION
-- +goose Up

-- Job names may have 255 characters. A table that an ElasticJob engine created has another
-- collation and stays as it is: `console migrate` prints the statement that widens it.
SET @ddl = (SELECT IF(COUNT(*) = 0, 'DO 0',
        'ALTER TABLE JOB_EXECUTION_LOG MODIFY COLUMN job_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL')
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_EXECUTION_LOG' AND column_name = 'job_name'
        AND collation_name = 'utf8mb4_bin' AND character_maximum_length < 255);
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

SET @ddl = (SELECT IF(COUNT(*) = 0, 'DO 0',
        'ALTER TABLE JOB_STATUS_TRACE_LOG MODIFY COLUMN job_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL')
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_STATUS_TRACE_LOG' AND column_name = 'job_name'
        AND collation_name = 'utf8mb4_bin' AND character_maximum_length < 255);
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;

ALTER TABLE EXECUTION_STATISTICS MODIFY COLUMN job_name VARCHAR(255) NOT NULL;
ALTER TABLE JOB_RUN MODIFY COLUMN job_name VARCHAR(255) NOT NULL;
ALTER TABLE JOB_RUN_STEP MODIFY COLUMN job_name VARCHAR(255) NOT NULL;
ALTER TABLE JOB_RUN_LOG MODIFY COLUMN job_name VARCHAR(255) NOT NULL;
ALTER TABLE JOB_RUN_PROGRESS MODIFY COLUMN job_name VARCHAR(255) NOT NULL;
