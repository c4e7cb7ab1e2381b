package scenario_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// runLog is a fleet's history of requested runs, as in a database.
type runLog struct {
	mu       sync.Mutex
	runs     map[string]tracing.RunRecord
	steps    map[string]tracing.RunStep // by id
	lines    []tracing.LogLine
	progress map[string]tracing.Progress // by execution
}

func (h *runLog) keep(r tracing.RunRecord) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.runs == nil {
		h.runs = make(map[string]tracing.RunRecord)
	}
	if r.Order() >= h.runs[r.ID].Order() {
		h.runs[r.ID] = r
	}
}

func (h *runLog) keepStep(s tracing.RunStep) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.steps == nil {
		h.steps = make(map[string]tracing.RunStep)
	}
	h.steps[s.ID] = s
}

func (h *runLog) keepLine(l tracing.LogLine) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, l)
}

func (h *runLog) keepProgress(p tracing.Progress) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.progress == nil {
		h.progress = make(map[string]tracing.Progress)
	}
	h.progress[p.ExecutionID] = p
}

func (h *runLog) run(id string) tracing.RunRecord {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.runs[id]
}

// stepsOf returns the steps of a run, one per line.
func (h *runLog) stepsOf(id string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var steps []tracing.RunStep
	for _, s := range h.steps {
		if s.RunID == id {
			steps = append(steps, s)
		}
	}
	slices.SortFunc(steps, tracing.RunStep.Compare)
	var texts []string
	for _, s := range steps {
		texts = append(texts, strings.TrimSpace(fmt.Sprintf("%d %s by %s: %s", s.Attempt, s.State, s.Actor, s.Message)))
	}
	return texts
}

// linesOf returns the lines of a run's log, ordered by shard and attempt.
func (h *runLog) linesOf(id string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	lines := slices.DeleteFunc(slices.Clone(h.lines), func(l tracing.LogLine) bool { return l.RunID != id })
	slices.SortFunc(lines, func(a, b tracing.LogLine) int {
		return cmp.Or(cmp.Compare(a.Item, b.Item), cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(a.Seq, b.Seq))
	})
	var texts []string
	for _, l := range lines {
		texts = append(texts, fmt.Sprintf("%d/%d %s %s", l.Item, l.Attempt, l.Level, l.Message))
	}
	return texts
}

// TestHistoryOfARun: the history should contain the run's states with who, when and why, everything
// that its handlers log, and their progress and results.
func TestHistoryOfARun(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		log := slog.New(coreagent.LogHandler(slog.DiscardHandler))
		w := newWorkshop(b, func(ctx context.Context, s *coreagent.Shard) error {
			s.Log.InfoContext(ctx, "begins", "attempt", s.Run.Attempt)
			s.Progress(0.5, "half")
			log.WarnContext(ctx, "the slow part")
			time.Sleep(10 * time.Second)
			b.must(s.Result(map[string]int{"rows": s.Item + s.Run.Attempt}))
			if s.Item == 1 && s.Run.Attempt == 1 {
				return errors.New("no paper")
			}
			s.Progress(1, "")
			return nil
		})
		m := w.open(1, coreagent.Job{Shards: 2}, map[string]string{runs.PropRetries: "1", runs.PropBackoff: "5s"})
		id := w.submit(jobrun.Request{Params: []byte(`{"month":"2026-10"}`), Note: "for the auditor"})
		w.awaitState(id, jobrun.Succeeded)
		w.awaitNoRuns()
		run := b.requested.run(id)
		if run.State != "succeeded" || run.Attempt != 2 || run.OK != 2 || run.Params != `{"month":"2026-10"}` || run.Note != "for the auditor" ||
			run.JobName != "invoices" || run.Result != `{"0":{"rows":1},"1":{"rows":3}}` || run.Submitted.IsZero() || run.Started.IsZero() || run.Ended.IsZero() {
			t.Errorf("%+v", run)
		}
		want := []string{
			"1 running by " + m.id + ": shards 0, 1",
			"2 scheduled by " + m.id + ": attempt 2 of 2 follows: no paper",
			"2 queued by " + m.id + ":",
			"2 running by " + m.id + ": shard 1",
			"2 succeeded by " + m.id + ":",
		}
		if got := b.requested.stepsOf(id); !slices.Equal(got, want) {
			t.Errorf("steps\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		lines := []string{
			"0/1 INFO begins attempt=1", "0/1 WARN the slow part", "1/1 INFO begins attempt=1", "1/1 WARN the slow part",
			"1/2 INFO begins attempt=2", "1/2 WARN the slow part",
		}
		if got := b.requested.linesOf(id); !slices.Equal(got, lines) {
			t.Errorf("the log is %q", got)
		}
		var far []string
		for _, p := range b.requested.progress {
			far = append(far, fmt.Sprintf("%d/%d %v %s", p.Item, p.Attempt, p.Fraction, p.Message))
		}
		slices.Sort(far)
		if want := []string{"0/1 1 ", "1/1 0.5 half", "1/2 1 "}; !slices.Equal(far, want) {
			t.Errorf("progress %q", far)
		}
	})
}

// TestW28LogOfAFireTime: a fire time should keep its handlers' lines exactly as a requested run does. A job that is
// Unlogged keeps none, but its progress.
func TestW28LogOfAFireTime(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		handle := func(ctx context.Context, s *coreagent.Shard) error {
			if s.Item == 0 { // The other shard writes nothing.
				for i := range 15 {
					s.Log.InfoContext(ctx, "page sent", "page", i)
				}
				s.Progress(1, "")
			}
			return errors.New("no paper")
		}
		job := coreagent.Job{Name: "nightly", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 2}
		quiet := coreagent.Job{Name: "quiet", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 1, Unlogged: true}
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.RunLog.Lines = 10 })
		m.HandleFunc(job, handle)
		m.HandleFunc(quiet, handle)
		m.start()
		var rows []tracing.Execution
		b.await("both jobs have run", func() bool {
			rows = m.trace.executed("nightly")
			return len(rows) >= 4 && len(m.trace.executed("quiet")) >= 2
		})
		b.must(m.Stop(b.ctx()))
		run := rows[0]
		if run.RunID == "" || run.Trigger != tracing.TriggerSchedule {
			t.Fatalf("%+v", run)
		}
		first := slices.DeleteFunc(slices.Clone(b.requested.lines), func(l tracing.LogLine) bool { return l.RunID != run.RunID })
		if len(first) != 15 { // Ten lines, and the last five from the end.
			t.Errorf("%d lines of one fire time: %+v", len(first), first)
		}
		for i, l := range first {
			if l.JobName != "nightly" || l.Item != 0 || l.Attempt != 1 || l.Seq != i+1 || l.Message != fmt.Sprintf("page sent page=%d", i) {
				t.Errorf("line %d is %+v", i, l)
			}
			if !slices.ContainsFunc(rows, func(e tracing.Execution) bool { return e.ID == l.ExecutionID && e.Item == 0 }) {
				t.Errorf("no execution has line %d: %+v", i, l)
			}
		}
		for _, p := range b.requested.progress {
			if p.JobName == "quiet" {
				return
			}
		}
		t.Errorf("the progress of the quiet job is missing: %+v", b.requested.progress)
	})
}

// TestHistoryOfEnds: the end of a run should be recorded no matter who wrote it, even a console,
// which keeps no history, and even if the answer was lost.
func TestHistoryOfEnds(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, oneEach)
		recorded := func(id string, state jobrun.State, reason string) {
			t.Helper()
			w.awaitState(id, state)
			b.await(string(state)+" is recorded", func() bool { return b.requested.run(id).State == state })
			steps := b.requested.stepsOf(id)
			if last := steps[len(steps)-1]; !strings.Contains(last, string(state)) || !strings.HasSuffix(last, reason) || b.requested.run(id).Reason != reason {
				t.Errorf("%q, %+v", steps, b.requested.run(id))
			}
		}
		later := w.submit(jobrun.Request{Delay: time.Hour})
		_, err := w.store.Cancel(b.ctx(), later, jobtree.RunCancel{By: "root", Reason: "a mistake"})
		b.must(err)
		recorded(later, jobrun.Cancelled, "cancelled by root: a mistake")

		var lost atomic.Bool
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			if r.Op == "multi" && strings.Contains(r.Path, "/active/0") && r.Session != b.client.Session().ID && !lost.Swap(true) {
				return zkfake.LoseReply
			}
			return zkfake.None
		})
		unanswered := w.submit(jobrun.Request{})
		recorded(unanswered, jobrun.Succeeded, "")
	})
}

// TestHistoryOfALoss: lost shards should be a step, and so should a cancel.
func TestHistoryOfALoss(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		b.session = 4 * time.Second
		w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error { <-ctx.Done(); return context.Cause(ctx) })
		m := w.open(1, coreagent.Job{}, props)
		id := w.submit(jobrun.Request{})
		w.awaitAttempt(id)
		other := w.open(2, coreagent.Job{}, props)
		m.kill()
		b.await("the other one runs it", func() bool {
			owner, _ := b.get(w.job.ItemRunning(0))
			return owner == other.id
		})
		_, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"})
		b.must(err)
		w.awaitState(id, jobrun.Cancelled)
		w.awaitNoRuns()
		steps := strings.Join(b.requested.stepsOf(id), "\n")
		for _, want := range []string{
			"1 running by " + m.id, "1 lost by " + other.id + ": " + m.id + " lost its session during the run: shard 0", "1 cancelling by root:", "1 cancelled by " + other.id + ": cancelled by root",
		} {
			if !strings.Contains(steps, want) {
				t.Errorf("no step %q in\n%s", want, steps)
			}
		}
	})
}

// moveCounter keeps what an agent reports about requested runs.
type moveCounter struct {
	mu      sync.Mutex
	moves   []string
	waiting []string
}

func (c *moveCounter) Observe(what coreagent.Observation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch o := what.(type) {
	case coreagent.RunMoved:
		c.moves = append(c.moves, fmt.Sprintf("%s %d after %v, took %v", o.State, o.Attempt, o.Waited, o.Took))
	case coreagent.RunsWaiting:
		c.waiting = append(c.waiting, fmt.Sprintf("%d scheduled, %d queued", o.Scheduled, o.Queued))
	}
}

// TestRunsAreCounted: each state change of a run should be observed once, and so should the number
// of waiting runs, even if the agent keeps no history.
func TestRunsAreCounted(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
			time.Sleep(time.Second)
			if s.Run.Attempt == 1 {
				return errors.New("no paper")
			}
			return nil
		})
		var counted moveCounter
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.Tracing, cfg.Observer = nil, &counted })
		m.HandleFunc(coreagent.Job{Name: "invoices", Shards: 1, Props: map[string]string{runs.PropRetries: "1", runs.PropBackoff: "10s"}},
			func(ctx context.Context, s *coreagent.Shard) error { return w.work(ctx, m.id, s) })
		m.start()
		w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
		later := w.submit(jobrun.Request{Delay: time.Hour})
		b.await("one waits", func() bool {
			counted.mu.Lock()
			defer counted.mu.Unlock()
			return slices.Contains(counted.waiting, "1 scheduled, 0 queued")
		})
		_, err := w.store.Cancel(b.ctx(), later, jobtree.RunCancel{By: "root"})
		b.must(err)
		b.await("its end is counted", func() bool { counted.mu.Lock(); defer counted.mu.Unlock(); return len(counted.moves) == 5 })
		b.must(m.Stop(b.ctx())) // By then all events have been delivered.
		for i, want := range []string{"running 1 after 0s, took 0s", "scheduled 2 after 0s", "running 2 after 0s, took 0s", "succeeded 2 after 0s, took 1", "cancelled 1 after 0s, took 0s"} {
			if !strings.HasPrefix(counted.moves[i], want) {
				t.Errorf("move %d is %q, want %q", i, counted.moves[i], want)
			}
		}
		if last := counted.waiting[len(counted.waiting)-1]; last != "0 scheduled, 0 queued" {
			t.Errorf("at the end %q: %q", last, counted.waiting)
		}
	})
}
