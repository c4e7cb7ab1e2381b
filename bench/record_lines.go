package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	linesRate = 10_000 // lines a second that handlers log
	linesTime = 10 * time.Second
	linesBeat = 10 * time.Millisecond
	// linesAgents is how many agents log them: each process stores 5,000 lines a second of
	// all its handlers at most.
	linesAgents = 2
)

// lines measures whether what the handlers of requested runs log at a rate is stored, all of
// it: the recorders of some agents, which are in this process.
func (r *recorded) lines(ctx context.Context) (_ []figure, err error) {
	quiet := slog.New(slog.DiscardHandler)
	recorders := make([]*tracing.Async, linesAgents)
	for i := range recorders {
		recorders[i] = tracing.NewAsync(rdb.NewSink(r.db.Database), tracing.AsyncOptions{Logger: quiet})
	}
	open := true
	end := func() error {
		var errs []error
		for _, a := range recorders {
			errs = append(errs, a.Close(ctx))
		}
		open = false
		return errors.Join(errs...)
	}
	defer func() {
		if open {
			err = errors.Join(err, end())
		}
	}()
	const lines = int(linesRate * linesTime / time.Second)
	cpu, began, calls := spent(), time.Now(), make([]time.Duration, 0, lines)
	for n := range lines {
		if n%(lines/int(linesTime/linesBeat)) == 0 {
			if err := pauseUntil(ctx, began.Add(time.Duration(n)*time.Second/linesRate)); err != nil {
				return nil, err
			}
		}
		line, at := logLine(n), time.Now()
		recorders[n%linesAgents].RecordLogLine(line)
		calls = append(calls, time.Since(at))
	}
	logged := time.Now()
	if err := end(); err != nil {
		return nil, err
	}
	stored, took := time.Since(logged), time.Since(began)
	used := spent() - cpu
	var there int
	if err := r.db.WithContext(ctx).Raw("SELECT COUNT(*) FROM JOB_RUN_LOG WHERE run_id = ?", linesRun).Scan(&there).Error; err != nil {
		return nil, err
	}
	var dropped uint64
	for _, a := range recorders {
		dropped += a.Stats().Dropped + a.Stats().Failed
	}
	how := fmt.Sprintf("%d lines/s of handlers' logs for %v, by the recorders of %d agents, as a process stores 5,000 lines a second at most", linesRate, linesTime, linesAgents)
	return []figure{
		{name: "record-log-lost", values: []float64{float64(lines - there)}, target: 0, how: how + fmt.Sprintf("; lines that are not in the table; the recorders say that they dropped %d", dropped)},
		{name: "record-log-line", unit: "µs", values: []float64{float64(took.Microseconds()) / float64(max(there, 1))}, target: 1.1e6 / linesRate,
			how: how + fmt.Sprintf("; from the first to the last stored, divided by those that were stored: %.0f lines/s; a tenth more than the rate is for the last batch", float64(there)/took.Seconds())},
		{name: "record-log-behind", unit: "s", values: []float64{stored.Seconds()}, target: 1, how: how + "; from the last line until all are stored"},
		{name: "record-log-cpu", unit: "%", values: []float64{100 * float64(used) / float64(took)}, reportOnly: true, how: how + "; of one core, the whole process, which makes up the lines too"},
		{name: "record-log-call-p99", unit: "µs", values: []float64{float64(percentile(calls, 99)) / float64(time.Microsecond)}, reportOnly: true, how: how + "; what recording a line takes a handler"},
	}, nil
}

// linesRun is the run whose handlers log.
const linesRun = "0193a5b0-0000-7000-8000-000000000001"

// logLine makes a line up; those of one agent are of one shard.
func logLine(n int) tracing.LogLine {
	shard := n % linesAgents
	return tracing.LogLine{
		ExecutionID: fmt.Sprintf("0193a5b0-0000-7000-8000-00000000001%d", shard), Seq: n/linesAgents + 1, RunID: linesRun, JobName: "settlement.daily",
		Item: shard, Attempt: 1, At: time.Now().UTC(), Level: "INFO", Message: fmt.Sprintf("file read name=invoices-%07d.csv rows=4711 took=12ms", n),
	}
}
