// Package departure removes the instance of a stopping job from the tree.
//
// An instance must not stay in the tree after its job has left this process. Otherwise it would
// keep its shards and its leadership, and the shards would run nowhere until the session ends,
// which can take as long as the process lives. So the agent, not the job, owns the nodes that its
// session may have written, even after Agent.Remove has returned:
//
//	a job is about to register ──▶ Register
//	Stop ──▶ Roles ──▶ Instance ──▶ checked again a minute later ──▶ Ended
//	             │ no answer
//	             └──▶ repeated in the background, as soon as a server answers, until
//	                  one has confirmed it or the session is another one
//
// # Guarantees
//
//   - If a job is added again under the same id, the departure ends before the job registers, so
//     a late clean-up can't delete the new registration.
//   - Nodes of another session stay.
//   - Runs that ended without a session are recorded before other instances see the departure.
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

// CheckAgain is when the agent checks a removed instance a second time. By then the server has
// executed or dropped every request of the stopped job.
const CheckAgain = time.Minute

// Extent is how far a departure goes. It only grows.
type Extent int

const (
	Roles    Extent = iota // the leadership and the stewardship, while shards still run
	Instance               // the nodes of the instance, too
	Ended                  // nothing is left, and no more requests are sent
)

// Job is the stopping job.
type Job interface {
	// Guard calls fn, and reports false if it panics.
	Guard(activity string, fn func()) (sound bool)
	// Busy reports whether anything of the job still runs here. A stopping job begins nothing new.
	Busy() bool
	// Outdated reports whether the job registered under an earlier session than the current one.
	Outdated() bool
	// Hindered reports whether the registry may have an obstacle of the job.
	Hindered() bool
	// Record records the runs that ended without a session.
	Record(ctx context.Context) error
}

// Departure removes the instance of a stopping job from the tree. Its methods are safe for
// concurrent use.
type Departure struct {
	all      *Departures
	job      Job
	nodes    *nodes.Nodes
	failover *failover.Failover
	id       string
	session  int64
	later    atomic.Int32 // 1 + the extent of the background removal, or 0 if there is none

	turn     chan struct{} // holds a token during requests; guards the next fields
	extent   Extent
	returned []int // claimed failover shards that never began, to be offered again
}

// Departures are an agent's open departures, by the path of the instance.
type Departures struct {
	life   context.Context // no request is sent after it ends
	log    *slog.Logger
	timers *timers.Queue
	check  *timers.Timer

	mu   sync.Mutex
	list map[string]*Departure
}

// New returns an agent's departures, initially none. run starts their background checks, until life
// ends.
func New(life context.Context, log *slog.Logger, queue *timers.Queue, run func(func())) *Departures {
	ds := &Departures{life: life, log: log, timers: queue, list: make(map[string]*Departure)}
	ds.check = timers.NewTimer(func(time.Time) { run(ds.lookAgain) })
	return ds
}

// Register ends the departure of an earlier job from the instance node at path, because a new job
// is about to register there.
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

// Of returns the departure of a job from the nodes that a session may have written under id. If
// session is 0, the job never tried to register, so the tree has nothing of it. returned are
// claimed failover shards that never began, to be offered again.
//
// If there is a departure already, because Stop was called twice or the job broke earlier, Of
// returns it.
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

func (d *Departure) log() *slog.Logger { return d.all.log.With("job", d.nodes.Tree.Name()) }

// errBusy means that a departure must check again, because a handler still runs.
var errBusy = errors.New("a handler still runs")

// lookAgain ends the departure, unless a handler that ignores its context still runs. Its markers
// must stay until it returns.
func (d *Departure) lookAgain(ctx context.Context) error {
	if d.job.Busy() {
		return errors.Join(errBusy, d.remove(ctx, Instance))
	}
	return d.end(ctx)
}

// hasLeft reports whether the instance was removed. Before that, shards may still run, and without
// the instance others would consider them interrupted.
func (d *Departure) hasLeft(ctx context.Context) bool {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
		return d.extent >= Instance
	case <-ctx.Done():
		return false
	}
}

// Leave removes the instance from the tree to the extent of want. If ctx ends or no server answers,
// it returns, and the rest is done in the background. An error is final.
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
	case (zk.Retriable(err) || ctx.Err() != nil) && d.later.Swap(int32(want)+1) > int32(want): // It's already in progress.
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

// end removes the remaining nodes and then lets a job register under the id.
func (d *Departure) end(ctx context.Context) error {
	if err := d.remove(ctx, Ended); err != nil {
		return err
	}
	d.all.mu.Lock()
	defer d.all.mu.Unlock()
	if d.all.list[d.path()] == d {
		delete(d.all.list, d.path())
	}
	return nil
}

// remove tries once. Nodes of another session stay, because another process may already serve the
// job under the same id.
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
		// before the others see the departure and run these shards again
		recording, cancel := context.WithTimeout(ctx, nodes.StepTimeout)
		defer cancel()
		if err := d.job.Record(recording); err != nil {
			return fmt.Errorf("record runs that ended without a session: %w", err)
		}
	}
	if d.nodes.Client.Session().ID == d.session {
		ctx, cancel := context.WithTimeout(zk.UnderSession(ctx, zk.Session{ID: d.session}), nodes.StepTimeout)
		defer cancel()
		// First the offices, so that the others needn't wait for the old leader.
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

// leftMarkers returns the nodes that may still mark shards as running here. After a lost session, a
// run doesn't clear its ephemeral markers, because they should vanish with it. But if the server
// still has the session, they would block every resharding while the process lives. Registering
// again would clear them, but a stopping job doesn't register. The survivors release the persistent
// markers once the instance is gone.
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

// delete deletes the nodes that belong to the session, in one transaction (more only for thousands
// of shards). If the agent's node is among them, the transaction also notes the orderly departure.
func (d *Departure) delete(ctx context.Context, paths ...string) error {
	client, tree := d.nodes.Client, d.nodes.Tree
	agent := slices.Index(paths, d.nodes.Agent(d.id))
	for {
		own := make([]bool, len(paths))
		others := false // an agent has left earlier
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
		switch refused := zk.RefusedPath(err); {
		case refused == tree.Config() || refused == tree.Left(d.id):
			agent = -1 // The job was removed from the registry, or the departure is noted already.
		case !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrNodeExists):
			return err // Otherwise an operator or another agent interfered, so look again.
		}
	}
}

// LeaveWhen removes the agent's node when the runs of a job that an operator shut down here have
// ended. Until then, agents of our kind don't consider the instance crashed, so its shards don't
// run a second time next to those runs.
func (d *Departure) LeaveWhen(idle <-chan struct{}) {
	select {
	case <-idle:
	case <-d.all.life.Done():
		return // The node vanishes with the session.
	}
	if err := d.Leave(d.all.life, Instance); err != nil {
		d.log().Warn("could not remove the agent's node; it will vanish with the session", "err", err)
	}
}
