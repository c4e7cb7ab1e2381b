package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// witnessOfRuns records the run and the attempt of each call of user code.
type witnessOfRuns struct {
	mu   sync.Mutex
	seen map[string]string
}

func (w *witnessOfRuns) note(who, run string, attempt int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[who] = fmt.Sprint(run, " ", attempt)
}

func (w *witnessOfRuns) Before(_ context.Context, r *coreagent.LocalRun) error {
	w.note("before", r.ID, r.Attempt)
	return nil
}

func (w *witnessOfRuns) After(_ context.Context, r *coreagent.LocalRun) error {
	w.note("after", r.ID, r.Attempt)
	return nil
}

func (w *witnessOfRuns) HandleError(_ context.Context, f coreagent.Failure) error {
	w.note("failure", f.RunID, f.Attempt)
	return nil
}

// TestW08EveryCallHasARun: a handler, the listeners and the error handler should get the same id
// and attempt as the row in the history. That should hold for a fire time, a trigger and a
// requested run.
func TestW08EveryCallHasARun(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(b *fixture, m *member){
		"a fire time": func(*fixture, *member) {},
		"a trigger":   func(_ *fixture, m *member) { m.triggerHere("job") },
		"a requested run": func(b *fixture, m *member) {
			_, err := m.Submit(b.ctx(), "job", nil, coreagent.RunOptions{})
			b.must(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := &witnessOfRuns{seen: make(map[string]string)}
				m := b.agent(1, func(c *coreagent.Config) {
					c.Listeners = []coreagent.Listener{{Name: "w", Before: w.Before, After: w.After}}
					c.ErrorHandlers = []coreagent.ErrorHandler{{Name: "w", Handle: w.HandleError}}
				})
				job := coreagent.Job{Name: "job", Shards: 1, Listeners: []coreagent.Listener{{Name: "w"}}, ErrorHandler: coreagent.ErrorHandler{Name: "w"}}
				if name == "a fire time" {
					job.Schedule.Cron = "0 * * * * ?"
				}
				m.serve(job, func(_ context.Context, s *coreagent.Shard) error {
					w.note("handler", s.Run.ID, s.Run.Attempt)
					return errors.New("it fails")
				}).start()
				b.awaitOwners("job", m.id)
				begin(b, m)
				b.await("the row", func() bool {
					rows := m.trace.executed("job")
					return len(rows) > 0 && !rows[len(rows)-1].CompleteTime.IsZero()
				})
				b.await("the end", func() bool {
					w.mu.Lock()
					defer w.mu.Unlock()
					return len(w.seen) == 4
				})
				row := m.trace.executed("job")[0]
				for _, who := range []string{"before", "handler", "failure", "after"} {
					if want := fmt.Sprint(row.RunID, " ", 1); w.seen[who] != want || row.RunID == "" || row.Attempt != 1 {
						b.Errorf("%s: got %q, want %q as in the row", who, w.seen[who], want)
					}
				}
			})
		})
	}
}
