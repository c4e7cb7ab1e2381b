package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// startReshard begins a resharding unless one is under way.
func (j *Job) startReshard(epoch uint64) {
	known := j.control.latest
	if known.owners == nil && j.control.founded {
		// Dealt out by the transaction that founded the job, with the flags'
		// parent; no flag has been set before the one that is now.
		known = assignment{owners: j.control.assigned, at: flagHistory{czxid: j.cache.Get(j.tree.Server(j.env.IP)).Stat.Czxid}}
	}
	task := &j.control.reshard
	task.mu.Lock()
	defer task.mu.Unlock()
	if task.running {
		return
	}
	task.running = true
	before := task.dealtAt
	j.env.tasks.Go(func() {
		if !j.guard("resharding", func() { j.workReshard(epoch, known, before) }) {
			task.mu.Lock()
			defer task.mu.Unlock()
			task.running = false
		}
	})
}

func (j *Job) workReshard(epoch uint64, known assignment, before time.Time) {
	task := &j.control.reshard
	began := time.Now()
	err := j.reshard(epoch, known)
	task.mu.Lock()
	dealt := task.dealtAt.After(before)
	if dealt || err != nil && j.life.Err() == nil {
		j.observe(Observation{Happening: Dealt, Took: time.Since(began), Err: err})
	}
	was := task.err
	passing := err == nil || j.life.Err() != nil || zk.Retriable(err)
	if task.running, task.err = false, err; passing {
		task.err = nil // A fire time that comes meanwhile waits; it is not given up.
	}
	task.mu.Unlock()
	switch {
	case err == nil:
		// Look again: the instances may have changed meanwhile, and the
		// events of our own writes may have been lost.
		j.mu.Lock()
		j.control.rereadDue = true
		j.mu.Unlock()
		if !dealt { // There was nothing to do, which the watches may not know for a while.
			j.env.timers.Within(j.retry, retryFirst)
			return
		}
		j.kick()
	case passing:
		j.env.timers.Within(j.retry, retryFirst)
	default:
		if was == nil || was.Error() != err.Error() {
			j.log.Error("resharding failed; the job does not run until it succeeds", "err", err)
		}
		j.env.timers.Within(j.retry, retryLast)
	}
}

// errMoved says that something changed under a resharding: begin again.
var errMoved = errors.New("the tree changed during the resharding")

// movedLimit is how often a resharding begins again before it pauses.
const movedLimit = 5

func (j *Job) reshard(epoch uint64, known assignment) (err error) {
	for range movedLimit {
		if err = j.reshardOnce(epoch, known); !errors.Is(err, errMoved) {
			return err
		}
		known = assignment{} // Look at everything.
	}
	return fmt.Errorf("%w: %w", zk.ErrUnavailable, err)
}

// plan is what one resharding works from.
type plan struct {
	config        *jobtree.Config
	configVersion int32
	configWritten time.Time      // by the server's clock
	existing      []int          // every item that exists, ascending
	owners        map[int]string // of existing items, "" where the node is empty; no entry without one
	processing    bool           // a mark left by a resharding that failed
	recorded      bool           // the node of the distribution's record exists
	next          bool           // an instance is named to run next, which counts no more
	before        map[int]string // owner of items before they were taken
	announcedAt   time.Time      // by the server's clock
	ledSince      time.Time      // the same: when this instance became the leader
	available     []string       // instances that get items, descending
	alive         []string       // every instance present
	keepers       []string       // those that check their assignment when they mark an item, and keep fire records
	wanted        map[string][]int
	to            []string // the same by item
	moved         []int    // items that come, go or change hands, ascending
}

// reshardOnce deals out the items, in an order that lets nobody run an item
// under the old distribution while the new one is written:
//
//  1. transaction: mark processing, and take every item that moves from its
//     owner, on the condition that it does not run
//  2. when one runs, wait for its end and repeat 1
//  3. transaction: give every such item to its new owner, remove both flags
//
// A follower marks an item running in a transaction that checks its
// assignment, so it either comes before 1 and is waited for, or is refused.
// Items that stay where they are may run meanwhile, unless their number
// changes: item 0 of 3 is other work than item 0 of 4.
// Without monitorExecution there are no marks, and all is one transaction.
func (j *Job) reshardOnce(epoch uint64, known assignment) error {
	ctx, cancel := j.reshardContext(epoch)
	defer cancel()
	p, err := j.planReshard(ctx, known)
	if err != nil || p == nil {
		return err
	}
	if atOnce, err := j.moveItems(ctx, p); atOnce || err != nil {
		return err
	}
	if err := j.takeItems(ctx, p); err != nil {
		return err
	}
	if p.config.MonitorExecution && !allKeep(p.alive, p.keepers) {
		// Java's agents do not check: one may have started an item since.
		if err := j.awaitQuiet(ctx, p); err != nil {
			return err
		}
	}
	if err := j.releaseClaims(ctx, p); err != nil {
		return err
	}
	h, err := j.planHandover(ctx, p)
	if err != nil {
		return err
	}
	return j.giveItems(ctx, p, h)
}

// reshardContext ends with the job, or when the session changes.
func (j *Job) reshardContext(epoch uint64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(j.life)
	stop := j.env.Client.Subscribe(func(t zk.Transition) {
		if t.Session.Epoch != epoch || t.State == zk.Lost || t.State == zk.Closed {
			cancel(ErrSessionLost)
		}
	})
	if j.env.Client.Session().Epoch != epoch {
		cancel(ErrSessionLost)
	}
	return ctx, func() { stop(); cancel(context.Canceled) }
}

// planReshard reads everything a distribution depends on. It returns nil when
// there is nothing to do, or nobody to give items to.
func (j *Job) planReshard(ctx context.Context, known assignment) (*plan, error) {
	client := j.env.Client
	flag, flagged, err := client.Exists(ctx, j.tree.Necessary())
	if err != nil {
		return nil, err
	}
	if !flagged {
		// The flag was removed and its watch event is late or lost, or there
		// is only a processing mark, which announces nothing, holds up
		// everybody and is the leader's to remove.
		j.cache.Suspect()
		return nil, zk.Ignore(client.Delete(ctx, j.tree.Processing(), zk.AnyVersion), zk.ErrNoNode)
	}
	// Everything else at once. What changes meanwhile either refuses the
	// transactions or is announced anew.
	p := &plan{announcedAt: flag.Ctime, ledSince: j.cache.Get(j.tree.LeaderInstance()).Stat.Ctime}
	var data []byte
	var configured bool
	var now flagHistory
	if err := nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) error {
			stored, stat, err := client.Get(ctx, j.tree.Config())
			data, p.configVersion, p.configWritten, configured = stored, stat.Version, stat.Mtime, err == nil
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			_, p.processing, err = client.Exists(ctx, j.tree.Processing())
			return err
		},
		func(ctx context.Context) (err error) {
			_, p.recorded, err = client.Exists(ctx, j.tree.Assignment())
			return err
		},
		func(ctx context.Context) error {
			names, err := j.nodes.Children(ctx, j.tree.Sharding())
			p.existing = jobtree.ItemNumbers(names)
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			now, _, err = j.readFlags(ctx)
			return err
		},
		func(ctx context.Context) (err error) {
			p.alive, p.available, err = j.availableNow(ctx, func(ctx context.Context) (err error) {
				p.keepers, err = j.nodes.Children(ctx, j.agentsRoot()) // All of those that are alive.
				return zk.Ignore(err, zk.ErrNoNode)
			})
			return err
		},
	}); err != nil || !configured || len(p.available) == 0 {
		j.cache.SuspectIf(j.notOfItem) // The leader has begun because its watches say otherwise.
		return nil, err
	}
	if p.config, err = jobtree.DecodeConfig(data); err == nil {
		err = p.config.Usable()
	}
	if err != nil {
		return nil, err
	}
	strategy, err := j.strategies.ByName(p.config.StrategyType)
	if err != nil {
		return nil, err
	}
	if rotates(p.config) {
		if _, p.next, err = client.Exists(ctx, j.tree.NextInstanceIP()); err != nil {
			return nil, err
		}
	}
	if err := j.readOwners(ctx, p, known, now); err != nil {
		return nil, err
	}
	if p.wanted, err = strategy.Assign(p.available, j.Name(), p.config.Shards); err != nil {
		return nil, err
	}
	p.compare()
	return p, nil
}

// readOwners reads who owns the items that exist. What a control step read
// counts if nobody has dealt out items since.
func (j *Job) readOwners(ctx context.Context, p *plan, known assignment, now flagHistory) error {
	p.owners = make(map[int]string, len(p.existing))
	if known.owners != nil && !p.processing && now.czxid == known.at.czxid && now.cversion == known.at.cversion+1 {
		for _, n := range p.existing {
			if n < len(known.owners) && known.owners[n] != "" {
				p.owners[n] = known.owners[n]
			}
		}
		if len(p.existing) == len(known.owners) {
			return nil
		}
	}
	var mu sync.Mutex
	return nodes.Each(ctx, len(p.existing), func(ctx context.Context, i int) error {
		n := p.existing[i]
		owner, _, err := j.env.Client.Get(ctx, j.tree.ItemInstance(n))
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		mu.Lock()
		defer mu.Unlock()
		p.owners[n] = string(owner)
		return nil
	})
}

// compare finds the items that move.
func (p *plan) compare() {
	p.to = sharding.Owners(p.wanted, p.config.Shards)
	all := len(p.existing) != p.config.Shards
	for n, to := range p.to {
		if owner, owned := p.owners[n]; all || !owned || owner != to {
			p.moved = append(p.moved, n)
		}
	}
	for _, n := range p.existing {
		if n >= p.config.Shards {
			p.moved = append(p.moved, n)
		}
	}
}

func (p *plan) exists(n int) bool {
	_, exists := slices.BinarySearch(p.existing, n)
	return exists
}

// availableNow is like available, read from the server and not from watches.
// What it is to read as well is read after the list of instances.
func (j *Job) availableNow(ctx context.Context, also ...func(ctx context.Context) error) (alive, available []string, err error) {
	ids, err := j.nodes.Children(ctx, j.tree.Instances())
	if err != nil {
		return nil, nil, zk.Ignore(err, zk.ErrNoNode)
	}
	keep, gone := make([]string, len(ids)), make(map[string]*bool, len(ids))
	reads := also
	for i, id := range ids {
		gone[id] = new(bool)
		reads = append(reads, func(ctx context.Context) (err error) {
			keep[i], *gone[id], err = j.availableID(ctx, id)
			return err
		})
	}
	if err := nodes.Together(ctx, reads); err != nil {
		return nil, nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return *gone[id] })
	keep = slices.DeleteFunc(keep, func(id string) bool { return id == "" })
	sharding.SortInstances(keep)
	return ids, keep, nil
}

// availableID returns the id that an instance announces if its server is
// enabled, "" otherwise. That server is most likely the one in the node's name.
// An instance may be gone by now.
func (j *Job) availableID(ctx context.Context, name string) (id string, gone bool, err error) {
	server := jobtree.InstanceIP(name)
	var data, status []byte
	var registered bool
	if err = nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) (err error) {
			data, _, err = j.env.Client.Get(ctx, j.tree.Instance(name))
			gone = errors.Is(err, zk.ErrNoNode)
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			status, _, err = j.env.Client.Get(ctx, j.tree.Server(server))
			registered = err == nil
			return zk.Ignore(err, zk.ErrNoNode)
		},
	}); err != nil || gone {
		return "", gone, err
	}
	info, standing, _ := jobtree.JudgeInstance(name, data, jobtree.Generation3x, func(ip string) ([]byte, bool) {
		if ip != server {
			status, _, err = j.env.Client.Get(ctx, j.tree.Server(ip))
			registered = err == nil
		}
		return status, registered
	})
	if standing != jobtree.Serves {
		return "", false, zk.Ignore(err, zk.ErrNoNode)
	}
	return info.ID, false, nil
}

// moveItems deals out the items of a job without monitorExecution: nothing says
// which of them runs, so there is nobody to wait for between taking and giving,
// and both are one transaction. It reports false, and has done nothing, where
// that would not do: too many items, or some that are not to exist any more.
func (j *Job) moveItems(ctx context.Context, p *plan) (bool, error) {
	if p.config.MonitorExecution || rotates(p.config) || len(p.existing) > p.config.Shards {
		return false, nil
	}
	ops := []zk.Op{zk.CheckOp(j.tree.Config(), p.configVersion), zk.CheckOp(j.tree.LeaderInstance(), zk.AnyVersion)}
	for _, n := range p.moved {
		owner, id := j.tree.ItemInstance(n), []byte(p.to[n])
		_, owned := p.owners[n]
		switch {
		case n >= p.config.Shards:
			return false, nil
		case owned:
			ops = append(ops, zk.SetOp(owner, id, zk.AnyVersion))
			continue
		case !p.exists(n):
			ops = append(ops, zk.CreateOp(j.tree.Item(n), nil, zk.Persistent))
		}
		ops = append(ops, zk.CreateOp(owner, id, zk.Persistent))
	}
	record, err := j.recordOps(ctx, p)
	if err != nil {
		return false, err
	}
	ops = append(append(ops, record...), zk.DeleteOp(j.tree.Necessary(), zk.AnyVersion))
	if p.processing {
		ops = append(ops, zk.DeleteOp(j.tree.Processing(), zk.AnyVersion))
	}
	if len(nodes.Chunks(nodes.Singly(ops))) > 1 {
		return false, nil
	}
	if len(p.existing) == 0 {
		if err := j.nodes.Ensure(ctx, j.tree.Sharding()); err != nil {
			return false, err
		}
	}
	if err := j.env.Client.Multi(ctx, ops...); err != nil {
		return false, j.moved(err)
	}
	j.dealtOut(p, handover{})
	return true, nil
}

// dealtOut notes that the items were dealt out.
func (j *Job) dealtOut(p *plan, h handover) {
	task := &j.control.reshard
	task.mu.Lock()
	task.dealt, task.dealtAt, task.taken = sharding.Topology(p.config.Shards, p.config.StrategyType, p.available), time.Now(), nil
	task.mu.Unlock()
	j.log.Info("items dealt out", "items", p.config.Shards, "moved", len(p.moved), "instances", len(p.available), "misfired", h.missed)
}

// takeItems is the first transaction: mark processing and take the items that
// move from their owners, creating those that are new. To make and remove a
// running mark in the same transaction proves that there was none. Items beyond
// the count go last: they have no owner any more and nobody can start them.
func (j *Job) takeItems(ctx context.Context, p *plan) error {
	j.control.reshard.take(p)
	groups := [][]zk.Op{{zk.CreateOp(j.tree.Processing(), nil, zk.Ephemeral)}}
	if p.processing {
		groups[0] = slices.Insert(groups[0], 0, zk.DeleteOp(j.tree.Processing(), zk.AnyVersion))
	}
	if len(p.existing) == 0 {
		if err := j.nodes.Ensure(ctx, j.tree.Sharding()); err != nil {
			return err
		}
	}
	for _, n := range p.moved {
		var group []zk.Op
		_, owned := p.owners[n]
		switch {
		case !p.exists(n):
			group = append(group, zk.CreateOp(j.tree.Item(n), nil, zk.Persistent))
		case p.config.MonitorExecution:
			running := j.tree.ItemRunning(n)
			group = append(group, zk.CreateOp(running, nil, zk.Persistent), zk.DeleteOp(running, zk.AnyVersion))
		}
		if owned {
			group = append(group, zk.DeleteOp(j.tree.ItemInstance(n), zk.AnyVersion))
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	list := nodes.Chunks(groups)
	if len(p.existing) == 0 {
		// Nothing of the job can run yet: there is nothing to wait for.
		guard := zk.CheckOp(j.tree.LeaderInstance(), zk.AnyVersion)
		if err := j.env.Client.Multi(ctx, append([]zk.Op{guard}, list[0]...)...); err != nil {
			return j.moved(err)
		}
		return j.moved(j.multis(ctx, list[1:], guard))
	}
	for _, chunk := range list {
		for {
			err := j.env.Client.Multi(ctx, append([]zk.Op{zk.CheckOp(j.tree.LeaderInstance(), zk.AnyVersion)}, chunk...)...)
			if err == nil {
				break
			}
			if !j.runs(err) {
				return j.moved(err)
			}
			if err := j.awaitQuiet(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// runs reports whether a transaction was refused because an item runs.
func (j *Job) runs(err error) bool {
	refused := (*zk.MultiError)(nil)
	return errors.As(err, &refused) && errors.Is(err, zk.ErrNodeExists) && strings.HasSuffix(refused.Op.Path, j.tree.ItemRunning(0)[len(j.tree.Item(0)):])
}

// giveItems is the second transaction. Only its last part removes the flags,
// so that nobody takes half a distribution for the whole.
func (j *Job) giveItems(ctx context.Context, p *plan, h handover) error {
	beyond, _ := slices.BinarySearch(p.existing, p.config.Shards)
	gone := p.existing[beyond:]
	if err := nodes.Each(ctx, len(gone), func(ctx context.Context, i int) error {
		for _, path := range []string{j.tree.Item(gone[i]), j.tree.FailoverItem(gone[i]), j.tree.FireRecord(gone[i])} {
			if err := j.env.Client.DeleteAll(ctx, path); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	moves := make([]bool, len(p.to))
	for _, n := range p.moved {
		if n < len(moves) {
			moves[n] = true
		}
	}
	var groups [][]zk.Op
	for _, id := range p.available {
		for _, n := range p.wanted[id] {
			if moves[n] {
				groups = append(groups, []zk.Op{zk.CreateOp(j.tree.ItemInstance(n), []byte(id), zk.Persistent)})
			}
		}
	}
	for _, op := range j.handoverOps(h) {
		groups = append(groups, []zk.Op{op})
	}
	last, err := j.recordOps(ctx, p)
	if err != nil {
		return err
	}
	if p.next {
		last = append(last, zk.DeleteOp(j.tree.NextInstanceIP(), zk.AnyVersion))
	}
	last = append(last, zk.DeleteOp(j.tree.Necessary(), zk.AnyVersion), zk.DeleteOp(j.tree.Processing(), zk.AnyVersion))
	guard := []zk.Op{
		zk.CheckOp(j.tree.Config(), p.configVersion),
		zk.CheckOp(j.tree.LeaderInstance(), zk.AnyVersion),
	}
	list := nodes.Chunks(append(groups, last))
	end := len(list) - 1
	if err := j.multis(ctx, list[:end], guard...); err != nil {
		return j.moved(err)
	}
	if err := j.env.Client.Multi(ctx, append(guard, list[end]...)...); err != nil {
		return j.moved(err)
	}
	j.dealtOut(p, h)
	return nil
}

// multis makes transactions that do not depend on each other, each on the
// condition of the guard.
func (j *Job) multis(ctx context.Context, list [][]zk.Op, guard ...zk.Op) error {
	return nodes.Each(ctx, len(list), func(ctx context.Context, i int) error {
		return j.env.Client.Multi(ctx, slices.Concat(guard, list[i])...)
	})
}

// moved turns a refused transaction into a new beginning. The pause of one
// read in planReshard is enough: what moved is in the tree already.
func (j *Job) moved(err error) error {
	if refused := (*zk.MultiError)(nil); errors.As(err, &refused) && !errors.Is(err, zk.ErrNoAuth) {
		j.log.Debug("resharding begins again", "err", err)
		if refused.Op.Path == j.tree.LeaderInstance() {
			return fmt.Errorf("%w: no longer the leader", ErrSessionLost)
		}
		return errMoved
	}
	return err
}
