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

// workshop is a fleet that runs what is requested, and what its handlers did.
type workshop struct {
	*fixture
	store  runs.Store
	job    jobtree.Job
	handle func(ctx context.Context, s *coreagent.Shard) error

	mu      sync.Mutex
	done    []execution
	now     map[int][]time.Time // when the executions under way began, by shard
	most    int                 // at once
	overlap bool                // two of one shard
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

// requestedRun is the id of the requested run of a shard, "" for a fire time or a trigger.
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

// leave looks for an overlap as well. If an execution begins at the moment of virtual time at
// which another one ends, chance decides which goroutine comes first, so that's none. The caller
// holds the lock.
func (w *workshop) leave(shard int, began time.Time) {
	i := slices.IndexFunc(w.now[shard], began.Equal)
	w.now[shard] = slices.Delete(w.now[shard], i, i+1)
	w.overlap = w.overlap || slices.ContainsFunc(w.now[shard], func(other time.Time) bool { return other.Before(time.Now()) })
}

// executions are those of a run so far.
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
		if zk.Retriable(err) { // A test may have broken the connections a moment ago.
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

// awaitAttempt waits until shard 0 has begun: a run is running a moment earlier, and nothing is
// lost with a process that dies in that moment.
func (w *workshop) awaitAttempt(id string) {
	w.Helper()
	w.awaitState(id, jobrun.Running)
	w.await("shard 0 has begun", func() bool { return w.exists(w.job.ItemRunning(0)) })
}

// awaitNoRuns waits until no node of a run is left that must not outlive it.
func (w *workshop) awaitNoRuns() {
	w.Helper()
	w.await("nothing is left of the runs", func() bool {
		return len(w.children(w.job.RunsActive()))+len(w.children(w.job.RunsQueue())) == 0 && !w.exists(w.job.RunsBehind())
	})
	w.awaitTidy("invoices")
}

var oneEach = map[string]string{runs.PropAssign: string(jobrun.AssignOne)}

// TestR01RunWithParameters: the handler gets the parameters, once.
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

// TestR02DelayedRun begins within 50 ms after its time, and never before.
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

// TestR03CancelledWhileItWaits: it never runs.
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

// What the processes of a fleet ask ZooKeeper for because of one run that each of them
// takes part in.
const (
	// mostAsked is what one asks for: the bell, as it is rung for the request and for the
	// opened run; the record, the claim; the record, as others have written it since, and
	// the end.
	mostAsked = 6
	// mostAskedBySteward is what the one that opens the run asks for. It does not read the
	// record before its claim, as it has made it, but the request, together with the
	// switches of the shards and the records, and it opens the run.
	mostAskedBySteward = 7
	// lostRace is what each claim costs that is refused, because somebody else was faster
	// to claim: the record is read anew and claimed again.
	lostRace = 2
	// mostAskedToForget is what the steward asks for besides once as many runs have ended
	// as are kept: the records, as they come and go, the outcomes, and the removal of the
	// oldest.
	mostAskedToForget = 4
)

// TestR04EachShardOfAFleet: every shard runs once with the parameters, and it costs few
// requests, however many shards there are.
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
	w.awaitState(w.submit(jobrun.Request{}), jobrun.Succeeded) // The first one makes the nodes.
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
	if stewards != 1 || races > 3 { // One of three claims always succeeds.
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

// asked is what one process has asked ZooKeeper for.
type asked struct {
	all    []string
	claims int // tries to claim shards
	opened int // tries to open the run
}

// noteRequests notes what the sessions ask for from now on, by session, until end is called,
// which returns the notes. One of the sessions is left out.
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
		case r.Op == "multi" && strings.HasSuffix(r.Path, "/instance"): // It is checked whose the shards are.
			a.claims++
		case r.Op == "multi" && strings.HasSuffix(r.Path, "/runs/active/all"): // It is made.
			a.opened++
		}
		return zkfake.Fault{}
	})
	return func() map[int64]*asked {
		srv.SetFault(nil)
		mu.Lock()
		defer mu.Unlock()
		noted := by
		by = nil // A request that came a moment ago may not change the notes any more.
		return noted
	}
}

// TestR05OneShardForEachRun: never more at once than there are shards, never two on
// one.
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

// TestR06OneShardKeepsTheOrder: with one shard runs begin as they were submitted.
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

// TestR15CancelledWhileItRuns: the handler's context ends at once, and the run is never
// repeated.
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

// TestCancelsReadLittle: an agent reads the record of the run that was cancelled, however
// many it has; those of all of them, side by side, if it was named none, as by earlier
// versions, or has missed one.
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
		// At least two cancels come before each look at all the runs that are left: of 38, then
		// of 36 at most, and so on.
		if got := cancel(ids[2:]...); got > many*many/4 {
			t.Errorf("%d records were read for a burst of %d cancels, want %d at most", got, many-2, many*many/4)
		}
		srv.SetFault(nil)
		w.awaitNoRuns()
	})
}

// TestR16CancelledTooLate: a handler that is done before it looks at its context has
// succeeded, whatever was asked meanwhile.
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

// TestW16Origin: the origin of a requested run names the program and the person.
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
