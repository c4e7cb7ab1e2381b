-- +goose Up

-- How many runs ended in an hour of a job, and in an hour and a minute of all
-- jobs, whose name is empty. A row for all jobs says that the time was counted;
-- without one nobody knows, which is not the same as nothing. Times are seconds
-- since 1970.
CREATE TABLE IF NOT EXISTS EXECUTION_STATISTICS (
    bucket_interval VARCHAR(10) COLLATE "C" NOT NULL,
    bucket_time     BIGINT       NOT NULL,
    job_name        VARCHAR(100) COLLATE "C" NOT NULL,
    success_count   BIGINT       NOT NULL,
    failed_count    BIGINT       NOT NULL,
    PRIMARY KEY (bucket_interval, job_name, bucket_time)
);

CREATE INDEX IF NOT EXISTS EXECUTION_STATISTICS_TIME_INDEX ON EXECUTION_STATISTICS (bucket_interval, bucket_time);
