-- +goose NO TRANSACTION
-- +goose Up

-- A status table created by ElasticJob 3.0.5 has no column source, one created
-- by 3.0.4 has it without a default. Each shuts the other version out. Adding
-- what is missing lets both write and takes nothing away. MySQL has no
-- "IF NOT EXISTS" for columns and indexes, hence the detour.
SET @ddl = (SELECT CASE
        WHEN COUNT(*) = 0 THEN
            'ALTER TABLE JOB_STATUS_TRACE_LOG ADD COLUMN source VARCHAR(50) NOT NULL DEFAULT ''LITE_EXECUTOR'''
        WHEN MAX(is_nullable) = 'NO' AND MAX(column_default) IS NULL THEN
            'ALTER TABLE JOB_STATUS_TRACE_LOG ALTER COLUMN source SET DEFAULT ''LITE_EXECUTOR'''
        ELSE 'DO 0' END
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'JOB_STATUS_TRACE_LOG' AND column_name = 'source');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;
