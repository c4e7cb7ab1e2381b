package main

import (
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// A run of a job has three shards here: three rows in one table, three steps in the other.
const recordItems, recordRows = 3, 6

// recordParts measures executions, and the logs of requested runs.
var recordParts = []part[*recorded]{{"executions", (*recorded).executions}, {"lines", (*recorded).lines}}

// recorded is a database for the rows of runs.
type recorded struct {
	*bench
	server *storetest.MariaDB
	db     *store.DB
	runs   int // so far
}

// record measures the recorder in this process in front of a real MariaDB that forces its log to
// the disk. So this process has all the costs.
func record(b *bench) {
	r := &recorded{bench: b, server: must(storetest.LaunchMariaDB("--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=512M", "--innodb-log-file-size=512M"))}
	defer closing(r.server.End)
	check(r.server.Create("trace"))
	r.db = must(store.Open(b, r.server.DSN("trace"), slog.New(slog.DiscardHandler)))
	defer closing(r.db.Close)
	check(r.db.Migrate(b))
	measureParts(b, r, recordParts)
}

func (r *recorded) recorder() *tracing.Async {
	return tracing.NewAsync(rdb.NewSink(r.db.Database), tracing.AsyncOptions{Logger: slog.New(slog.DiscardHandler)})
}

// executions measures the recording of executions and steps. Smaller is better for all figures,
// so rates appear as the time per row.
func (r *recorded) executions() {
	const rate, length, full = 4_000, 10 * time.Second, 5_000 // rows a second, runs
	plain := r.plain()

	recorder, began := r.recorder(), time.Now()
	for range full {
		for recorder.Stats().Queued > 5_000 {
			r.pause(time.Millisecond)
		}
		r.run(recorder)
	}
	check(recorder.Close(r))
	rows := full * recordRows / time.Since(began).Seconds()
	r.atMost("record-row", "µs", 1e6/rate, fmt.Sprintf("time of a row with the recorder full all the time: %.0f rows/s; runs of %d shards, all their events", rows, recordItems), 1e6/rows).noted = 1e6 / 1555
	r.atMost("record-against-plain", "x", 2, fmt.Sprintf("plain inserts of 200 rows by the same driver into the same table, %.0f rows/s, divided by ours", plain), plain/rows)

	recorder, began = r.recorder(), time.Now()
	before := processorTime()
	r.runAt(rate, began.Add(length), recorder)
	check(recorder.Close(r))
	r.atMost("record-cpu", "%", 15, fmt.Sprintf("of one core at %d rows/s for %v; the whole process, which also makes the events", rate, length), 100*float64(processorTime()-before)/float64(time.Since(began)))

	r.outage()
}

// run records the events of one run of a job, and returns the times of the calls.
func (r *recorded) run(recorder tracing.Recorder) (calls []float64) {
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
		calls = append(calls, micros(time.Since(began)))
		e.CompleteTime, e.Success = now.Add(3*time.Millisecond), true
		recorder.RecordExecution(e)
	}
	step(2, tracing.StateFinished, "")
	return calls
}

// runAt records runs at a rate of rows a second until an instant, and returns the times of the calls.
func (r *recorded) runAt(rate float64, until time.Time, recorder tracing.Recorder) (calls []float64) {
	const beat = 30 * time.Millisecond
	for next := time.Now(); next.Before(until); next = next.Add(beat) {
		r.pauseUntil(next)
		for range int(rate * beat.Seconds() / recordRows) {
			calls = append(calls, r.run(recorder)...)
		}
	}
	return calls
}

// plain returns how many rows a second the driver inserts, 200 in a statement.
func (r *recorded) plain() float64 {
	const rows, statements = 200, 150
	text := "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item, execution_source, failure_cause, is_success, start_time, complete_time) VALUES " +
		strings.TrimSuffix(strings.Repeat("(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), ", rows), ", ")
	pool := must(r.db.DB.DB())
	began := time.Now()
	for s := range statements {
		var args []any
		for n := s * rows; n < (s+1)*rows; n++ {
			now := time.Now().UTC()
			args = append(args, fmt.Sprintf("plain-%08d", n), "settlement.daily", fmt.Sprintf("settlement.daily@-@0,1,2@-@READY@-@10.0.0.1@-@77_%08d", n/recordItems),
				"worker-1", "10.0.0.1", n%recordItems, "NORMAL_TRIGGER", nil, 1, now, now.Add(3*time.Millisecond))
		}
		must(pool.ExecContext(r, text, args...))
	}
	return rows * statements / time.Since(began).Seconds()
}

// outage kills the database for a while. The rate is low enough to catch up.
func (r *recorded) outage() {
	const rate, length = 1_000, 20 * time.Second
	dir, remove := tempFolder()
	defer closing(remove)
	quiet := slog.New(slog.DiscardHandler)
	spool := must(tracing.NewSpool(dir, rdb.NewSink(r.db.Database), tracing.SpoolOptions{Logger: quiet}))
	recorder := tracing.NewAsync(spool, tracing.AsyncOptions{Logger: quiet})
	before := r.runs
	r.server.Kill()
	calls := r.runAt(rate, time.Now().Add(length), recorder)
	check(r.server.Start())
	back, late := time.Now(), 0.0
	for spool.Stats().Bytes > 0 || time.Since(back) < time.Second {
		if time.Since(back) > time.Minute+length {
			fail("not caught up after %v: %+v", time.Minute+length, spool.Stats())
		}
		calls = append(calls, r.runAt(rate, time.Now().Add(100*time.Millisecond), recorder)...)
		if spool.Stats().Bytes > 0 {
			late = time.Since(back).Seconds()
		}
	}
	check(recorder.Close(r))
	check(spool.Close())
	var stored int
	last := fmt.Sprintf("0198f3c2-%08d-z", before)
	check(r.db.WithContext(r).Raw("SELECT (SELECT COUNT(*) FROM JOB_EXECUTION_LOG WHERE complete_time IS NOT NULL AND id > ? AND id NOT LIKE 'plain-%') + "+
		"(SELECT COUNT(*) FROM JOB_STATUS_TRACE_LOG WHERE id > ?)", last, last).Scan(&stored).Error)
	r.atMost("record-lost", "", 0, fmt.Sprintf("rows missing after the database was killed for %v at %d rows/s", length, rate), float64((r.runs-before)*recordRows-stored))
	r.atMost("record-caught-up", "s", 5, "from the database's first answer until nothing waits any more, while recording goes on", late)
	r.atMost("record-call-p99", "µs", 100, "time of a call that records an event, during the outage", percentile(calls, 99))
}

// lines measures whether all lines that the handlers of requested runs log at a rate are stored.
// It uses the recorders of two agents, because a process stores 5,000 lines a second at most.
func (r *recorded) lines() {
	const rate, length, beats = 10_000, 10 * time.Second, 1000
	const lines = rate * int(length/time.Second)
	recorders := [2]*tracing.Async{r.recorder(), r.recorder()}
	began := time.Now()
	for n := range lines {
		if n%(lines/beats) == 0 {
			r.pauseUntil(began.Add(time.Duration(n) * time.Second / rate))
		}
		recorders[n%2].RecordLogLine(logLine(n))
	}
	logged := time.Now()
	dropped := uint64(0)
	for _, a := range recorders {
		check(a.Close(r))
		dropped += a.Stats().Dropped + a.Stats().Failed
	}
	behind, took := time.Since(logged), time.Since(began)
	var stored int
	check(r.db.WithContext(r).Raw("SELECT COUNT(*) FROM JOB_RUN_LOG WHERE run_id = ?", linesRun).Scan(&stored).Error)
	how := fmt.Sprintf("%d lines/s of handlers' logs for %v, by the recorders of two agents; ", rate, length)
	r.atMost("record-log-lost", "", 0, how+fmt.Sprintf("lines that aren't in the table; the recorders dropped %d", dropped), float64(lines-stored))
	r.atMost("record-log-line", "µs", 1.1e6/rate, how+"from the first to the last stored line, divided by the lines; the limit has a tenth more than the rate, for the last batch", micros(took)/float64(max(stored, 1)))
	r.atMost("record-log-behind", "s", 1, how+"from the last line until all are stored", behind.Seconds())
}

// linesRun is the run whose handlers log.
const linesRun = "0193a5b0-0000-7000-8000-000000000001"

// logLine returns a line; the lines of one agent are of one shard.
func logLine(n int) tracing.LogLine {
	shard := n % 2
	return tracing.LogLine{
		ExecutionID: fmt.Sprintf("0193a5b0-0000-7000-8000-00000000001%d", shard), Seq: n/2 + 1, RunID: linesRun, JobName: "settlement.daily",
		Item: shard, Attempt: 1, At: time.Now().UTC(), Level: "INFO", Message: fmt.Sprintf("file read name=invoices-%07d.csv rows=4711 took=12ms", n),
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// processorTime is the time that this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
