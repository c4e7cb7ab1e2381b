-- +goose Up

-- How a registry centre is spoken to: TLS and ACL, as encrypted JSON; NULL for
-- neither.
ALTER TABLE elasticjob_registry ADD COLUMN IF NOT EXISTS access TEXT NULL;
