package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// asker starts an agent without jobs, and returns the id of its session.
func (w *workshop) asker() (*member, int64) {
	w.Helper()
	before := w.fake.Sessions()
	m := w.agent(9).start()
	for _, s := range w.fake.Sessions() {
		if !slices.ContainsFunc(before, func(old zkfake.SessionInfo) bool { return old.ID == s.ID }) {
			return m, s.ID
		}
	}
	w.Fatal("the agent has no session")
	return nil, 0
}

// end is the result of AwaitRun, and when it returned.
type end struct {
	status jobrun.Run
	err    error
	at     time.Time
}

// awaits starts to wait for runs. The returned function returns their ends in the same order.
func (w *workshop) awaits(m *member, ids ...string) func() []end {
	ends := make([]end, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Hour)
			defer cancel()
			status, err := m.AwaitRun(ctx, "invoices", id)
			ends[i] = end{status, err, time.Now()}
		})
	}
	return func() []end {
		all.Wait()
		return ends
	}
}

// TestW05AwaitLearnsOfTheEndAtOnce: waiters should return when the run ends, from every state in
// which they can begin to wait, and for every kind of end.
func TestW05AwaitLearnsOfTheEndAtOnce(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, takes(3*time.Second+30*time.Millisecond))
		asker, _ := w.asker()
		m := w.open(1, coreagent.Job{}, props)
		if _, err := asker.AwaitRun(b.ctx(), "invoices", "unknown"); !errors.Is(err, coreagent.ErrUnknownRun) {
			t.Error(err)
		}
		first := w.submit(jobrun.Request{})
		synctest.Wait()
		second, cancelled := w.submit(jobrun.Request{Delay: time.Second}), w.submit(jobrun.Request{Delay: time.Hour})
		ends := w.awaits(asker, first, second, first, cancelled)
		own := w.awaits(m, second)
		time.Sleep(time.Minute)
		_, err := m.CancelRun(b.ctx(), "invoices", cancelled, "")
		b.must(err)
		for i, got := range append(ends(), own()...) {
			want := coreagent.StateSucceeded
			if i == 3 {
				want = coreagent.StateCancelled
			}
			if late := got.at.Sub(got.status.Ended); got.err != nil || got.status.State != want || late < 0 || late > 10*time.Millisecond {
				t.Errorf("%d: %+v, %v, %v after the end", i, got.status, got.err, late)
			}
		}
		for _, id := range []string{first, cancelled} {
			if got := w.awaits(asker, id)()[0]; got.err != nil || !got.status.State.Ended() {
				t.Errorf("a run that had ended before: %+v", got)
			}
		}
	})
}

// TestW05AwaitSurvives: AwaitRun should survive lost watches, connections and sessions.
func TestW05AwaitSurvives(t *testing.T) {
	t.Parallel()
	for name, during := range map[string]func(w *workshop, asker *member, session int64){
		"the event is lost": func(w *workshop, _ *member, session int64) {
			w.fake.SetWatchFault(func(e zkfake.WatchEvent) bool { return e.Session == session })
		},
		"connections drop":                  func(w *workshop, _ *member, _ int64) { w.fake.DropConnections() },
		"the session expires":               func(w *workshop, _ *member, session int64) { w.fake.ExpireSession(session) },
		"away during the end":               func(w *workshop, m *member, _ int64) { m.cut(); time.Sleep(15 * time.Second); m.reconnect() },
		"away during the end, session kept": func(w *workshop, m *member, _ int64) { m.cut(); time.Sleep(5 * time.Second); m.reconnect() },
		"ZooKeeper is away": func(w *workshop, _ *member, _ int64) {
			w.fake.Stop()
			time.Sleep(5 * time.Second)
			w.must(w.fake.Start())
		},
		"the answer is lost": func(w *workshop, _ *member, session int64) {
			once := false
			w.fake.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Session != session || r.Op != "getData" || once {
					return zkfake.None
				}
				once = true
				return zkfake.LoseReply
			})
		},
	} {
		for _, first := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				bubble(t, func(b *fixture, _ *zkfake.Server) {
					w := newWorkshop(b, takes(3*time.Second))
					w.open(1, coreagent.Job{Shards: 2}, map[string]string{runs.PropKeep: "0"})
					if !first {
						w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded)
					}
					asker, session := w.asker()
					id := w.submit(jobrun.Request{})
					ends := w.awaits(asker, id, id)
					time.Sleep(time.Second)
					during(w, asker, session)
					for _, got := range ends() {
						if got.err != nil || got.status.State != coreagent.StateSucceeded || got.status.Counts().OK != 2 {
							t.Errorf("%+v, %v", got.status, got.err)
						}
					}
				})
			})
		}
	}
}

// TestW05SmallRing: many runs end at once, and the job keeps one outcome or none. Each waiter
// should get the end of its run, even half a minute later.
func TestW05SmallRing(t *testing.T) {
	t.Parallel()
	for _, keep := range []string{"0", "1"} {
		t.Run(keep, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := newWorkshop(b, nil)
				w.open(1, coreagent.Job{Shards: 20}, with(oneEach, map[string]string{runs.PropKeep: keep}))
				asker, _ := w.asker()
				tickets, err := asker.SubmitMany(b.ctx(), "invoices", slices.Repeat([]coreagent.RunRequest{{Options: coreagent.RunOptions{Delay: time.Second}}}, 300))
				b.must(err)
				ids := make([]string, len(tickets))
				for i, ticket := range tickets {
					ids[i] = ticket.ID
				}
				early := w.awaits(asker, ids...)
				ends := early()
				time.Sleep(30 * time.Second)
				for i, got := range append(ends, w.awaits(asker, ids...)()...) {
					if got.err != nil || got.status.State != coreagent.StateSucceeded {
						t.Fatalf("%d: %+v, %v", i, got.status, got.err)
					}
				}
			})
		})
	}
}

// requests counts one session's requests and the events that it gets.
type requests struct {
	mu     sync.Mutex
	ops    map[string]int
	events int
}

func (w *workshop) countRequests(session int64) *requests {
	r := &requests{ops: make(map[string]int)}
	w.fake.SetFault(func(q zkfake.Request) zkfake.Fault {
		r.mu.Lock()
		defer r.mu.Unlock()
		if q.Session == session && q.Op != "ping" {
			r.ops[q.Op]++
		}
		return zkfake.None
	})
	w.fake.SetWatchFault(func(e zkfake.WatchEvent) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		if e.Session == session {
			r.events++
		}
		return false
	})
	return r
}

// take returns the counts since the last call.
func (r *requests) take() (ops map[string]int, all, events int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	ops, events = r.ops, r.events
	for _, n := range ops {
		all += n
	}
	r.ops, r.events = make(map[string]int), 0
	return ops, all, events
}

// TestW05ThousandWaiters: waiters should share their requests. When they begin, each folder should
// be read once, and while they're idle, once every half a minute. When the runs end, there should
// be one list per event and one read per outcome.
func TestW05ThousandWaiters(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{Shards: 10}, oneEach)
		asker, session := w.asker()
		tickets, err := asker.SubmitMany(b.ctx(), "invoices", slices.Repeat([]coreagent.RunRequest{{Options: coreagent.RunOptions{Delay: time.Hour}}}, 1000))
		b.must(err)
		ids := make([]string, len(tickets))
		for i, ticket := range tickets {
			ids[i] = ticket.ID
		}
		counted := w.countRequests(session)
		ends := w.awaits(asker, ids...)
		time.Sleep(time.Second)
		const folders = 32 + 3 // the buckets, the queue, the active runs, the outcomes
		if ops, all, _ := counted.take(); all > 2*folders {
			t.Errorf("%d requests to begin: %v", all, ops)
		}
		time.Sleep(29*time.Minute + 30*time.Second)
		if ops, all, _ := counted.take(); all > 60*folders {
			t.Errorf("%d requests in half an hour: %v", all, ops)
		}
		time.Sleep(30 * time.Minute)
		counted.take()
		for i, got := range ends() {
			if got.err != nil || got.status.State != coreagent.StateSucceeded {
				t.Fatalf("%d: %+v, %v", i, got.status, got.err)
			}
		}
		ops, _, events := counted.take()
		reads := ops["getData"]
		delete(ops, "getData")
		lists := 0
		for n := range maps.Values(ops) {
			lists += n
		}
		if reads != len(ids) || lists > events+4*folders {
			t.Errorf("%d outcomes read, and %v for %d events", reads, ops, events)
		}
	})
}

// TestW05NothingToWaitFor checks the errors of AwaitRun if it can't find out how the run ended.
func TestW05NothingToWaitFor(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		during func(w *workshop, asker *member, id string)
		want   error
		text   string
	}{
		"the outcome was dropped while ZooKeeper was away": {func(w *workshop, asker *member, id string) {
			asker.cut()
			time.Sleep(4 * time.Second)
			w.awaitState(id, jobrun.Succeeded)
			for _, name := range w.children(w.job.RunsDone()) {
				w.delete(w.job.RunsDone() + "/" + name)
			}
			asker.reconnect()
		}, coreagent.ErrOutcomeDropped, "has ended, but the registry has dropped its outcome"},
		"an operator deleted the nodes of the run": {func(w *workshop, _ *member, _ string) {
			for _, folder := range []string{w.job.RunsActive(), w.job.RunsQueue()} {
				for _, name := range w.children(folder) {
					w.must(w.client.DeleteAll(w.ctx(), folder+"/"+name))
				}
			}
		}, coreagent.ErrOutcomeDropped, ""},
		"the agent stops": {func(w *workshop, asker *member, _ string) { w.must(asker.Stop(w.ctx())) }, coreagent.ErrAgentClosed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				w := newWorkshop(b, takes(3*time.Second))
				w.open(1, coreagent.Job{}, nil)
				asker, _ := w.asker()
				id := w.submit(jobrun.Request{})
				ends := w.awaits(asker, id)
				time.Sleep(time.Second)
				c.during(w, asker, id)
				if got := ends()[0]; !errors.Is(got.err, c.want) || errors.Is(got.err, coreagent.ErrUnknownRun) || !strings.Contains(got.err.Error(), c.text) {
					t.Errorf("%+v, %v, want %v", got.status, got.err, c.want)
				}
			})
		})
	}
}

// TestW05StatusIsComplete: RunStatus should have the parameters and the results, and its counts
// should add up in every state.
func TestW05StatusIsComplete(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		failed := false
		w := newWorkshop(b, func(ctx context.Context, s *coreagent.Shard) error {
			if err := takes(time.Duration(1+s.Item)*10*time.Second)(ctx, s); err != nil {
				return err
			}
			if s.Item == 1 && !failed {
				failed = true
				return errPaper
			}
			return s.Result(s.Item)
		})
		props := map[string]string{runs.PropRetries: "1", runs.PropBackoff: "1m"}
		m := w.open(1, coreagent.Job{Shards: 3}, props)
		for n := range 2 {
			w.open(2+n, coreagent.Job{Shards: 3}, props)
		}
		b.await("each agent has a shard", func() bool { // Each should write its own end.
			return len(slices.Compact(slices.Sorted(slices.Values(b.owners("invoices"))))) == 3 && len(b.leftovers("invoices")) == 0
		})
		ticket, err := m.Submit(b.ctx(), "invoices", map[string]int{"year": 2026}, coreagent.RunOptions{Delay: 10 * time.Second})
		b.must(err)
		time.Sleep(5 * time.Second)
		for _, want := range []struct {
			state   coreagent.RunState
			attempt int
			counts  jobrun.Counts
		}{
			{coreagent.StateScheduled, 1, jobrun.Counts{}},
			{coreagent.StateRunning, 1, jobrun.Counts{Pending: 3}},
			{coreagent.StateRunning, 1, jobrun.Counts{Pending: 2, OK: 1}},
			{coreagent.StateRunning, 1, jobrun.Counts{Pending: 1, OK: 1, Failed: 1}},
			{coreagent.StateScheduled, 2, jobrun.Counts{}},
		} {
			got, err := m.RunStatus(b.ctx(), "invoices", ticket.ID)
			b.must(err)
			if got.State != want.state || got.Attempt != want.attempt || got.Counts() != want.counts ||
				got.Total > 0 != (want.state == coreagent.StateRunning) || string(got.Params) != `{"year":2026}` || !got.HasParams {
				t.Errorf("got %+v, want %+v", got, want)
			}
			time.Sleep(10 * time.Second)
		}
		got, err := m.AwaitRun(b.ctx(), "invoices", ticket.ID)
		b.must(err)
		want := map[int]json.RawMessage{0: json.RawMessage("0"), 1: json.RawMessage("1"), 2: json.RawMessage("2")}
		if !maps.EqualFunc(got.Results, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) || got.Counts() != (jobrun.Counts{OK: 3}) || got.Total != 3 ||
			string(got.Params) != `{"year":2026}` || !got.HasParams {
			t.Errorf("%+v", got)
		}
	})
}
