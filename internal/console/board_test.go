package console

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// oneJob is a history with the runs of one job, which counts how often it is asked
// for them.
type oneJob struct {
	History
	rows  []tracing.Execution // the newest first
	asked int
}

func (h *oneJob) LastRuns(_ context.Context, jobs []string, most int) (map[string][]tracing.Execution, error) {
	h.asked++
	return map[string][]tracing.Execution{jobs[0]: h.rows[:min(most, len(h.rows))]}, nil
}

// wentWell are so many runs of a job of so many shards.
func wentWell(runs, shards int) (rows []tracing.Execution) {
	began := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	for run := range runs {
		for shard := range shards {
			at := began.Add(-time.Duration(run) * time.Minute)
			rows = append(rows, tracing.Execution{
				ID: fmt.Sprintf("%d-%d", run, shard), JobName: "mail", Item: shard, RunID: fmt.Sprintf("run-%d", run), Attempt: 1,
				StartTime: at, CompleteTime: at.Add(time.Second), Success: true,
			})
		}
	}
	return rows
}

// TestTheHistoryOfAJobThatIsStillBeingRead: its runs are read once where they are
// of a usual size, and nothing is concluded from a part of one.
func TestTheHistoryOfAJobThatIsStillBeingRead(t *testing.T) {
	t.Parallel()
	for shards, first := range map[int]int{1: 1, 10: 10, 100: 0} {
		history, b := &oneJob{rows: wentWell(30, shards)}, &board{}
		now := history.rows[0].StartTime.Add(time.Minute)
		look := func(j statistics.Job) (d *health.Digest, asked int) {
			history.asked = 0
			if err := b.learn(t.Context(), history, []statistics.Job{j}); err != nil {
				t.Fatal(err)
			}
			return b.look([]statistics.Job{j}, false, now).Digest(j.Name), history.asked
		}
		if d, asked := look(statistics.Job{Name: "mail", Status: statistics.StatusReading}); d.Shards != first || asked != 1 {
			t.Errorf("%d shards: after %d questions a run of %d, want %d", shards, asked, d.Shards, first)
		}
		if d, _ := look(statistics.Job{Name: "mail", Status: statistics.StatusOK, Shards: shards}); d.Shards != shards || d.Bad() {
			t.Errorf("%d shards: %+v", shards, d)
		}
	}
}

// TestADigestInUseStaysAsItIs: a change of the schedule makes another one.
func TestADigestInUseStaysAsItIs(t *testing.T) {
	t.Parallel()
	history, b := &oneJob{rows: wentWell(3, 2)}, &board{}
	j := statistics.Job{Name: "mail", Status: statistics.StatusOK, Shards: 2, Cron: "0 * * * * ?", TimeZone: "GMT", ReadySince: history.rows[0].StartTime}
	now := j.ReadySince.Add(time.Minute)
	if err := b.learn(t.Context(), history, []statistics.Job{j}); err != nil {
		t.Fatal(err)
	}
	first := b.look([]statistics.Job{j}, false, now).Digest(j.Name)
	was := *first
	if again := b.look([]statistics.Job{j}, false, now).Digest(j.Name); again != first {
		t.Error("another digest for the same schedule")
	}
	two := []statistics.Job{j, {Name: "other"}}
	of := func(jobs []statistics.Job) *health.Digest { return b.look(jobs, false, now).Digest(j.Name) }
	for _, list := range [][]statistics.Job{two, two, two[:1]} {
		if of(list) != first {
			t.Error("a list has another digest than its job")
		}
	}
	history.rows = wentWell(2, 2)
	if err := b.learn(t.Context(), history, two[:1]); err != nil {
		t.Fatal(err)
	}
	if of(two) == first {
		t.Error("what was learned is not seen by who looks at the same list")
	}
	history.rows = wentWell(3, 2)
	if err := b.learn(t.Context(), history, two[:1]); err != nil {
		t.Fatal(err)
	}
	first = of(two)
	j.Cron = "0 0 * * * ?"
	changed := b.look([]statistics.Job{j}, false, now).Digest(j.Name)
	if of([]statistics.Job{j, two[1]}) != changed {
		t.Error("another list has the digest of the one before")
	}
	if changed == first || !first.Same(&was) {
		t.Errorf("the digest in use was changed: %+v", first)
	}
	if d := b.look([]statistics.Job{{Name: "other"}}, false, now).Digest("other"); d == nil || !d.LastStart.IsZero() {
		t.Errorf("a job without runs: %+v", d)
	}
}
