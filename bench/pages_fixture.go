package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// pagesDays is how far the history of the pages reaches back.
	pagesDays = 30
	// pagesShards is how many executions a run has.
	pagesShards = snapshotItems
	// pagesBusy is how many jobs have half of all runs.
	pagesBusy = 100
	// pagesChunk is how many executions one statement makes up.
	pagesChunk = 500_000
)

// pagesHistory is a history of Go agents up to now, in a file that is kept from one
// session to the next: to fill it takes some ten minutes. What is missing up to now
// is added.
//
//	row n: shard n % 10 of run n / 10, which began n steps after the first
//	run r: every other one is of the 100 busy jobs, the rest of all jobs in turn
type pagesHistory struct {
	jobs, rows int
	first      time.Time     // when the first execution began
	step       time.Duration // between the starts of two rows
}

// cacheFolder is where fixtures are kept, outside of the repository.
func (b *bench) cacheFolder() (string, error) {
	folder := b.cache
	if folder == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("name a folder by -cache: %w", err)
		}
		folder = filepath.Join(user, "elasticjob-bench")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	return folder, os.MkdirAll(folder, 0o755)
}

// historyFile returns the DSN of the kept history, which reaches up to now.
func (b *bench) historyFile(ctx context.Context) (dsn string, err error) {
	folder, err := b.cacheFolder()
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, fmt.Sprintf("pages-%d-jobs-%d-rows.db", b.jobs, b.rows))
	half := name + ".unfinished"
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		fmt.Printf("filling %s with %d executions, which is kept\n", name, b.rows)
		for _, old := range []string{half, half + "-wal", half + "-shm"} {
			if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
				return "", err
			}
		}
		if err := b.withHistory(ctx, half, pagesHistory.fill); err != nil {
			return "", err
		}
		if err := os.Rename(half, name); err != nil {
			return "", err
		}
	}
	return "sqlite://" + name, b.withHistory(ctx, name, pagesHistory.catchUp)
}

func (b *bench) withHistory(ctx context.Context, file string, do func(pagesHistory, context.Context, *store.DB) error) (err error) {
	db, err := store.Open(ctx, "sqlite://"+file, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	span := pagesDays * 24 * time.Hour
	h := pagesHistory{jobs: b.jobs, rows: b.rows, step: span / time.Duration(b.rows), first: time.Now().Add(-span).Truncate(time.Second)}
	return do(h, ctx, db)
}

// fill makes up all rows. The indexes are built when they are there.
func (h pagesHistory) fill(ctx context.Context, db *store.DB) error {
	var indexes []struct{ Name, SQL string }
	if err := db.WithContext(ctx).Raw("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").Scan(&indexes).Error; err != nil {
		return err
	}
	exec := func(statement string) error { return db.WithContext(ctx).Exec(statement).Error }
	for _, i := range indexes {
		if err := exec("DROP INDEX " + i.Name); err != nil {
			return err
		}
	}
	for begin := 0; begin < h.rows; begin += pagesChunk {
		if err := exec(h.insert(begin, min(h.rows, begin+pagesChunk))); err != nil {
			return err
		}
	}
	for _, i := range indexes {
		if err := exec(i.SQL); err != nil {
			return err
		}
	}
	return exec("ANALYZE")
}

// catchUp adds what would have run since the history was filled, and counts it as a
// console that has been running does by and by: how much a new one counts beside the
// measurement would depend on how often it was repeated.
func (h pagesHistory) catchUp(ctx context.Context, db *store.DB) error {
	var bounds struct{ First, Last string }
	if err := db.WithContext(ctx).Raw("SELECT MIN(start_time) AS first, MAX(id) AS last FROM JOB_EXECUTION_LOG").Scan(&bounds).Error; err != nil {
		return err
	}
	var last int
	if _, err := fmt.Sscanf(bounds.Last, "0198f3c2-%d", &last); err != nil {
		return fmt.Errorf("the newest id %q: %w", bounds.Last, err)
	}
	first, err := time.Parse("2006-01-02 15:04:05.999", bounds.First)
	if err != nil {
		return err
	}
	h.first = first
	for end := int(time.Since(first) / h.step); last+1 < end; {
		begin := last + 1
		last = min(end, begin+pagesChunk) - 1
		if err := db.WithContext(ctx).Exec(h.insert(begin, last+1)).Error; err != nil {
			return err
		}
	}
	for complete := false; !complete; {
		if complete, err = rdb.Count(ctx, db.Database, time.Now()); err != nil {
			return err
		}
	}
	return nil
}

// insert is the statement that makes up the rows from begin to before end. One run
// in fifty fails at a shard, one in 2,000 loses one.
func (h pagesHistory) insert(begin, end int) string {
	at := fmt.Sprintf("(%.3f + r * %.9f)", float64(h.first.UnixMilli())/1000, h.step.Seconds()*pagesShards)
	moment := func(seconds string) string { return "strftime('%Y-%m-%d %H:%M:%f', " + seconds + ", 'unixepoch')" }
	took := "((h + i * 331) % 4000) / 1000.0"
	failed, lost := "(h % 50 = 0 AND i = 3)", "(h % 2000 = 1 AND i = 5)"
	return "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item, execution_source, failure_cause, is_success, start_time, complete_time, run_id, attempt, trigger, scheduled_at) " +
		"SELECT printf('0198f3c2-%012d', n), printf('job-%05d', j), printf('job-%05d@-@%d@-@READY@-@10.0.0.%d@-@1', j, i, i % 3), printf('worker-%d', i % 3), printf('10.0.0.%d', i % 3), i, 'NORMAL_TRIGGER', " +
		"CASE WHEN " + failed + " THEN printf('dial tcp 10.0.3.%d:3306: connection timed out, attempt %d', h % 7, n) END, " +
		"CASE WHEN " + failed + " OR " + lost + " THEN 0 ELSE 1 END, " + moment(at+" + i * 0.001") + ", CASE WHEN " + lost + " THEN NULL ELSE " + moment(at+" + "+took) + " END, " +
		"printf('run-%09d', r), 1, CASE WHEN r % 97 = 0 THEN 'manual' ELSE 'schedule' END, " + moment("CAST("+at+" AS INTEGER)") + " FROM (" +
		fmt.Sprintf("SELECT n, r, i, h, CASE WHEN r %% 2 = 0 THEN (r / 2) %% %d ELSE (r / 2) %% %d END AS j FROM (SELECT n, n / %d AS r, n %% %d AS i, ((n / %d) * 7919 + (n / %d) / 3) %% 999983 AS h FROM ",
			min(pagesBusy, h.jobs), h.jobs, pagesShards, pagesShards, pagesShards, pagesShards) +
		fmt.Sprintf("(WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s)))", begin, end-1)
}
