package rdb

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

const cloudTable = "CLOUD_STATISTICS"

// keepCloud is how long what ElasticJob-Cloud had to do is kept.
const keepCloud = 400 * 24 * time.Hour

// CloudCount is what ElasticJob-Cloud had to do at a full minute, or the most of each number
// in a longer bucket.
type CloudCount struct {
	Time time.Time
	// TasksRunning are tasks that ran, JobsRunning the jobs of which one did, and
	// JobsRegistered how many jobs there were.
	TasksRunning, JobsRunning, JobsRegistered int
	// Known is false if nobody counted: the numbers mean nothing then, least of all zero.
	Known bool
}

// NoteCloudCount keeps a count of the minute that its time is in. Whoever is first counts: a
// second count of a minute changes nothing. At full hours it deletes what is older than 400
// days.
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
		return fmt.Errorf("note what ElasticJob-Cloud has to do: %w", err)
	}
	return nil
}

// CloudCounts returns the buckets from one instant to another, both included: the most of
// each number that was counted in it. Errors wrap [ErrInvalidFilter] or what the database
// said.
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
	rows, err := s.db.WithContext(ctx).Raw("SELECT bucket_time - bucket_time % ? AS bucket, MAX(tasks_running), MAX(jobs_running), MAX(jobs_registered) FROM "+cloudTable+
		" WHERE bucket_time >= ? AND bucket_time < ? GROUP BY bucket", int64(length/time.Second), from.Unix(), to.Add(length).Unix()).Rows()
	if err != nil {
		return nil, fmt.Errorf("query statistics: %w", err)
	}
	err = eachRow(rows, func() error {
		var at int64
		c := CloudCount{Known: true}
		err := rows.Scan(&at, &c.TasksRunning, &c.JobsRunning, &c.JobsRegistered)
		counts[at] = c
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("query statistics: %w", err)
	}
	return cloudBuckets(counts, from, to, length), nil
}

// cloudBuckets are all buckets of a period, those that nobody counted among them.
func cloudBuckets(counts map[int64]CloudCount, from, to time.Time, length time.Duration) []CloudCount {
	var buckets []CloudCount
	for at := from; !at.After(to); at = at.Add(length) {
		c := counts[at.Unix()]
		c.Time = at
		buckets = append(buckets, c)
	}
	return buckets
}
