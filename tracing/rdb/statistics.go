package rdb

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

const statisticsTable = "EXECUTION_STATISTICS"

// Interval is the length of a statistics bucket. Buckets begin at full minutes, hours and days in UTC.
type Interval string

// The intervals. Minutes are only counted for all jobs together.
const (
	Minute Interval = "minute"
	Hour   Interval = "hour"
	Day    Interval = "day"
)

// Length returns the duration of a bucket, zero for an unknown interval.
func (i Interval) Length() time.Duration {
	switch i {
	case Minute:
		return time.Minute
	case Hour:
		return time.Hour
	case Day:
		return 24 * time.Hour
	}
	return 0
}

// How long counts are kept, and how much one call catches up.
const (
	keepMinutes = 48 * time.Hour
	keepHours   = 3 * 366 * 24 * time.Hour
	// countMinutes is how far back missing minutes are counted.
	countMinutes = 24 * time.Hour
	// lateMinutes is how many recent minutes are counted again, because their last executions may
	// be recorded late.
	lateMinutes = 3
	// lateHours is the same for hours, because executions may wait in a spool.
	lateHours = 2
	// catchUpFor limits the time that one call spends on missing buckets of an interval. Counting a
	// long history at once would take a CPU for a minute.
	catchUpFor = time.Second
	// maxPoints is the largest number of buckets in a query.
	maxPoints = 3000
)

// Point is one bucket.
type Point struct {
	Time time.Time
	// Success and Failed count the executions that ended in the bucket. A failed execution of a Java
	// engine without a recorded end counts where it began. Lost, cancelled and running executions aren't
	// counted.
	Success, Failed int
	// Known is false if there was no count. The numbers then mean nothing, not even zero. A day is
	// known if all its hours up to now are.
	Known bool
}

// Count updates the statistics from the execution log: the latest buckets again, and missing buckets, newest first,
// for about two seconds. If complete is false, the next call continues. Counting a bucket again never counts an
// execution twice, and never forgets an execution that was deleted from the log since. Any number of processes may
// call it at once. Buckets older than the log stay unknown.
func Count(ctx context.Context, opened *DB, now time.Time) (complete bool, err error) {
	db := database.Gorm(opened)
	form, err := probe(ctx, db)
	if err != nil {
		return false, fmt.Errorf("count executions: %w", err)
	}
	return counter{db: db, form: form, atMost: catchUpFor}.all(ctx, now)
}

type counter struct {
	db     *gorm.DB
	form   shape
	atMost time.Duration // for the missing buckets of an interval; at least one is counted
}

func (c counter) all(ctx context.Context, now time.Time) (complete bool, err error) {
	begin, err := oldestEnd(c.db.WithContext(ctx))
	if err != nil {
		return false, fmt.Errorf("count executions: %w", err)
	}
	if begin.IsZero() || begin.After(now) {
		begin = now // nothing has ended yet; counts are known from now on
	}
	now = now.UTC()
	hours, err := c.count(ctx, Hour, begin.Truncate(time.Hour), now, lateHours)
	if err != nil {
		return false, fmt.Errorf("count executions by hour: %w", err)
	}
	minutes := begin
	if earliest := now.Add(-countMinutes); minutes.Before(earliest) {
		minutes = earliest
	}
	// The current minute is not over, so don't count it.
	complete, err = c.count(ctx, Minute, minutes.Truncate(time.Minute), now.Truncate(time.Minute).Add(-1), lateMinutes)
	if err != nil {
		return false, fmt.Errorf("count executions by minute: %w", err)
	}
	for interval, keep := range map[Interval]time.Duration{Minute: keepMinutes, Hour: keepHours} {
		err := c.db.WithContext(ctx).Exec("DELETE FROM "+statisticsTable+" WHERE bucket_interval = ? AND bucket_time < ?", string(interval), now.Add(-keep).Unix()).Error
		if err != nil {
			return false, fmt.Errorf("delete old counts: %w", err)
		}
	}
	return complete && hours, nil
}

func oldestEnd(db *gorm.DB) (oldest time.Time, err error) {
	err = db.Raw("SELECT MIN(complete_time) FROM " + executionTable + " WHERE complete_time IS NOT NULL").Row().Scan((*moment)(&oldest))
	return oldest, err
}

// count counts the latest buckets of a period, and missing ones while there is time. complete is
// false if time ran out.
func (c counter) count(ctx context.Context, interval Interval, from, to time.Time, late int) (complete bool, err error) {
	length := interval.Length()
	var counted []int64
	err = c.db.WithContext(ctx).Raw("SELECT bucket_time FROM "+statisticsTable+" WHERE bucket_interval = ? AND job_name = '' AND bucket_time >= ?",
		string(interval), from.Unix()).Scan(&counted).Error
	if err != nil {
		return false, err
	}
	known := make(map[int64]bool, len(counted))
	for _, t := range counted {
		known[t] = true
	}
	var began time.Time // when the missing buckets began
	for at := to.Truncate(length); !at.Before(from); at = at.Add(-length) {
		if late--; late < 0 {
			switch {
			case known[at.Unix()]:
				continue
			case began.IsZero():
				began = time.Now()
			case time.Since(began) >= c.atMost:
				return false, nil
			}
		}
		if err := c.bucket(ctx, interval, at); err != nil {
			return false, err
		}
	}
	return true, nil
}

// tally counts the executions that ended in a bucket.
type tally struct {
	job             string
	success, failed int64
}

func (c counter) bucket(ctx context.Context, interval Interval, at time.Time) error {
	from, to := c.form.bind(at), c.form.bind(at.Add(interval.Length()))
	job, grouped := "job_name", "job_name"
	if column := c.form.columns[columnOf{executionTable, "job_name"}]; column.inexact {
		job, grouped = "MAX(job_name)", c.form.bytes(column, "job_name")
	}
	cancelled, args := c.form.cancelled()
	ended := map[string]tally{}
	add := func(rows *sql.Rows) error {
		var n tally
		err := rows.Scan(&n.job, &n.success, &n.failed)
		t := ended[n.job]
		ended[n.job] = tally{n.job, t.success + n.success, t.failed + n.failed}
		return err
	}
	db := c.db.WithContext(ctx)
	err := eachRow(db, add, "SELECT "+job+", SUM(CASE WHEN is_success THEN 1 ELSE 0 END),"+
		" SUM(CASE WHEN is_success THEN 0 WHEN "+cancelled+" THEN 0 ELSE 1 END)"+
		" FROM "+executionTable+" WHERE complete_time >= ? AND complete_time < ? GROUP BY "+grouped,
		append(args, from, to)...)
	if err != nil {
		return err
	}
	err = eachRow(db, add, "SELECT "+job+", 0, COUNT(*) FROM "+executionTable+
		" WHERE complete_time IS NULL AND start_time >= ? AND start_time < ? AND COALESCE(failure_cause, '') <> ''"+
		" GROUP BY "+grouped, from, to)
	if err != nil {
		return err
	}
	all := tally{}
	list := []tally{}
	for _, t := range ended {
		all.success, all.failed = all.success+t.success, all.failed+t.failed
		if interval == Hour && t.job != "" {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b tally) int { return strings.Compare(a.job, b.job) })
	return c.store(ctx, interval, at, append(list, all)) // last, because it marks the bucket as counted
}

// store keeps the larger counts, because executions that were deleted from the log since did run.
func (c counter) store(ctx context.Context, interval Interval, at time.Time, list []tally) error {
	columns := []string{"bucket_interval", "bucket_time", "job_name", "success_count", "failed_count"}
	return c.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		w := writer{tx: tx, shape: c.form}
		larger := w.update("bucket_interval, job_name, bucket_time",
			w.chooseBy(statisticsTable, " > ", "success_count"), w.chooseBy(statisticsTable, " > ", "failed_count"))
		return w.insert(statisticsTable, columns, larger, len(list), func(i int) []any {
			return []any{string(interval), at.Unix(), list[i].job, list[i].success, list[i].failed}
		})
	})
}

// Statistics returns the buckets between two instants, inclusive, for a job or, if the name is
// empty, for all jobs. Errors wrap [ErrInvalidFilter] or the database's error.
func (s *Store) Statistics(ctx context.Context, job string, interval Interval, from, to time.Time) ([]Point, error) {
	from, to, err := period(interval, from, to)
	if err == nil && interval == Minute && job != "" {
		err = fmt.Errorf("%w: a job is counted by %s and %s only", ErrInvalidFilter, Hour, Day)
	}
	if err != nil {
		return nil, fmt.Errorf("query statistics: %w", err)
	}
	length, counted := interval.Length(), interval
	if interval == Day {
		counted = Hour // days are made of hours
	}
	parts, err := read(ctx, s, "query statistics", func(ctx context.Context, form shape) (map[int64]tally, error) {
		return s.counts(ctx, form, job, counted, from, to.Add(length-1))
	})
	if err != nil {
		return nil, err
	}
	var points []Point
	newest := slices.Max(append(slices.Collect(maps.Keys(parts)), 0))
	for at := from; !at.After(to); at = at.Add(length) {
		point := Point{Time: at, Known: true}
		for part := at; part.Before(at.Add(length)); part = part.Add(counted.Length()) {
			n, ok := parts[part.Unix()]
			// Today's future hours aren't gaps.
			point.Known = point.Known && (ok || interval == Day && part.After(at) && part.Unix() > newest)
			point.Success, point.Failed = point.Success+int(n.success), point.Failed+int(n.failed)
		}
		if !point.Known {
			point.Success, point.Failed = 0, 0
		}
		points = append(points, point)
	}
	return points, nil
}

func (s *Store) counts(ctx context.Context, form shape, job string, interval Interval, from, to time.Time) (map[int64]tally, error) {
	parts := map[int64]tally{}
	for _, name := range slices.Compact([]string{"", job}) { // the empty name shows which buckets were counted
		where, args := form.oneOf(statisticsTable, "job_name", name)
		err := eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
			var at int64
			var t tally
			if err := rows.Scan(&at, &t.success, &t.failed); err != nil {
				return err
			}
			if name != job {
				t = tally{}
			}
			if _, counted := parts[at]; counted || name == "" {
				parts[at] = t
			}
			return nil
		}, "SELECT bucket_time, success_count, failed_count FROM "+statisticsTable+
			" WHERE bucket_interval = ? AND bucket_time >= ? AND bucket_time <= ? AND "+where,
			append([]any{string(interval), from.Unix(), to.Unix()}, args...)...)
		if absent(s.db, err) { // as in a database that only Java engines use
			return parts, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// Results counts the executions that ended in a period.
type Results struct {
	Success, Failed int
	// Complete is false if a part of the period was not counted and is missing.
	Complete bool
	// From and To are the period. From is zero if it has no beginning.
	From, To time.Time
}

// Results counts the executions that ended in a period up to now: "lastMinute" and "lastHour" are
// the last full minute and the last 60 of them, "lastWeek" the last seven days, and "online"
// everything ever counted. Errors wrap [ErrInvalidFilter] or the database's error.
func (s *Store) Results(ctx context.Context, period string, now time.Time) (Results, error) {
	return read(ctx, s, "query results", func(ctx context.Context, _ shape) (Results, error) {
		minute, hour := now.UTC().Truncate(time.Minute), now.UTC().Truncate(time.Hour)
		interval, r := Minute, Results{To: minute}
		last := minute.Add(-time.Minute)
		begin := int64(0)
		switch period {
		case "lastMinute":
			r.From = last
		case "lastHour":
			r.From = minute.Add(-time.Hour)
		case "lastWeek":
			interval, last, r.From, r.To = Hour, hour, now.UTC().AddDate(0, 0, -7).Truncate(time.Hour), now.UTC()
		case "online":
			interval, last, r.To = Hour, hour, now.UTC()
		default:
			return r, fmt.Errorf("%w: period %q, must be lastMinute, lastHour, lastWeek or online", ErrInvalidFilter, period)
		}
		if !r.From.IsZero() {
			begin = r.From.Unix()
		}
		var success, failed, n, first sql.NullInt64
		err := s.db.WithContext(ctx).Raw("SELECT SUM(success_count), SUM(failed_count), COUNT(*), MIN(bucket_time) FROM "+statisticsTable+
			" WHERE bucket_interval = ? AND job_name = '' AND bucket_time >= ? AND bucket_time <= ?", string(interval), begin, last.Unix()).
			Row().Scan(&success, &failed, &n, &first)
		if absent(s.db, err) {
			return r, nil
		}
		if err == nil && r.From.IsZero() {
			var oldest time.Time // the log may have more than was counted so far
			oldest, err = oldestEnd(s.db.WithContext(ctx))
			begin = first.Int64
			if !oldest.IsZero() {
				begin = min(begin, oldest.Truncate(interval.Length()).Unix())
			}
		}
		r.Success, r.Failed = int(success.Int64), int(failed.Int64)
		r.Complete = first.Valid && n.Int64 == (last.Unix()-begin)/int64(interval.Length().Seconds())+1
		return r, err
	})
}

// period rounds a period to buckets. It rejects an invalid one, or one with too many buckets.
func period(interval Interval, from, to time.Time) (first, last time.Time, err error) {
	length := interval.Length()
	switch {
	case length == 0:
		return from, to, fmt.Errorf("%w: interval %q, must be %q, %q or %q", ErrInvalidFilter, interval, Minute, Hour, Day)
	case to.Before(from):
		return from, to, fmt.Errorf("%w: from is after to", ErrInvalidFilter)
	}
	first, last = from.UTC().Truncate(length), to.UTC().Truncate(length)
	if last.Sub(first)/length >= maxPoints {
		return first, last, fmt.Errorf("%w: more than %d buckets", ErrInvalidFilter, maxPoints)
	}
	return first, last, nil
}

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
	length := interval.Length()
	return read(ctx, s, "query statistics", func(ctx context.Context, _ shape) (buckets []CloudCount, err error) {
		counts := make(map[int64]CloudCount)
		err = eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
			var at int64
			c := CloudCount{Known: true}
			err := rows.Scan(&at, &c.TasksRunning, &c.JobsRunning, &c.JobsRegistered)
			counts[at] = c
			return err
		}, "SELECT bucket_time - bucket_time % ? AS bucket, MAX(tasks_running), MAX(jobs_running), MAX(jobs_registered)"+
			" FROM "+cloudTable+" WHERE bucket_time >= ? AND bucket_time < ? GROUP BY bucket",
			int64(length/time.Second), from.Unix(), to.Add(length).Unix())
		if err != nil && !absent(s.db, err) {
			return nil, err
		}
		for at := from; !at.After(to); at = at.Add(length) {
			c := counts[at.Unix()]
			c.Time = at
			buckets = append(buckets, c)
		}
		return buckets, nil
	})
}
