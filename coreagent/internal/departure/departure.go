// Package departure removes the instance of a job that leaves from the tree.
//
// An instance must not stay in the tree when its job has left this process. It would keep its
// shards and its leadership, and the shards would run nowhere until the session ends, which can
// take as long as the process lives. So the agent, not the job, owns what its session may have
// written, also after Agent.Remove has returned:
//
//	a job is about to register ──▶ Register
//	Stop ──▶ Offices ──▶ Instance ──▶ checked again a minute later ──▶ Ended
//	             │ no answer
//	             └──▶ repeated in the background, as soon as a server answers, until
//	                  one has confirmed it or the session is another one
//
// # Guarantees
//
//   - A job that is added again under the same id ends the departure before it registers, so a
//     late clean-up can't delete the new registration.
//   - Nodes of another session stay.
//   - Runs that ended without a session are recorded before the others see that the instance has
//     left.
package departure

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// CheckAgain is when the agent looks a second time for an instance that it has removed.
// By then the server has carried out or dropped every request of the job that left.
const CheckAgain = time.Minute

// Extent is how far a departure goes; it only grows.
type Extent int

const (
	Offices  Extent = iota // the leadership and the stewardship, while shards still run
	Instance               // the nodes of the instance, too
	Ended                  // nothing is left, and no request is sent any more
)

// Job is the job that leaves.
type Job interface {
	// Guard calls fn, and reports false if it panics.
	Guard(activity string, fn func()) (sound bool)
	// Busy reports whether anything of the job runs here. A job that leaves begins nothing new.
	Busy() bool
	// Outdated reports whether the job registered under an earlier session than the present one.
	Outdated() bool
	// Hindered reports whether the registry may have an announcement why the job isn't run.
	Hindered() bool
	// Record records the runs that ended without a session.
	Record(ctx context.Context) error
}

// Departure removes the instance of a job that leaves from the tree. Its methods may be
// called from any goroutine.
type Departure struct {
	all      *Departures
	job      Job
	nodes    *nodes.Nodes
	failover *failover.Failover
	id       string
	session  int64
	later    atomic.Int32 // 1 + the extent to which it is removed in the background, 0 if it isn't

	turn     chan struct{} // holds a token while requests are under way; guards what follows
	extent   Extent
	returned []int // failover shards that were claimed and not begun: they are offered again
}

// Departures are the departures of an agent that haven't ended, by the path of the instance.
type Departures struct {
	life   context.Context // no request is sent after it
	log    *slog.Logger
	timers *timers.Queue
	check  *timers.Timer

	mu   sync.Mutex
	list map[string]*Departure
}

// New returns the departures of an agent, none so far. In the background they look again, by run,
// until life ends.
func New(life context.Context, log *slog.Logger, queue *timers.Queue, run func(func())) *Departures {
	ds := &Departures{life: life, log: log, timers: queue, list: make(map[string]*Departure)}
	ds.check = timers.NewTimer(func(time.Time) { run(ds.lookAgain) })
	return ds
}

// Register ends the departure of an earlier job under the instance node at path, if the agent still
// removes it: a new job is about to register there.
func (ds *Departures) Register(ctx context.Context, path string) error {
	if d := ds.of(path); d != nil {
		if err := d.end(ctx); err != nil {
			return fmt.Errorf("remove the previous instance: %w", err)
		}
	}
	return nil
}

// Open reports whether the departure of the instance node at path hasn't ended.
func (ds *Departures) Open(path string) bool { return ds.of(path) != nil }

// Of returns the departure of a job from the nodes that a session may have written under id; 0 if
// the job never tried to register, so that the tree has nothing of it. Returned are failover shards
// that the job has claimed and not begun: they are offered again.
//
// If there is one already, because Stop was called twice or the job was broken before, that one
// is returned.
func (ds *Departures) Of(job Job, n *nodes.Nodes, f *failover.Failover, id string, session int64, returned []int) *Departure {
	d := &Departure{all: ds, job: job, nodes: n, failover: f, id: id, session: session, turn: make(chan struct{}, 1), returned: returned}
	if session == 0 {
		d.extent = Ended
		return d
	}
	return ds.add(d)
}

func (ds *Departures) of(path string) *Departure {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.list[path]
}

func (ds *Departures) add(d *Departure) *Departure {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if old := ds.list[d.path()]; old != nil && old.job == d.job && old.session == d.session {
		return old
	}
	ds.list[d.path()] = d
	return d
}

func (ds *Departures) forget(d *Departure) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.list[d.path()] == d {
		delete(ds.list, d.path())
	}
}

// lookAgain looks a second time for instances that the agent has removed.
func (ds *Departures) lookAgain() {
	ds.mu.Lock()
	list := slices.Collect(maps.Values(ds.list))
	ds.mu.Unlock()
	for _, d := range list {
		d.job.Guard("departure", func() {
			if d.hasLeft(ds.life) && d.lookAgain(ds.life) != nil {
				ds.timers.Within(ds.check, CheckAgain)
			}
		})
	}
}

func (d *Departure) path() string { return d.nodes.Tree.Instance(d.id) }

// log names the job.
func (d *Departure) log() *slog.Logger { return d.all.log.With("job", d.nodes.Tree.Name()) }

// errBusy is the error of a departure that has to look again, because a handler still runs.
var errBusy = errors.New("a handler still runs")

// lookAgain ends the departure, unless a handler that ignores its context still runs: its
// markers have to stay until it returns.
func (d *Departure) lookAgain(ctx context.Context) error {
	if d.job.Busy() {
		return errors.Join(errBusy, d.remove(ctx, Instance))
	}
	return d.end(ctx)
}

// hasLeft reports whether the instance was removed. Before that shards may still run, and
// without the instance the others would take them for interrupted.
func (d *Departure) hasLeft(ctx context.Context) bool {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
		return d.extent >= Instance
	case <-ctx.Done():
		return false
	}
}

// Leave removes the instance from the tree to the extent of want. It returns when ctx ends
// or no server answers, and the rest is done in the background. The error is for good.
func (d *Departure) Leave(ctx context.Context, want Extent) error {
	again := func() { d.all.timers.Within(d.all.check, CheckAgain) }
	err := ctx.Err()
	if err == nil {
		err = d.remove(ctx, want)
	}
	switch {
	case err == nil && want == Instance:
		again()
	case err == nil, errors.Is(err, zk.ErrClosed): // The client ends the session.
	case (zk.Retriable(err) || ctx.Err() != nil) && d.later.Swap(int32(want)+1) > int32(want): // It is at it already.
	case zk.Retriable(err), ctx.Err() != nil:
		d.log().WarnContext(ctx, "no server has confirmed that the instance has left; it is removed as soon as one answers, "+
			"or goes with the session", "instance", d.id, "err", err)
		d.nodes.Client.Eventually(func(ctx context.Context) (err error) {
			d.job.Guard("departure", func() { err = d.remove(ctx, want) })
			if err == nil {
				d.later.Store(0)
			}
			if err == nil && want == Instance {
				again()
			}
			return err
		})
	default:
		return fmt.Errorf("job %s: deregister: %w", d.nodes.Tree.Name(), err)
	}
	return nil
}

// end removes what is left and then lets a job register under the id.
func (d *Departure) end(ctx context.Context) error {
	if err := d.remove(ctx, Ended); err != nil {
		return err
	}
	d.all.forget(d)
	return nil
}

// remove tries once. Nodes of another session stay: an agent of the same id in another
// process may serve the job already.
func (d *Departure) remove(ctx context.Context, want Extent) error {
	tree := d.nodes.Tree
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if want < d.extent || d.extent == Ended {
		return nil
	}
	d.extent = min(want, Instance)
	if want >= Instance {
		// Before the others see that the instance has left, and run these shards again.
		recording, cancel := context.WithTimeout(ctx, nodes.StepTimeout)
		defer cancel()
		if err := d.job.Record(recording); err != nil {
			return fmt.Errorf("record what ended without a session: %w", err)
		}
	}
	if d.nodes.Client.Session().ID == d.session {
		ctx, cancel := context.WithTimeout(zk.UnderSession(ctx, zk.Session{ID: d.session}), nodes.StepTimeout)
		defer cancel()
		// Offices first, so that the others need not wait for a leader that has left.
		if err := d.delete(ctx, tree.LeaderInstance(), tree.RunsSteward()); err != nil {
			return err
		}
		for ; len(d.returned) > 0; d.returned = d.returned[1:] {
			if err := d.failover.Release(ctx, d.returned[0], d.id, true); err != nil {
				return err
			}
		}
		if want >= Instance {
			left, err := d.leftMarkers(ctx)
			if err != nil {
				return err
			}
			if d.job.Hindered() {
				left = append(left, tree.Refusal(d.id))
			}
			if err := d.delete(ctx, append(left, d.path(), d.nodes.Agent(d.id))...); err != nil {
				return err
			}
		}
	}
	d.extent = want
	return nil
}

// leftMarkers returns the nodes that may still mark shards as running here. A run doesn't
// clear its ephemeral markers if we lost the session, because they should go with it. But
// the server may still have the session when it answers again, and then they would hold up
// every resharding as long as the process lives. Registering again would clear them, and a
// job that leaves doesn't register. The survivors release the persistent markers when the
// instance goes.
func (d *Departure) leftMarkers(ctx context.Context) ([]string, error) {
	if !d.job.Outdated() || d.job.Busy() {
		return nil, nil
	}
	names, err := d.nodes.Children(ctx, d.nodes.Tree.Sharding())
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	var paths []string
	for _, n := range jobtree.ItemNumbers(names) {
		paths = append(paths, d.nodes.Tree.ItemRunning(n), d.nodes.Tree.ItemFailover(n))
	}
	return paths, nil
}

// delete deletes those of the nodes that belong to the session, in one transaction (more
// only for thousands of shards). If the agent is among them, the transaction notes that it left
// in an orderly way.
func (d *Departure) delete(ctx context.Context, paths ...string) error {
	client, tree := d.nodes.Client, d.nodes.Tree
	agent := slices.Index(paths, d.nodes.Agent(d.id))
	for {
		own := make([]bool, len(paths))
		others := false // an agent has left before
		err := nodes.Each(ctx, len(paths)+min(1, agent+1), func(ctx context.Context, i int) error {
			if i == len(paths) {
				_, exists, err := client.Exists(ctx, tree.AllLeft())
				others = exists
				return err
			}
			stat, exists, err := client.Exists(ctx, paths[i])
			own[i] = exists && stat.EphemeralOwner == d.session
			return err
		})
		if err != nil {
			return err
		}
		var groups [][]zk.Op
		for i, path := range paths {
			if !own[i] {
				continue
			}
			group := []zk.Op{zk.DeleteOp(path, zk.AnyVersion)}
			if i == agent {
				group = append(group, zk.CheckOp(tree.Config(), zk.AnyVersion))
				if !others {
					group = append(group, zk.CreateOp(tree.AllLeft(), nil, zk.Persistent))
				}
				group = append(group, zk.CreateOp(tree.Left(d.id), nil, zk.Persistent))
			}
			groups = append(groups, group)
		}
		if len(groups) == 0 {
			return nil
		}
		for _, chunk := range nodes.Chunks(groups) {
			if err = client.Multi(ctx, chunk...); err != nil {
				break
			}
		}
		refused, _ := errors.AsType[*zk.MultiError](err)
		switch {
		case refused != nil && (refused.Op.Path == tree.Config() || refused.Op.Path == tree.Left(d.id)):
			agent = -1 // The registry doesn't have the job any more, or knows that it has left.
		case !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrNodeExists):
			return err // Otherwise an operator or another agent was at it at the same moment: look again.
		}
	}
}

// LeaveWhen removes the agent's node when the runs of a job that an operator has shut down
// here have ended. Until then agents of this kind don't take the instance for a crashed
// one, so its shards don't run a second time next to those runs.
func (d *Departure) LeaveWhen(idle <-chan struct{}) {
	select {
	case <-idle:
	case <-d.all.life.Done():
		return // The node goes with the session.
	}
	if err := d.Leave(d.all.life, Instance); err != nil {
		d.log().Warn("the agent's node could not be removed; it goes with the session", "err", err)
	}
}
