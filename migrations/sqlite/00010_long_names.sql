-- +goose Up

-- Job names may have 255 characters in all databases. SQLite has no limit, so nothing changes.
SELECT 1;
