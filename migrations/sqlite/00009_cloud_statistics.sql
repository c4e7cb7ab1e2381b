-- +goose Up

-- What ElasticJob-Cloud had to do at a full minute: tasks that ran, jobs of which one did,
-- and jobs there were. A minute without a row is one that nobody counted, which is not
-- the same as nothing. Times are seconds since 1970.
CREATE TABLE IF NOT EXISTS CLOUD_STATISTICS (
    bucket_time     BIGINT NOT NULL,
    tasks_running   BIGINT NOT NULL,
    jobs_running    BIGINT NOT NULL,
    jobs_registered BIGINT NOT NULL,
    PRIMARY KEY (bucket_time)
);
