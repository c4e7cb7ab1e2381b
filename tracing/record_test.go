package tracing

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAsyncBoundsRequestedRuns: the events of a requested run should be cut to the width of their columns.
func TestAsyncBoundsRequestedRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{}
		a := NewAsync(sink, AsyncOptions{Logger: quiet()})
		wide := strings.Repeat("数", 30_000)
		a.RecordRun(RunRecord{ID: "r", Reason: wide, Key: wide, Note: wide, OriginName: wide, Error: wide, Result: wide, Params: strings.Repeat("x", MaxParams+1)})
		a.RecordRun(RunRecord{ID: "s", Params: strings.Repeat("x", MaxParams)})
		a.RecordRunStep(RunStep{ID: "s", Actor: wide, Message: wide})
		a.RecordLogLine(LogLine{ExecutionID: "x", Message: wide})
		for _, fraction := range []float64{-1, 0.5, 7, math.NaN(), math.Inf(1)} {
			a.RecordProgress(Progress{ExecutionID: "x", Fraction: fraction, Message: wide})
		}
		closeNow(t, a)
		of := func(n int) string { return strings.Repeat("数", n) }
		want := []Event{
			{Run: &RunRecord{ID: "r", Reason: of(MaxReason), Key: of(MaxNote), Note: of(MaxNote), OriginName: of(MaxActor), Error: of(MaxText), Result: of(MaxResult / 3)}},
			{Run: &RunRecord{ID: "s", Params: strings.Repeat("x", MaxParams)}},
			{Step: &RunStep{ID: "s", Actor: of(MaxActor), Message: of(MaxText)}},
			{Log: &LogLine{ExecutionID: "x", Message: of(MaxLogLine)}},
		}
		for _, fraction := range []float64{0, 0.5, 1, 0, 1} {
			want = append(want, Event{Progress: &Progress{ExecutionID: "x", Fraction: fraction, Message: of(MaxReason)}})
		}
		if diff := cmp.Diff(want, sink.batches[0]); diff != "" {
			t.Errorf("%.1000s", diff)
		}
	})
}

// TestAsyncSharesOfTheQueue: a flood of log lines leaves half of the queue free, and the last
// eighth is only for ends.
func TestAsyncSharesOfTheQueue(t *testing.T) {
	for name, tt := range map[string]struct {
		opts AsyncOptions
		text string
	}{"events": {AsyncOptions{QueueSize: 80}, ""}, "bytes": {AsyncOptions{QueueSize: 10_000, QueueBytes: 80 * (512 + 4096)}, strings.Repeat("x", 4096)}} {
		synctest.Test(t, func(t *testing.T) {
			tt.opts.Logger = quiet()
			a := NewAsync(&fakeSink{err: errors.New("away")}, tt.opts)
			grown := func(record func()) int {
				before := a.Stats().Queued
				for range 100 {
					record()
				}
				return a.Stats().Queued - before
			}
			lines := grown(func() { a.RecordLogLine(LogLine{Message: tt.text[:len(tt.text)*250/256]}) })
			progress := grown(func() { a.RecordProgress(Progress{Message: tt.text}) })
			starts := grown(func() {
				a.RecordRun(RunRecord{State: "running", Params: tt.text})
				a.RecordRunStep(RunStep{Message: tt.text})
			})
			ends := grown(func() { a.RecordRun(RunRecord{State: "failed", Ended: time.Now(), Params: tt.text}) })
			if name == "events" && (lines != 40 || progress != 0 || starts != 30 || ends != 10) {
				t.Errorf("%d lines, %d of progress, %d starts, %d ends", lines, progress, starts, ends)
			}
			if lines < 38 || progress > 8 || starts < 25 || ends < 8 {
				t.Errorf("%s: %d lines, %d of progress, %d starts, %d ends", name, lines, progress, starts, ends)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if err := a.Close(ctx); err == nil {
				t.Error("nothing was lost")
			}
		})
	}
}

func everyKind() []Event {
	at := time.Unix(1_800_000_000, 5e6).UTC()
	return []Event{
		{Run: &RunRecord{ID: "r", JobName: "j", State: "running", Params: `{"a":"<数>\n"}`, Due: at, Submitted: at, Attempt: 1}},
		{Step: &RunStep{ID: "s", RunID: "r", JobName: "j", At: at, State: "lost", Message: "数据"}},
		{Log: &LogLine{ExecutionID: "x", Seq: 3, RunID: "r", JobName: "j", At: at, Level: "WARN", Message: "line\n"}},
		{Progress: &Progress{ExecutionID: "x", RunID: "r", JobName: "j", Fraction: 0.25, At: at}},
		{Execution: &Execution{ID: "e", JobName: "j", StartTime: at}}, {Status: &Status{ID: "t", JobName: "j", CreationTime: at}},
	}
}

// TestSpoolKeepsEveryKind: events of all kinds should come out of a file unchanged, also from files
// of earlier versions. An event with two kinds is invalid.
func TestSpoolKeepsEveryKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, sink := t.TempDir(), &fakeSink{err: errAway}
		first := spoolOf(t, dir, sink, SpoolOptions{})
		if err := errors.Join(first.Write(t.Context(), everyKind()), first.Close()); err != nil {
			t.Fatal(err)
		}
		old := `{"Execution":null,"Status":{"ID":"old","JobName":"j","Items":null}}` + "\n" + `{"Execution":{"ID":"old","JobName":"j"},"Status":null}` + "\n" +
			`{"Run":{"ID":"r"},"Log":{"Seq":1}}` + "\n" + `{"Later":{"ID":"r"}}` + "\n"
		if err := os.WriteFile(segmentPath(dir, 99), []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		sink.set(func(s *fakeSink) { s.err = nil })
		second := spoolOf(t, dir, sink, SpoolOptions{})
		time.Sleep(time.Minute)
		synctest.Wait()
		if stats := second.Stats(); stats.Damaged != 2 || stats.Drained != 8 {
			t.Errorf("%+v", stats)
		}
		if err := second.Close(); err != nil {
			t.Fatal(err)
		}
		want := [][]Event{everyKind(), {{Status: &Status{ID: "old", JobName: "j"}}, {Execution: &Execution{ID: "old", JobName: "j"}}}}
		if diff := cmp.Diff(want, sink.batches); diff != "" {
			t.Error(diff)
		}
	})
}

// TestRefusedEventOfEveryKind: the log should name the job of a refused event.
func TestRefusedEventOfEveryKind(t *testing.T) {
	for _, event := range append(everyKind(), Event{}) {
		job, _ := event.texts()
		if whole := event.one(); whole != (job == "j") || weight(event) < 256 {
			t.Errorf("%+v: job %q, whole %t, weight %d", event, job, whole, weight(event))
		}
	}
}

// TestOrderOfRuns: each run in the list is later than the previous one.
func TestOrderOfRuns(t *testing.T) {
	at := time.Unix(1, 0)
	runs := []RunRecord{
		{State: "scheduled", Attempt: 1, Retries: 9}, {State: "queued", Attempt: 1}, {State: "running", Attempt: 1}, {State: "running", Attempt: 1, Failed: 1},
		{State: "scheduled", Attempt: 1, Snoozes: 1}, {State: "running", Attempt: 1, Snoozes: 1}, {State: "queued", Attempt: 1, Snoozes: 1, Losses: 1},
		{State: "running", Attempt: 1, Snoozes: 1, Losses: 1}, {State: "queued", Attempt: 1, Snoozes: 1, Losses: 1, Returns: 1},
		{State: "scheduled", Attempt: 2}, {State: "running", Attempt: 2, OK: 1 << 40, Snoozes: 1 << 40}, {State: "queued", Attempt: 3},
		{State: "running", Attempt: 1 << 40}, {State: "expired", Ended: at, Attempt: 0}, {State: "failed", Ended: at, Attempt: 1 << 40, Failed: 1 << 40},
	}
	for i, r := range runs[1:] {
		if before := runs[i]; r.Order() <= before.Order() {
			t.Errorf("%+v is not later than %+v", r, before)
		}
	}
}

// TestR53RunsWithoutDatabase: the database is away for ten minutes while a handler logs and reports progress. No
// call should wait, the end of the run should be stored when the database is back, and losses should be counted.
func TestR53RunsWithoutDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &fakeSink{err: errAway}
		a := NewAsync(sink, AsyncOptions{QueueSize: 400, Logger: quiet()})
		began := time.Now()
		var recorded uint64
		record := func(call func()) {
			before := time.Now()
			call()
			recorded++
			if took := time.Since(before); took > 0 {
				t.Errorf("a call took %v", took)
			}
		}
		record(func() { a.RecordRun(RunRecord{ID: "r", JobName: "job", State: "running", Attempt: 1}) })
		for i := 0; time.Since(began) < 10*time.Minute; i++ {
			record(func() { a.RecordLogLine(LogLine{ExecutionID: "x", RunID: "r", JobName: "job", Seq: i}) })
			record(func() { a.RecordProgress(Progress{ExecutionID: "x", RunID: "r", JobName: "job", Fraction: 0.5}) })
			time.Sleep(50 * time.Millisecond)
		}
		record(func() {
			a.RecordRun(RunRecord{ID: "r", JobName: "job", State: "succeeded", Attempt: 1, Ended: time.Now()})
		})
		sink.set(func(s *fakeSink) { s.err = nil })
		time.Sleep(time.Minute)
		closeNow(t, a)
		stored := false
		for _, batch := range sink.batches {
			for _, e := range batch {
				stored = stored || e.Run != nil && e.Run.State == "succeeded"
			}
		}
		if stats := a.Stats(); !stored || stats.Dropped == 0 || stats.Written+stats.Dropped+stats.Failed != recorded {
			t.Errorf("end stored: %v; %+v of %d", stored, stats, recorded)
		}
	})
}
