package requested

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes/nodestest"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const id, another = "10.0.0.1@-@1", "10.0.0.9@-@1"

// job is a job with two shards of this instance. It sends the claims of slots to started.
type job struct {
	mu      sync.Mutex
	view    *view.View
	changed chan struct{}
	full    bool // there is no place for a handler
	waits   int  // waits for a place

	offered chan struct{}
	started chan *Claim
}

func (j *job) ID() string { return id }

func (j *job) View() (*view.View, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.view, j.changed
}

func (j *job) Guard(_ string, fn func()) bool   { fn(); return true }
func (j *job) Offer()                           { j.offered <- struct{}{} }
func (j *job) Free(v *view.View) []view.Shard   { return slices.Clone(v.Shards) }
func (j *job) Limited() (limited, slow bool)    { return true, false }
func (j *job) WaitForPlace([]int) (over func()) { j.wait(1); return func() { j.wait(-1) } }
func (j *job) Slot(*view.View, view.Shard) (Slot, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.full {
		return nil, true
	}
	return slot{j}, false
}

func (j *job) wait(by int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.waits += by
}

func (j *job) waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.waits
}

type slot struct{ j *job }

func (slot) ResolveNames() error { return nil }
func (slot) Cancel(error)        {}
func (s slot) Start(c *Claim)    { s.j.started <- c }
func (slot) Release()            {}

// world is a job on a simulated server, and the activity for its runs.
type world struct {
	*nodes.Nodes
	a     *Activity
	j     *job
	store runs.Store
}

// inBubble runs a test in a bubble with an activity that has noticed the first run. Every shard
// takes part in a run, or one shard has it, depending on props.
func inBubble(t *testing.T, props map[string]string, test func(t *testing.T, w *world)) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		log := slog.New(slog.DiscardHandler)
		n := nodestest.Connect(t, srv, log)
		config := jobconfig.New("job", 2)
		config.MonitorExecution, config.Props = true, props
		document, err := config.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Client.CreateAll(t.Context(), n.Tree.Config(), document, zk.Persistent); err != nil {
			t.Fatal(err)
		}
		namespace, err := jobtree.NewNamespace("ns")
		if err != nil {
			t.Fatal(err)
		}
		h := &host.Host{Client: n.Client, Tree: namespace, IP: "10.0.0.1", Suffix: "1", Log: log, Recorder: tracing.Discard}
		h.Open()
		defer h.Close()
		for path, data := range map[string][]byte{
			n.Tree.Instance(id): nil, n.Agent(id): h.Announcement(), n.Tree.Server("10.0.0.1"): []byte(jobtree.ServerEnabled),
			n.Tree.ItemInstance(0): []byte(id), n.Tree.ItemInstance(1): []byte(id),
		} {
			if err := n.Create(t.Context(), path, data, zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		tree := view.NewTree(n, "10.0.0.1", jobtree.Hold{}, time.Now, func() {})
		defer tree.Close()
		tree.WatchChildren(n.Tree.Instances())
		tree.WatchShards(config, []int{0, 1})
		tree.WatchFlag(n.Tree.RunsSignal())
		j := &job{changed: make(chan struct{}), offered: make(chan struct{}, 100), started: make(chan *Claim, 100)}
		life, end := context.WithCancel(t.Context())
		defer end()
		a := New(life, h, tree, n, nil, j, nil, log, func() {})
		w := &world{n, a, j, runs.Store{Client: n.Client, Tree: n.Tree, Now: time.Now}}
		if err := a.Notice(t.Context()); err != nil || a.Begun() {
			t.Fatalf("begun %v before the first run (%v)", a.Begun(), err)
		}
		w.submit(t)
		if err := tree.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := a.Notice(t.Context()); err != nil || !a.Begun() {
			t.Fatalf("begun %v after the first run (%v)", a.Begun(), err)
		}
		defer a.Close()
		w.publish(t, config)
		a.Follow(j.view, []string{id, id})
		test(t, w)
	})
}

func (w *world) publish(t *testing.T, config *jobconfig.Config) {
	t.Helper()
	if err := w.a.tree.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	v := &view.View{
		Epoch: w.Client.Session().Epoch, ID: id, Events: w.a.tree.Events(), Settings: view.Settings{Config: config},
		Enabled: true, Settled: true,
	}
	for n := range 2 {
		owner := w.a.tree.Get(w.Tree.ItemInstance(n))
		v.Shards = append(v.Shards, view.Shard{Number: n, Token: owner.Stat.Mzxid, Version: owner.Stat.Version})
	}
	w.j.mu.Lock()
	defer w.j.mu.Unlock()
	w.j.view = v
}

func (w *world) submit(t *testing.T) {
	t.Helper()
	if _, err := w.store.Submit(t.Context(), jobrun.Request{}); err != nil {
		t.Fatal(err)
	}
}

// claim claims the shards of the run in which every shard takes part.
func (w *world) claim(t *testing.T, cancel func(error)) *Claim {
	t.Helper()
	<-w.j.offered
	v, _ := w.j.View()
	c, err := w.a.Claim(t.Context(), v, w.a.Claimable(v), cancel)
	if err != nil || c == nil {
		t.Fatalf("claimed nothing: %v", err)
	}
	return c
}

func (w *world) running(t *testing.T) (list []int) {
	t.Helper()
	for n := range 2 {
		_, is, err := w.Client.Exists(t.Context(), w.Tree.ItemRunning(n))
		if err != nil {
			t.Fatal(err)
		}
		if is {
			list = append(list, n)
		}
	}
	return list
}

// Both shards are claimed and marked in one transaction. A cancel ends their context, and their
// results are written together with the removal of their markers.
func TestEachShardTakesPart(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		cancelled := make(chan error, 1)
		c := w.claim(t, func(cause error) { cancelled <- cause })
		got := w.running(t)
		if !slices.Equal(got, []int{0, 1}) || !slices.Equal(c.numbers(), got) || !c.Marked || !c.StillOwned(t.Context()) {
			t.Fatalf("claimed %v, marked running %v", c.numbers(), got)
		}
		v, _ := w.j.View()
		if again, err := w.a.Claim(t.Context(), v, v.Shards, nil); again != nil || err != nil {
			t.Errorf("claimed twice: %v", err)
		}
		c.Begin()
		if _, err := w.store.Cancel(t.Context(), c.Record.ID, jobtree.RunCancel{}); err != nil {
			t.Fatal(err)
		}
		if cause := <-cancelled; !errors.Is(cause, ErrCancelled) {
			t.Errorf("the context ended with %v", cause)
		}
		c.SettleAll(runs.Result{Err: "cut", Cut: true})
		c.End()
		if got := w.running(t); len(got) > 0 {
			t.Errorf("marked running after the end: %v", got)
		}
		if _, is, err := w.Client.Exists(t.Context(), w.Tree.RunsActiveAll()); is || err != nil {
			t.Errorf("the run's record is there after its end (%v)", err)
		}
	})
}

// A free shard claims a request if there's a place for its handler.
func TestOneShardHasTheRun(t *testing.T) {
	inBubble(t, map[string]string{runs.PropAssign: string(jobrun.AssignOne)}, func(t *testing.T, w *world) {
		c := <-w.j.started
		c.SetResult(c.Shards[0].Number, jobtree.RunResult{})
		if got := w.running(t); !slices.Equal(got, c.numbers()) || c.Due().IsZero() {
			t.Errorf("claimed %v, marked running %v", c.numbers(), got)
		}
		c.Begin()
		w.j.mu.Lock()
		w.j.full = true
		w.j.mu.Unlock()
		w.submit(t)
		synctest.Wait()
		if w.j.waiting() != 1 || len(w.j.started) != 0 {
			t.Errorf("%d waits for a place, %d claims without one", w.j.waiting(), len(w.j.started))
		}
		c.SettleAll(runs.Result{})
		w.j.mu.Lock()
		w.j.full = false
		w.j.mu.Unlock()
		c.End()
		c = <-w.j.started
		if synctest.Wait(); w.j.waiting() != 0 {
			t.Errorf("%d waits for a place that it has", w.j.waiting())
		}
		c.SettleAll(runs.Result{Stopped: true})
		c.End()
		again := <-w.j.started
		if again.Record.ID != c.Record.ID {
			t.Errorf("run %s is claimed after %s was stopped", again.Record.ID, c.Record.ID)
		}
	})
}

// While a claim retries with its original view, its shard goes to another instance and comes back.
// The claim must notice that; otherwise the shard would run under a token below the other
// instance's (fleet 668001679).
func TestShardReassignedDuringAClaim(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		c := w.claim(t, nil)
		for _, owner := range []string{another, id} {
			if _, err := w.Client.Set(t.Context(), w.Tree.ItemInstance(0), []byte(owner), zk.AnyVersion); err != nil {
				t.Fatal(err)
			}
			if w.a.tree.Forget(w.Tree.ItemInstance(0)); owner == id {
				w.a.tree.WatchShards(c.view.Config, []int{0})
			}
			if err := w.a.tree.Refresh(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if c.StillOwned(t.Context()) {
			t.Error("the view of before holds")
		}
	})
}

// If the process doesn't know a claim of its session, it releases it, so that the shards can run.
func TestStrayClaim(t *testing.T) {
	inBubble(t, nil, func(t *testing.T, w *world) {
		c := w.claim(t, nil)
		w.a.abandon(c)
		w.a.Suspect()
		again := w.claim(t, nil)
		if again.nonce == c.nonce || again.Record.ID != c.Record.ID {
			t.Errorf("claim %s of run %s, after claim %s of run %s", again.nonce, again.Record.ID, c.nonce, c.Record.ID)
		}
	})
}
