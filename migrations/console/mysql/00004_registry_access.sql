-- +goose NO TRANSACTION
-- +goose Up

-- How a registry centre is spoken to: TLS and ACL, as encrypted JSON; NULL for
-- neither. MySQL has no "IF NOT EXISTS" for columns, hence the detour.
SET @ddl = (SELECT CASE WHEN COUNT(*) = 0 THEN 'ALTER TABLE elasticjob_registry ADD COLUMN access TEXT NULL' ELSE 'DO 0' END
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = 'elasticjob_registry' AND column_name = 'access');
PREPARE ddl FROM @ddl;
EXECUTE ddl;
DEALLOCATE PREPARE ddl;
