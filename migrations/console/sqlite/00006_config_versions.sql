-- +goose Up

-- The configurations of jobs that were saved, with who and why. The document is
-- encrypted: it may hold secrets.
CREATE TABLE IF NOT EXISTS elasticjob_config_version (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms     INTEGER NOT NULL,
    user_name TEXT    NOT NULL,
    registry  TEXT    NOT NULL,
    job       TEXT    NOT NULL,
    revision  TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    document  TEXT    NOT NULL
);
CREATE INDEX IF NOT EXISTS elasticjob_config_version_job ON elasticjob_config_version (registry, job, id);
