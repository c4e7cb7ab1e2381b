package ui

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func run(item int, at, length time.Duration, ok bool) tracing.Execution {
	e := tracing.Execution{Item: item, StartTime: noon.Add(at), Success: ok}
	if length > 0 {
		e.CompleteTime = e.StartTime.Add(length)
	}
	return e
}

func TestRunsOfAStrip(t *testing.T) {
	t.Parallel()
	const s, ms = time.Second, time.Millisecond
	fires := OldestRunsFirst([]tracing.Execution{
		run(1, 10*s+40*ms, s, true), run(0, 10*s, 2*s, false), // one run, one shard failed
		run(0, 0, s, true), run(1, 30*ms, s, true), // the run before
		run(0, 20*s, 0, false), run(0, 21*s, 0, false), // a shard again is another run
	})
	var got []string
	for _, f := range fires {
		got = append(got, fmt.Sprint(outcome(f), " ", f.Shards))
	}
	if diff := cmp.Diff([]string{"ok 2", "bad 2", "run 1", "run 1"}, got); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
}

// TestStripFitsItsFrame: each execution is in exactly one run, and a strip stays within its frame.
func TestStripFitsItsFrame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var runs []tracing.Execution
		for range rapid.IntRange(0, 80).Draw(rt, "n") {
			runs = append(runs, run(rapid.IntRange(0, 5).Draw(rt, "item"), time.Duration(rapid.IntRange(0, 600_000).Draw(rt, "at"))*time.Millisecond,
				time.Duration(rapid.IntRange(-5, 1_000_000).Draw(rt, "length"))*time.Millisecond, rapid.Bool().Draw(rt, "ok")))
		}
		fires, executions := OldestRunsFirst(runs), 0
		for _, f := range fires {
			executions += len(f.Executions)
		}
		if executions != len(runs) {
			rt.Fatalf("%d executions in runs, want %d", executions, len(runs))
		}
		now := noon.Add(time.Hour)
		strip := RunStrip(i18n.English, fires, now, "/executions")
		if len(strip.Bars) > StripRuns || len(strip.Bars) < min(len(fires), StripRuns) {
			rt.Fatalf("%d bars for %d runs", len(strip.Bars), len(fires))
		}
		for _, b := range strip.Bars {
			if b.Height < 2 || b.Height > ui.MaxBar {
				rt.Fatalf("bar of height %d", b.Height)
			}
		}
	})
}
