-- +goose Up

-- A status table created by ElasticJob 3.0.5 has no column source, one created
-- by 3.0.4 has it without a default. Each shuts the other version out. Adding
-- what is missing lets both write and takes nothing away.
ALTER TABLE JOB_STATUS_TRACE_LOG ADD COLUMN IF NOT EXISTS source VARCHAR(50) NOT NULL DEFAULT 'LITE_EXECUTOR';
ALTER TABLE JOB_STATUS_TRACE_LOG ALTER COLUMN source SET DEFAULT 'LITE_EXECUTOR';
