package rdb

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

const cloudTable = "CLOUD_STATISTICS"

const keepCloud = 400 * 24 * time.Hour

// CloudCount is the load of ElasticJob-Cloud at a full minute, or the maximum of each number in a
// longer bucket.
type CloudCount struct {
	Time time.Time
	// TasksRunning counts running tasks, JobsRunning the jobs with a running task, and JobsRegistered all jobs.
	TasksRunning, JobsRunning, JobsRegistered int
	// Known is false if there was no count. The numbers then mean nothing, not even zero.
	Known bool
}

// NoteCloudCount stores the count of its minute. The first count of a minute wins. At full hours it
// deletes counts older than 400 days.
func NoteCloudCount(ctx context.Context, opened *DB, c CloudCount) error {
	db := database.Gorm(opened)
	at := c.Time.UTC().Truncate(time.Minute)
	w := writer{shape: shape{dialect: db.Name()}}
	err := db.WithContext(ctx).Exec("INSERT INTO "+cloudTable+" (bucket_time, tasks_running, jobs_running, jobs_registered) VALUES (?, ?, ?, ?)"+
		w.ignore("bucket_time", "bucket_time"), at.Unix(), c.TasksRunning, c.JobsRunning, c.JobsRegistered).Error
	if err == nil && at.Minute() == 0 {
		err = db.WithContext(ctx).Exec("DELETE FROM "+cloudTable+" WHERE bucket_time < ?", at.Add(-keepCloud).Unix()).Error
	}
	if err != nil {
		return fmt.Errorf("store statistics of ElasticJob-Cloud: %w", err)
	}
	return nil
}

// CloudCounts returns the buckets between two instants, inclusive, with the maximum of each number.
// Errors wrap [ErrInvalidFilter] or the database's error.
func (s *Store) CloudCounts(ctx context.Context, interval Interval, from, to time.Time) ([]CloudCount, error) {
	from, to, err := period(interval, from, to)
	if err != nil {
		return nil, fmt.Errorf("query statistics: %w", err)
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	length := interval.Length()
	counts := make(map[int64]CloudCount)
	if there, err := s.has(ctx, cloudTable); err != nil || !there {
		return cloudBuckets(counts, from, to, length), err
	}
	err = eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
		var at int64
		c := CloudCount{Known: true}
		err := rows.Scan(&at, &c.TasksRunning, &c.JobsRunning, &c.JobsRegistered)
		counts[at] = c
		return err
	}, "SELECT bucket_time - bucket_time % ? AS bucket, MAX(tasks_running), MAX(jobs_running), MAX(jobs_registered)"+
		" FROM "+cloudTable+" WHERE bucket_time >= ? AND bucket_time < ? GROUP BY bucket",
		int64(length/time.Second), from.Unix(), to.Add(length).Unix())
	if err != nil {
		return nil, fmt.Errorf("query statistics: %w", err)
	}
	return cloudBuckets(counts, from, to, length), nil
}

// cloudBuckets returns all buckets of a period, including those without a count.
func cloudBuckets(counts map[int64]CloudCount, from, to time.Time, length time.Duration) []CloudCount {
	var buckets []CloudCount
	for at := from; !at.After(to); at = at.Add(length) {
		c := counts[at.Unix()]
		c.Time = at
		buckets = append(buckets, c)
	}
	return buckets
}
