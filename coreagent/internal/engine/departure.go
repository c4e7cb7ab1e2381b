package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// An instance must not stay in the tree when its job has left this process. It would
// keep its shards and its leadership, and the shards would run nowhere until the
// session ends, which can take as long as the process lives. So the agent, not the job,
// owns what its session may have written, also after Agent.Remove has returned:
//
//	a job is about to register ──▶ notes the session
//	Stop ──▶ departure: offices ──▶ instance ──▶ checked again a minute later ──▶ ended
//	             │ no answer
//	             └──▶ repeated in the background, as soon as a server answers, until
//	                  one has confirmed it or the session is another one
//
// A job that is added again under the same id ends the departure before it registers.
// So a late clean-up can't delete the new registration.

// checkAgain is when the agent looks a second time for an instance that it has removed.
// By then the server has carried out or dropped every request of the job that left.
const checkAgain = time.Minute

// extent is how far a departure goes; it only grows.
type extent int

const (
	extentOffices  extent = iota // the leadership and the stewardship, while shards still run
	extentInstance               // the nodes of the instance, too
	extentEnded                  // nothing is left, and no request is sent any more
)

// departure removes the instance of a job that leaves from the tree. Its methods may be
// called from any goroutine.
type departure struct {
	job     *Job
	id      string
	session int64
	later   atomic.Int32 // 1 + the extent to which it is removed in the background, 0 if it isn't

	turn     chan struct{} // holds a token while requests are under way; guards what follows
	extent   extent
	returned []int // failover shards that were claimed and not begun: they are offered again
}

// departures are the departures of an agent that haven't ended, by the path of the instance.
type departures struct {
	mu    sync.Mutex
	list  map[string]*departure
	check *timers.Timer
}

// prepareRegistration notes the session whose nodes the registration is about to write. If
// the agent still removes an earlier instance of the same id, that ends first.
func (j *Job) prepareRegistration(ctx context.Context, session zk.Session) error {
	if d := j.env.departures.of(j.tree.Instance(j.id)); d != nil {
		if err := d.end(ctx); err != nil {
			return fmt.Errorf("remove the previous instance: %w", err)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.registeredIn = session.ID
	return nil
}

// depart returns the departure of the job. Returned are failover shards that the job has
// claimed and not begun.
func (j *Job) depart(returned []int) *departure {
	j.mu.Lock()
	d := &departure{job: j, id: j.id, session: j.registeredIn, turn: make(chan struct{}, 1), returned: returned}
	j.mu.Unlock()
	if d.session == 0 {
		d.extent = extentEnded // It never tried to register, so the tree has nothing of it.
		return d
	}
	return j.env.departures.add(d)
}

func (ds *departures) of(path string) *departure {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.list[path]
}

// add returns the departure of the same job and session if there is one already, because
// Stop was called twice or the job was broken before.
func (ds *departures) add(d *departure) *departure {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	path := d.job.tree.Instance(d.id)
	if old := ds.list[path]; old != nil && old.job == d.job && old.session == d.session {
		return old
	}
	if ds.list == nil {
		ds.list = make(map[string]*departure)
	}
	ds.list[path] = d
	return d
}

func (ds *departures) forget(d *departure) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if path := d.job.tree.Instance(d.id); ds.list[path] == d {
		delete(ds.list, path)
	}
}

// checkDepartures looks a second time for instances that the agent has removed. It is the
// audit of departures.
func (e *Env) checkDepartures() {
	ds := &e.departures
	ds.mu.Lock()
	list := make([]*departure, 0, len(ds.list))
	for _, d := range ds.list {
		list = append(list, d)
	}
	ds.mu.Unlock()
	for _, d := range list {
		d.job.guard("departure", func() {
			if d.hasLeft(e.life) && d.lookAgain(e.life) != nil {
				e.timers.Within(ds.check, checkAgain)
			}
		})
	}
}

// errBusy is the error of a departure that has to look again, because a handler still runs.
var errBusy = errors.New("a handler still runs")

// lookAgain ends the departure, unless a handler that ignores its context still runs: its
// markers have to stay until it returns.
func (d *departure) lookAgain(ctx context.Context) error {
	if d.busy() {
		return errors.Join(errBusy, d.remove(ctx, extentInstance))
	}
	return d.end(ctx)
}

// busy reports whether anything of the job runs here. A job that leaves begins nothing new.
func (d *departure) busy() bool {
	d.job.mu.Lock()
	defer d.job.mu.Unlock()
	return d.job.queue.busy()
}

// hasLeft reports whether the instance was removed. Before that shards may still run, and
// without the instance the others would take them for interrupted.
func (d *departure) hasLeft(ctx context.Context) bool {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
		return d.extent >= extentInstance
	case <-ctx.Done():
		return false
	}
}

// leave removes the instance from the tree as far as want says. It returns when ctx ends
// or no server answers, and the rest is done in the background. The error is for good.
func (d *departure) leave(ctx context.Context, want extent) error {
	j := d.job
	err := ctx.Err()
	if err == nil {
		err = d.remove(ctx, want)
	}
	switch {
	case err == nil && want == extentInstance:
		j.env.timers.Within(j.env.departures.check, checkAgain)
	case err == nil, errors.Is(err, zk.ErrClosed): // The client ends the session.
	case (zk.Retriable(err) || ctx.Err() != nil) && d.later.Swap(int32(want)+1) > int32(want): // It is at it already.
	case zk.Retriable(err), ctx.Err() != nil:
		j.log.WarnContext(ctx, "no server has confirmed that the instance has left; it is removed as soon as one answers, "+
			"or goes with the session", "instance", d.id, "err", err)
		j.env.Client.Eventually(func(ctx context.Context) (err error) {
			j.guard("departure", func() { err = d.remove(ctx, want) })
			if err == nil {
				d.later.Store(0)
			}
			if err == nil && want == extentInstance {
				j.env.timers.Within(j.env.departures.check, checkAgain)
			}
			return err
		})
	default:
		return fmt.Errorf("job %s: deregister: %w", j.Name(), err)
	}
	return nil
}

// end removes what is left and then lets a job register under the id.
func (d *departure) end(ctx context.Context) error {
	if err := d.remove(ctx, extentEnded); err != nil {
		return err
	}
	d.job.env.departures.forget(d)
	return nil
}

// remove tries once. Nodes of another session stay: an agent of the same id in another
// process may serve the job by now.
func (d *departure) remove(ctx context.Context, want extent) error {
	j := d.job
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if want < d.extent || d.extent == extentEnded {
		return nil
	}
	d.extent = min(want, extentInstance)
	if want >= extentInstance {
		// Before the others see that the instance has left, and run these shards again.
		recording, cancel := context.WithTimeout(ctx, stepTimeout)
		defer cancel()
		if err := j.misfires.Record(recording, true); err != nil {
			return fmt.Errorf("record what ended without a session: %w", err)
		}
	}
	if j.env.Client.Session().ID == d.session {
		ctx, cancel := context.WithTimeout(zk.UnderSession(ctx, zk.Session{ID: d.session}), stepTimeout)
		defer cancel()
		// Offices first, so that the others need not wait for a leader that has left.
		if err := d.delete(ctx, j.tree.LeaderInstance(), j.tree.RunsSteward()); err != nil {
			return err
		}
		for ; len(d.returned) > 0; d.returned = d.returned[1:] {
			if err := j.failover.Release(ctx, d.returned[0], d.id, true); err != nil {
				return err
			}
		}
		if want >= extentInstance {
			left, err := d.leftMarkers(ctx)
			if err != nil {
				return err
			}
			if j.obstacles.Written() {
				left = append(left, j.tree.Refusal(d.id))
			}
			if err := d.delete(ctx, append(left, j.tree.Instance(d.id), j.nodes.Agent(d.id))...); err != nil {
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
func (d *departure) leftMarkers(ctx context.Context) ([]string, error) {
	j := d.job
	j.mu.Lock()
	lost := j.epoch > 0 && j.epoch != j.env.Client.Session().Epoch
	j.mu.Unlock()
	if !lost || d.busy() {
		return nil, nil
	}
	names, err := j.nodes.Children(ctx, j.tree.Sharding())
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	var paths []string
	for _, n := range jobtree.ItemNumbers(names) {
		paths = append(paths, j.tree.ItemRunning(n), j.tree.ItemFailover(n))
	}
	return paths, nil
}

// delete deletes those of the nodes that belong to the session, in one transaction (more
// only for thousands of shards). If the agent is among them, the transaction notes that it left
// in an orderly way.
func (d *departure) delete(ctx context.Context, paths ...string) error {
	client, tree := d.job.env.Client, d.job.tree
	agent := slices.Index(paths, d.job.nodes.Agent(d.id))
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
