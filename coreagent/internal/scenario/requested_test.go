package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// workshop is a fleet for requested runs that records its handlers' calls.
type workshop struct {
	*fixture
	store  runs.Store
	job    jobtree.Job
	handle func(ctx context.Context, s *coreagent.Shard) error

	mu      sync.Mutex
	done    []execution
	now     map[int][]time.Time // start times of the current executions, by shard
	most    int                 // the most at once
	overlap bool                // two on one shard
}

// execution is one call of the handler.
type execution struct {
	run    string
	shard  int
	params string
	began  time.Time
	token  int64
	on     string
	err    error
}

func newWorkshop(b *fixture, handle func(ctx context.Context, s *coreagent.Shard) error) *workshop {
	if handle == nil {
		handle = func(context.Context, *coreagent.Shard) error { return nil }
	}
	tree := b.tree.Job("invoices")
	return &workshop{fixture: b, store: runs.Store{Client: b.client, Tree: tree, Now: time.Now}, job: tree, handle: handle, now: make(map[int][]time.Time)}
}

// open starts the n-th agent of the fleet.
func (w *workshop) open(n int, job coreagent.Job, props map[string]string) *member {
	w.Helper()
	m := w.agent(n)
	job.Name = "invoices"
	if job.Shards == 0 {
		job.Shards = 1
	}
	job.Props = props
	m.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error { return w.work(ctx, m.id, s) })
	m.start()
	return m
}

// requestedRun returns the id of a shard's requested run, or "" for a fire time or a trigger.
func requestedRun(s *coreagent.Shard) string {
	if !s.Run.Requested {
		return ""
	}
	return s.Run.ID
}

func (w *workshop) work(ctx context.Context, on string, s *coreagent.Shard) error {
	began := w.enter(s.Item)
	err := w.handle(ctx, s)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.leave(s.Item, began)
	w.done = append(w.done, execution{requestedRun(s), s.Item, string(s.Run.Params), began, s.FencingToken, on, err})
	return err
}

func (w *workshop) enter(shard int) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	w.now[shard] = append(w.now[shard], began)
	under := 0
	for _, list := range w.now {
		under += len(list)
	}
	w.most = max(w.most, under)
	return began
}

// leave also looks for an overlap. If an execution begins at the same moment of virtual time at
// which another one ends, the order of the two goroutines is random, so that isn't an overlap. The
// caller holds the lock.
func (w *workshop) leave(shard int, began time.Time) {
	i := slices.IndexFunc(w.now[shard], began.Equal)
	w.now[shard] = slices.Delete(w.now[shard], i, i+1)
	w.overlap = w.overlap || slices.ContainsFunc(w.now[shard], func(other time.Time) bool { return other.Before(time.Now()) })
}

// executions returns the executions of a run so far.
func (w *workshop) executions(id string) []execution {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.done), func(e execution) bool { return e.run != id })
}

func (w *workshop) submit(r jobrun.Request) string {
	w.Helper()
	t, err := w.store.Submit(w.ctx(), r)
	w.must(err)
	return t.ID
}

func (w *workshop) status(id string) runs.Status {
	w.Helper()
	for {
		s, err := w.store.Get(w.ctx(), id)
		if zk.Retriable(err) { // The test may just have broken the connections.
			w.must(w.client.AwaitConnected(w.ctx()))
			continue
		}
		w.must(err)
		return s
	}
}

func (w *workshop) awaitState(id string, state jobrun.State) runs.Status {
	w.Helper()
	var last runs.Status
	defer func() {
		if last.State != state {
			w.Logf("run %s: %+v", id, last)
		}
	}()
	w.await(fmt.Sprintf("run %s is %s", id, state), func() bool { last = w.status(id); return last.State == state })
	return last
}

// awaitAttempt waits until shard 0 has begun. A run is in the state running slightly earlier, but
// then a process that dies would lose nothing.
func (w *workshop) awaitAttempt(id string) {
	w.Helper()
	w.awaitState(id, jobrun.Running)
	w.await("shard 0 has begun", func() bool { return w.exists(w.job.ItemRunning(0)) })
}

// awaitNoRuns waits until there's no node left that must not outlive its run.
func (w *workshop) awaitNoRuns() {
	w.Helper()
	w.await("nothing is left of the runs", func() bool {
		return len(w.children(w.job.RunsActive()))+len(w.children(w.job.RunsQueue())) == 0 && !w.exists(w.job.RunsBehind())
	})
	w.awaitTidy("invoices")
}

var oneEach = map[string]string{runs.PropAssign: string(jobrun.AssignOne)}

// TestR01RunWithParameters: the handler should get the parameters, once.
func TestR01RunWithParameters(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, nil)
		id := w.submit(jobrun.Request{Params: json.RawMessage(`{"month":"2026-10"}`)})
		done := w.awaitState(id, jobrun.Succeeded)
		if got := w.executions(id); len(got) != 1 || got[0].params != `{"month":"2026-10"}` {
			t.Errorf("executed: %+v", got)
		}
		if done.CountOK != 1 || done.Attempt != 1 {
			t.Errorf("ended as %+v", done)
		}
		w.awaitNoRuns()
		if got := w.children(w.job.Runs()); !slices.Equal(got, []string{"active", "bell", "cancels", "done", "due", "keys", "queue", "steward"}) {
			t.Errorf("left: %q", got)
		}
	})
}

// TestR02DelayedRun: the run should begin at most 50 ms after its time, and never before.
func TestR02DelayedRun(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, nil)
		asked := time.Now()
		id := w.submit(jobrun.Request{Delay: 5 * time.Second})
		time.Sleep(4 * time.Second)
		if got := w.status(id).State; got != jobrun.Scheduled {
			t.Errorf("it is %s before its time", got)
		}
		w.awaitState(id, jobrun.Succeeded)
		got := w.executions(id)
		if len(got) != 1 {
			t.Fatalf("executed: %+v", got)
		}
		if late := got[0].began.Sub(asked.Add(5 * time.Second)); late < 0 || late > 50*time.Millisecond {
			t.Errorf("it began %v after its time", late)
		}
	})
}

// TestR03CancelledWhileItWaits: the run should never start.
func TestR03CancelledWhileItWaits(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		w.open(1, coreagent.Job{}, nil)
		id := w.submit(jobrun.Request{Delay: 5 * time.Second})
		time.Sleep(2 * time.Second)
		state, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root", Reason: "wrong month"})
		if err != nil || state != jobrun.Cancelled {
			t.Fatalf("%s, %v", state, err)
		}
		time.Sleep(10 * time.Second)
		if got := w.executions(id); len(got) > 0 {
			t.Errorf("executed: %+v", got)
		}
		if got := w.status(id); got.State != jobrun.Cancelled || got.Reason != "cancelled by root: wrong month" {
			t.Errorf("%+v", got)
		}
	})
}

// The requests that the processes of a fleet may send for one run on all shards.
const (
	// mostAsked is the maximum per process: it reads the bell after the request and after the
	// opening, reads the record, claims its shards, reads the record again because others have
	// changed it, and writes the end.
	mostAsked = 6
	// mostAskedBySteward is the maximum for the steward. It doesn't read the record before its
	// claim, because it has written it. But it reads the request together with the disabled shards
	// and the records, and it opens the run.
	mostAskedBySteward = 7
	// lostRace is the cost of each claim that's refused because another process was faster: reading
	// the record and claiming again.
	lostRace = 2
	// mostAskedToForget is the additional cost for the steward when the maximum number of outcomes
	// is reached: it reads the records twice as they come and go, reads the outcomes, and removes
	// the oldest one.
	mostAskedToForget = 4
)

// TestR04EachShardOfAFleet: every shard should run once with the parameters, and that should cost
// few requests, no matter how many shards there are.
func TestR04EachShardOfAFleet(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{6, 30} {
		bubble(t, func(b *fixture, srv *zkfake.Server) { eachShardOfAFleet(b, srv, shards, 100) })
	}
	bubble(t, func(b *fixture, srv *zkfake.Server) { eachShardOfAFleet(b, srv, 6, 1) })
}

func eachShardOfAFleet(b *fixture, srv *zkfake.Server, shards, keep int) {
	w := newWorkshop(b, func(_ context.Context, s *coreagent.Shard) error {
		time.Sleep(time.Duration(s.Item+1) * 10 * time.Millisecond)
		return nil
	})
	for n := 1; n <= 3; n++ {
		w.open(n, coreagent.Job{Shards: shards}, map[string]string{runs.PropKeep: strconv.Itoa(keep)})
	}
	w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded) // The first run creates the nodes.
	time.Sleep(10 * time.Second)
	end := noteRequests(srv, b.client.Session().ID)
	id := w.submit(jobrun.Request{Params: json.RawMessage(`{"a":1}`)})
	time.Sleep(3 * time.Second)
	asked := end()
	if len(asked) != 3 {
		b.Errorf("%d processes have asked, want 3", len(asked))
	}
	races, stewards := 0, 0
	for _, a := range asked {
		most := mostAsked + lostRace*(a.claims-1)
		if a.opened > 0 {
			most = mostAskedBySteward + lostRace*(a.claims-1)
			if keep == 1 {
				most += mostAskedToForget
			}
			stewards++
		}
		races += a.claims - 1
		if len(a.all) > most || a.claims == 0 {
			b.Errorf("%d shards: a process that has tried to claim %d times has asked %d times, want at most %d:\n%s", shards, a.claims, len(a.all), most, strings.Join(a.all, "\n"))
		}
	}
	if stewards != 1 || races > 3 { // One of three concurrent claims always succeeds.
		b.Errorf("%d processes have opened the run, %d claims were refused; want 1, and at most 3", stewards, races)
	}
	w.awaitState(id, jobrun.Succeeded)
	var ran []int
	for _, e := range w.executions(id) {
		ran = append(ran, e.shard)
		if e.params != `{"a":1}` {
			b.Errorf("%+v", e)
		}
	}
	slices.Sort(ran)
	for n := range shards {
		if len(ran) != shards || ran[n] != n {
			b.Fatalf("shards %v ran, want each of %d once", ran, shards)
		}
	}
	w.awaitNoRuns()
}

// asked counts the requests of one process.
type asked struct {
	all    []string
	claims int // attempts to claim shards
	opened int // attempts to open the run
}

// noteRequests records all requests by session, without one session, until end is called. end
// returns the record.
func noteRequests(srv *zkfake.Server, but int64) (end func() map[int64]*asked) {
	var mu sync.Mutex
	by := make(map[int64]*asked)
	srv.SetFault(func(r zkfake.Request) zkfake.Fault {
		mu.Lock()
		defer mu.Unlock()
		if r.Op == "ping" || r.Session == but || by == nil {
			return zkfake.Fault{}
		}
		a := by[r.Session]
		if a == nil {
			a = new(asked)
			by[r.Session] = a
		}
		a.all = append(a.all, fmt.Sprintf("%s %s", r.Op, r.Path))
		switch {
		case r.Op == "multi" && strings.HasSuffix(r.Path, "/instance"): // It checks the owners of the shards.
			a.claims++
		case r.Op == "multi" && strings.HasSuffix(r.Path, "/runs/active/all"): // It creates the record.
			a.opened++
		}
		return zkfake.Fault{}
	})
	return func() map[int64]*asked {
		srv.SetFault(nil)
		mu.Lock()
		defer mu.Unlock()
		noted := by
		by = nil // A late request must not change the result any more.
		return noted
	}
}

// TestR05OneShardForEachRun: there should never be more runs at once than shards, and never two on
// one shard.
func TestR05OneShardForEachRun(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { time.Sleep(time.Second); return nil })
		for n := 1; n <= 3; n++ {
			w.open(n, coreagent.Job{Shards: 6}, oneEach)
		}
		var ids []string
		for range 200 {
			ids = append(ids, w.submit(jobrun.Request{}))
		}
		w.await("all have ended", func() bool { return len(w.children(w.job.RunsActive())) == 0 && len(w.doneAll()) >= 200 })
		for _, id := range ids {
			if got := w.executions(id); len(got) != 1 {
				t.Errorf("run %s: %+v", id, got)
			}
		}
		if w.most > 6 || w.overlap {
			t.Errorf("%d at once, two on one shard: %t", w.most, w.overlap)
		}
		w.awaitNoRuns()
	})
}

func (w *workshop) doneAll() []execution {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.done)
}

// TestR06OneShardKeepsTheOrder: with one shard, runs should begin in the order of their requests.
func TestR06OneShardKeepsTheOrder(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		length := 0
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error {
			length = (length*31 + 17) % 97
			time.Sleep(time.Duration(length) * time.Millisecond)
			return nil
		})
		w.open(1, coreagent.Job{}, oneEach)
		var want []string
		for range 50 {
			want = append(want, w.submit(jobrun.Request{}))
			time.Sleep(5 * time.Millisecond)
		}
		w.await("all have ended", func() bool { return len(w.doneAll()) == 50 })
		var got []string
		for _, e := range w.doneAll() {
			got = append(got, e.run)
		}
		if !slices.Equal(got, want) {
			t.Errorf("another order:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		w.awaitNoRuns()
	})
}

// TestR15CancelledWhileItRuns: the handler's context should end at once, and the run should never
// be repeated.
func TestR15CancelledWhileItRuns(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			var ended time.Time
			w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error {
				<-ctx.Done()
				ended = time.Now()
				return context.Cause(ctx)
			})
			w.open(1, coreagent.Job{}, props)
			id := w.submit(jobrun.Request{})
			w.awaitState(id, jobrun.Running)
			synctest.Wait()
			asked := time.Now()
			state, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"})
			if err != nil || state != jobrun.Running {
				t.Fatalf("%s: %s, %v", name, state, err)
			}
			w.awaitState(id, jobrun.Cancelled)
			if took := ended.Sub(asked); took > 50*time.Millisecond {
				t.Errorf("%s: the context ended after %v", name, took)
			}
			if got := w.executions(id); len(got) != 1 || got[0].err.Error() != coreagent.ErrCancelled.Error() {
				t.Errorf("%s: %+v", name, got)
			}
			w.awaitNoRuns()
		})
	}
}

// TestCancelsReadLittle: for a cancel, an agent should only read the record of that run, no matter
// how many runs it has. If the cancel names no run, as in earlier versions, or the agent has missed
// one, it should read all its records in parallel.
func TestCancelsReadLittle(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		const many = 40
		w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error { <-ctx.Done(); return context.Cause(ctx) })
		w.open(1, coreagent.Job{Shards: many}, oneEach)
		var ids []string
		for range many {
			ids = append(ids, w.submit(jobrun.Request{}))
		}
		for _, id := range ids {
			w.awaitState(id, jobrun.Running)
		}
		synctest.Wait()
		var mu sync.Mutex
		read := 0
		srv.SetFault(func(r zkfake.Request) zkfake.Fault {
			mu.Lock()
			defer mu.Unlock()
			if r.Session != b.client.Session().ID && r.Op == "getData" && strings.HasPrefix(r.Path, w.job.RunsActive()+"/") && r.Path != w.job.RunsActiveAll() {
				read++
			}
			return zkfake.Fault{}
		})
		cancel := func(ids ...string) int {
			for _, id := range ids {
				_, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"})
				w.must(err)
			}
			synctest.Wait()
			for _, id := range ids {
				w.awaitState(id, jobrun.Cancelled)
			}
			mu.Lock()
			defer mu.Unlock()
			defer func() { read = 0 }()
			return read
		}
		if got := cancel(ids[0]); got != 1 {
			t.Errorf("%d records were read for one cancel, want 1", got)
		}
		_, err := b.client.Set(b.ctx(), w.job.RunsCancels(), nil, zk.AnyVersion)
		w.must(err)
		if got := cancel(ids[1]); got < many-2 {
			t.Errorf("%d records were read for a cancel behind one that says nothing, want %d", got, many-1)
		}
		// There are at least two cancels per check of the remaining runs, so it reads 38 records,
		// then 36 at most, and so on.
		if got := cancel(ids[2:]...); got > many*many/4 {
			t.Errorf("%d records were read for a burst of %d cancels, want %d at most", got, many-2, many*many/4)
		}
		srv.SetFault(nil)
		w.awaitNoRuns()
	})
}

// TestR16CancelledTooLate: if a handler finishes before it looks at its context, the run should
// succeed even if it was cancelled.
func TestR16CancelledTooLate(t *testing.T) {
	t.Parallel()
	for name, props := range map[string]map[string]string{"each": nil, "one": oneEach} {
		bubble(t, func(b *fixture, _ *zkfake.Server) {
			w := newWorkshop(b, func(ctx context.Context, _ *coreagent.Shard) error {
				<-ctx.Done()
				return nil
			})
			w.open(1, coreagent.Job{}, props)
			id := w.submit(jobrun.Request{})
			b.await("the shard is claimed", func() bool { return b.exists(w.job.ItemRunning(0)) })
			if _, err := w.store.Cancel(b.ctx(), id, jobtree.RunCancel{By: "root"}); err != nil {
				t.Fatal(err)
			}
			if got := w.awaitState(id, jobrun.Succeeded); len(w.executions(id)) != 1 || got.Reason != "the request to cancel it came too late" {
				t.Errorf("%s: %+v after %+v", name, got, w.executions(id))
			}
			w.awaitNoRuns()
		})
	}
}

// TestW16Origin: the origin of a requested run should name the program and the person.
func TestW16Origin(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		m := b.agent(1, func(c *coreagent.Config) { c.Program = "billing" })
		m.HandleFunc(coreagent.Job{Name: "invoices", Shards: 1}, func(ctx context.Context, s *coreagent.Shard) error { return w.work(ctx, m.id, s) })
		m.start()
		for by, want := range map[string]jobrun.By{
			"":     {Kind: "code", Name: "billing", From: m.id},
			"anna": {Kind: "code", Name: "anna", From: "billing " + m.id},
		} {
			ticket, err := m.Submit(b.ctx(), "invoices", nil, coreagent.RunOptions{By: by, Delay: time.Hour})
			b.must(err)
			if got := w.status(ticket.ID).By; got != want {
				b.Errorf("asked by %q: %+v, want %+v", by, got, want)
			}
			_, err = m.CancelRun(b.ctx(), "invoices", ticket.ID, "wrong month")
			b.must(err)
			if got, want := w.status(ticket.ID).Reason, "cancelled by billing "+m.id+": wrong month"; got != want {
				b.Errorf("%q, want %q", got, want)
			}
		}
		for _, wrong := range []string{"two\nlines", strings.Repeat("x", 101), "\xff"} {
			if _, err := m.Submit(b.ctx(), "invoices", nil, coreagent.RunOptions{By: wrong}); !errors.Is(err, coreagent.ErrRunOptions) {
				b.Errorf("by %q: %v", wrong, err)
			}
		}
	})
}
