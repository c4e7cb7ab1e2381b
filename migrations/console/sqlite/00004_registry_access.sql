-- +goose Up

-- How a registry centre is spoken to: TLS and ACL, as encrypted JSON; NULL for
-- neither. The migration is one transaction, so the column is not there yet.
ALTER TABLE elasticjob_registry ADD COLUMN access TEXT NULL;
