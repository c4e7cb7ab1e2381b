package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	recordRate = 4_000 // rows a second that an agent has to record
	recordTime = 10 * time.Second
	// recordNormal is the rate over an outage: what waits has to fit into the
	// time to catch up.
	recordNormal = 1_000
	recordOutage = 20 * time.Second
	// recordSlow is the rate over the long outage: ten minutes of it fit into the
	// files that a recorder may fill unless an option says otherwise.
	recordSlow = 400
	// A run of a job has three shards here: three rows in one table, three steps in
	// the other.
	recordItems, recordRows = 3, 6
)

// recordParts are the parts of group record: executions, and the logs of requested runs.
var recordParts = []string{"executions", "lines"}

// record measures the recorder in front of a real MariaDB that forces its log to
// the disk, in this process: what it costs is what this process uses.
func record(ctx context.Context, b *bench, _ kind) (figures []figure, err error) {
	server, err := storetest.LaunchMariaDB("--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=512M", "--innodb-log-file-size=512M")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.End()) }()
	if err := server.Create("trace"); err != nil {
		return nil, err
	}
	db, err := store.Open(ctx, server.DSN("trace"), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Migrate(ctx); err != nil {
		return nil, err
	}
	r := recorded{db: db}
	if b.wants("record", "executions") {
		if figures, err = r.executions(ctx, b, server); err != nil {
			return nil, err
		}
	}
	if b.wants("record", "lines") {
		list, err := r.lines(ctx)
		if err != nil {
			return nil, fmt.Errorf("lines of logs: %w", err)
		}
		figures = append(figures, list...)
	}
	return figures, nil
}

// executions measures the recording of executions and status rows.
func (r *recorded) executions(ctx context.Context, b *bench, server *storetest.MariaDB) (figures []figure, err error) {
	plain, err := r.plain(ctx)
	if err != nil {
		return nil, err
	}
	full, err := r.full(ctx)
	if err != nil {
		return nil, err
	}
	cpu, err := r.paced(ctx)
	if err != nil {
		return nil, err
	}
	lost, late, call, err := r.outage(ctx, server, recordOutage, recordNormal)
	if err != nil {
		return nil, err
	}
	// Smaller is better for all figures: rates appear as the time of a row.
	figures = []figure{
		{name: "record-row", unit: "µs", values: []float64{1e6 / full}, target: 1e6 / recordRate, java: 1e6 / 1555,
			how: fmt.Sprintf("time of a row with the recorder full all the time: %.0f rows/s; runs of %d shards, all their events", full, recordItems)},
		{name: "record-against-plain", unit: "x", values: []float64{plain / full}, target: 2,
			how: fmt.Sprintf("plain inserts of 200 rows by the same driver into the same table, %.0f rows/s, over ours", plain)},
		{name: "record-cpu", unit: "%", values: []float64{cpu}, target: 15,
			how: fmt.Sprintf("of one core at %d rows/s for %s; the whole process, which makes up the events too", recordRate, recordTime)},
		{name: "record-lost", values: []float64{lost}, target: 0, how: fmt.Sprintf("rows missing after the database was killed for %s at %d rows/s", recordOutage, recordNormal)},
		{name: "record-caught-up", unit: "s", values: []float64{late}, target: 5, how: "from the database's first answer until nothing waits any more, while recording goes on"},
		{name: "record-call-p99", unit: "µs", values: []float64{call}, target: 100, how: "what recording an event takes a job, over the outage"},
	}
	if b.outage == 0 {
		return figures, nil
	}
	if lost, late, _, err = r.outage(ctx, server, b.outage, recordSlow); err != nil {
		return nil, err
	}
	return append(figures,
		figure{name: "record-lost-long", values: []float64{lost}, target: 0, how: fmt.Sprintf("rows missing after the database was killed for %s at %d rows/s", b.outage, recordSlow)},
		figure{name: "record-caught-up-long", unit: "s", values: []float64{late}, target: b.outage.Seconds() / 4, how: "the same, until nothing waits any more; at most a quarter of the outage"}), nil
}

// recorded is a database that runs are recorded into.
type recorded struct {
	db   *store.DB
	runs int // so far
}

// run makes the events of one run of a job.
func (r *recorded) run(recorder tracing.Recorder, timed func(time.Duration)) {
	r.runs++
	now := time.Now().UTC()
	task := fmt.Sprintf("settlement.daily@-@0,1,2@-@READY@-@10.0.0.1@-@77_%08d", r.runs)
	step := func(n int, state tracing.State, message string) {
		recorder.RecordStatus(tracing.Status{ID: fmt.Sprintf("0198f3c2-%08d-%d", r.runs, n), JobName: "settlement.daily", TaskID: task, SlaveID: "10.0.0.1",
			Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady, Items: []int{0, 1, 2}, State: state, Message: message, CreationTime: now})
	}
	step(0, tracing.StateStaging, "Job 'settlement.daily' execute begin.")
	step(1, tracing.StateRunning, "")
	for item := range recordItems {
		e := tracing.Execution{ID: fmt.Sprintf("0198f3c2-%08d-item-%d", r.runs, item), JobName: "settlement.daily", TaskID: task, Hostname: "worker-1", IP: "10.0.0.1",
			Source: tracing.SourceNormal, Item: item, StartTime: now}
		began := time.Now()
		recorder.RecordExecution(e)
		timed(time.Since(began))
		e.CompleteTime, e.Success = now.Add(3*time.Millisecond), true
		recorder.RecordExecution(e)
	}
	step(2, tracing.StateFinished, "")
}

func untimed(time.Duration) {}

// plain is how many rows a second the driver inserts, 200 with a statement.
func (r *recorded) plain(ctx context.Context) (float64, error) {
	const rows, statements = 200, 150
	text := "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item, execution_source, failure_cause, is_success, start_time, complete_time) VALUES " +
		strings.TrimSuffix(strings.Repeat("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), ", rows), ", ")
	pool, err := r.db.DB.DB()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	for s := range statements {
		var args []any
		for i := range rows {
			now := time.Now().UTC()
			n := s*rows + i
			args = append(args, fmt.Sprintf("plain-%08d", n), "settlement.daily", fmt.Sprintf("settlement.daily@-@0,1,2@-@READY@-@10.0.0.1@-@77_%08d", n/recordItems),
				"worker-1", "10.0.0.1", n%recordItems, "NORMAL_TRIGGER", nil, 1, now, now.Add(3*time.Millisecond))
		}
		if _, err := pool.ExecContext(ctx, text, args...); err != nil {
			return 0, err
		}
	}
	return rows * statements / time.Since(began).Seconds(), nil
}

// full is how many rows a second are stored while the recorder always has some.
func (r *recorded) full(ctx context.Context) (float64, error) {
	const runs = 5_000
	recorder := tracing.NewAsync(rdb.NewSink(r.db.Database), tracing.AsyncOptions{Logger: slog.New(slog.DiscardHandler)})
	began := time.Now()
	for range runs {
		for recorder.Stats().Queued > 5_000 {
			if err := pause(ctx, time.Millisecond); err != nil {
				return 0, err
			}
		}
		r.run(recorder, untimed)
	}
	if err := recorder.Close(ctx); err != nil {
		return 0, err
	}
	return runs * recordRows / time.Since(began).Seconds(), nil
}

// paced is what part of a core recording costs at the rate that is asked for.
func (r *recorded) paced(ctx context.Context) (float64, error) {
	recorder := tracing.NewAsync(rdb.NewSink(r.db.Database), tracing.AsyncOptions{Logger: slog.New(slog.DiscardHandler)})
	before, began := spent(), time.Now()
	err := r.pace(ctx, recordRate, began.Add(recordTime), recorder, untimed)
	err = errors.Join(err, recorder.Close(ctx))
	return 100 * float64(spent()-before) / float64(time.Since(began)), err
}

// pace records so many rows a second until an instant.
func (r *recorded) pace(ctx context.Context, rate float64, until time.Time, recorder tracing.Recorder, timed func(time.Duration)) error {
	const beat = 30 * time.Millisecond
	for next := time.Now(); next.Before(until); next = next.Add(beat) {
		if err := pause(ctx, time.Until(next)); err != nil {
			return err
		}
		for range int(rate * beat.Seconds() / recordRows) {
			r.run(recorder, timed)
		}
	}
	return nil
}

// outage kills the database for a while, and counts.
func (r *recorded) outage(ctx context.Context, server *storetest.MariaDB, length time.Duration, rate float64) (lost, late, call float64, err error) {
	dir, err := os.MkdirTemp("", "bench-spool-")
	if err != nil {
		return 0, 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	quiet := slog.New(slog.DiscardHandler)
	spool, err := tracing.NewSpool(dir, rdb.NewSink(r.db.Database), tracing.SpoolOptions{Logger: quiet})
	if err != nil {
		return 0, 0, 0, err
	}
	recorder := tracing.NewAsync(spool, tracing.AsyncOptions{Logger: quiet})
	before := r.runs
	var calls []time.Duration
	timed := func(d time.Duration) { calls = append(calls, d) }
	server.Kill()
	if err := r.pace(ctx, rate, time.Now().Add(length), recorder, timed); err != nil {
		return 0, 0, 0, err
	}
	if err := server.Start(); err != nil {
		return 0, 0, 0, err
	}
	back := time.Now()
	for spool.Stats().Bytes > 0 || time.Since(back) < time.Second {
		if time.Since(back) > time.Minute+length {
			return 0, 0, 0, fmt.Errorf("not caught up after %v: %+v", time.Minute+length, spool.Stats())
		}
		if err := r.pace(ctx, rate, time.Now().Add(100*time.Millisecond), recorder, timed); err != nil {
			return 0, 0, 0, err
		}
		if spool.Stats().Bytes > 0 {
			late = time.Since(back).Seconds()
		}
	}
	if err := errors.Join(recorder.Close(ctx), spool.Close()); err != nil {
		return 0, 0, 0, err
	}
	var stored int
	err = r.db.WithContext(ctx).Raw("SELECT (SELECT COUNT(*) FROM JOB_EXECUTION_LOG WHERE complete_time IS NOT NULL AND id > ?) + (SELECT COUNT(*) FROM JOB_STATUS_TRACE_LOG WHERE id > ?)",
		fmt.Sprintf("0198f3c2-%08d-z", before), fmt.Sprintf("0198f3c2-%08d-z", before)).Scan(&stored).Error
	plain := 0
	if err == nil {
		err = r.db.WithContext(ctx).Raw("SELECT COUNT(*) FROM JOB_EXECUTION_LOG WHERE id LIKE 'plain-%'").Scan(&plain).Error
	}
	slices.Sort(calls)
	return float64((r.runs-before)*recordRows - (stored - plain)), late, float64(percentile(calls, 99)) / float64(time.Microsecond), err
}

// spent is the processor time of this process.
func spent() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
