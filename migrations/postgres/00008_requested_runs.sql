-- +goose Up

-- What became of a requested run. The later state wins: state_rank orders them. The
-- parameters are a JSON object, and so is what its shards returned.
CREATE TABLE IF NOT EXISTS JOB_RUN (
    id            VARCHAR(40) COLLATE "C" NOT NULL,
    job_name      VARCHAR(100) COLLATE "C" NOT NULL,
    state         VARCHAR(12) COLLATE "C" NOT NULL,
    state_rank    BIGINT NOT NULL,
    reason        VARCHAR(300) NULL,
    origin        VARCHAR(12) COLLATE "C" NULL,
    origin_name   VARCHAR(100) NULL,
    parent_id     VARCHAR(40) COLLATE "C" NULL,
    backfill_id   VARCHAR(40) COLLATE "C" NULL,
    run_key       VARCHAR(200) COLLATE "C" NULL,
    params        TEXT NULL,
    note          VARCHAR(200) NULL,
    fire_time     TIMESTAMP(3) NULL,
    due_time      TIMESTAMP(3) NULL,
    submitted_at  TIMESTAMP(3) NULL,
    started_at    TIMESTAMP(3) NULL,
    ended_at      TIMESTAMP(3) NULL,
    attempt       INT NOT NULL,
    retries       INT NOT NULL,
    losses        INT NOT NULL,
    snoozes       INT NOT NULL,
    items_ok      INT NOT NULL,
    items_failed  INT NOT NULL,
    items_skipped INT NOT NULL,
    error         VARCHAR(4000) NULL,
    result        TEXT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX IF NOT EXISTS RUN_JOB_SUBMITTED_INDEX ON JOB_RUN (job_name, submitted_at, id);
CREATE INDEX IF NOT EXISTS RUN_STATE_SUBMITTED_INDEX ON JOB_RUN (state, submitted_at, id);
CREATE INDEX IF NOT EXISTS RUN_SUBMITTED_INDEX ON JOB_RUN (submitted_at, id);
CREATE INDEX IF NOT EXISTS RUN_KEY_INDEX ON JOB_RUN (job_name, run_key, submitted_at, id);

-- One change of the state of a requested run.
CREATE TABLE IF NOT EXISTS JOB_RUN_STEP (
    id       VARCHAR(40) COLLATE "C" NOT NULL,
    run_id   VARCHAR(40) COLLATE "C" NOT NULL,
    job_name VARCHAR(100) COLLATE "C" NOT NULL,
    attempt  INT NOT NULL,
    at       TIMESTAMP(3) NULL,
    state    VARCHAR(12) COLLATE "C" NOT NULL,
    actor    VARCHAR(100) NULL,
    message  VARCHAR(4000) NULL,
    PRIMARY KEY (id)
);

CREATE INDEX IF NOT EXISTS RUN_STEP_RUN_INDEX ON JOB_RUN_STEP (run_id, at, id);
CREATE INDEX IF NOT EXISTS RUN_STEP_AT_INDEX ON JOB_RUN_STEP (at, id);

-- A line that the handler of a shard logged, of one execution.
CREATE TABLE IF NOT EXISTS JOB_RUN_LOG (
    execution_id VARCHAR(40) COLLATE "C" NOT NULL,
    seq          INT NOT NULL,
    run_id       VARCHAR(40) COLLATE "C" NOT NULL,
    job_name     VARCHAR(100) COLLATE "C" NOT NULL,
    item         INT NOT NULL,
    attempt      INT NOT NULL,
    at           TIMESTAMP(3) NULL,
    level        VARCHAR(5) COLLATE "C" NOT NULL,
    message      VARCHAR(4000) NULL,
    PRIMARY KEY (execution_id, seq)
);

CREATE INDEX IF NOT EXISTS RUN_LOG_RUN_INDEX ON JOB_RUN_LOG (run_id, item, attempt, seq, execution_id);
CREATE INDEX IF NOT EXISTS RUN_LOG_AT_INDEX ON JOB_RUN_LOG (at, execution_id, seq);

-- How far the handler of a shard is, of one execution.
CREATE TABLE IF NOT EXISTS JOB_RUN_PROGRESS (
    execution_id VARCHAR(40) COLLATE "C" NOT NULL,
    run_id       VARCHAR(40) COLLATE "C" NOT NULL,
    job_name     VARCHAR(100) COLLATE "C" NOT NULL,
    item         INT NOT NULL,
    attempt      INT NOT NULL,
    fraction     DOUBLE PRECISION NOT NULL,
    message      VARCHAR(300) NULL,
    updated_at   TIMESTAMP(3) NULL,
    PRIMARY KEY (execution_id)
);

CREATE INDEX IF NOT EXISTS RUN_PROGRESS_RUN_INDEX ON JOB_RUN_PROGRESS (run_id, item, attempt);
CREATE INDEX IF NOT EXISTS RUN_PROGRESS_UPDATED_INDEX ON JOB_RUN_PROGRESS (updated_at, execution_id);
