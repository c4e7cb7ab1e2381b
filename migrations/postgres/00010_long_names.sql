-- +goose Up

-- Job names may have 255 characters. A table that an ElasticJob engine created has another
-- collation and stays as it is: `console migrate` prints the statement that widens it.
-- +goose StatementBegin
DO $$
DECLARE narrow REGCLASS;
BEGIN
    FOR narrow IN SELECT a.attrelid FROM pg_attribute a JOIN pg_collation c ON c.oid = a.attcollation
        WHERE a.attrelid IN (to_regclass('JOB_EXECUTION_LOG'), to_regclass('JOB_STATUS_TRACE_LOG'), to_regclass('EXECUTION_STATISTICS'),
                to_regclass('JOB_RUN'), to_regclass('JOB_RUN_STEP'), to_regclass('JOB_RUN_LOG'), to_regclass('JOB_RUN_PROGRESS'))
            AND a.attname = 'job_name' AND c.collname = 'C' AND a.atttypmod BETWEEN 4 AND 255 + 3
    LOOP
        EXECUTE 'ALTER TABLE ' || narrow || ' ALTER COLUMN job_name TYPE VARCHAR(255) COLLATE "C"';
    END LOOP;
END $$;
-- +goose StatementEnd
