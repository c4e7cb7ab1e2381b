package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// transactionBytes is how much of ZooKeeper's packet limit one transaction of
// a large job uses.
const transactionBytes = zk.MaxTransaction / 2

// reshardTask is the one resharding a leader may have under way. It runs
// beside control, because it may wait long for items that run.
type reshardTask struct {
	mu      sync.Mutex
	running bool
	err     error                // why the last one could not be done
	dealt   string               // topology of the last one of this term
	dealtAt time.Time            // when that was
	stale   map[string]time.Time // running marks of absent owners, and since when they are seen
}

func (t *reshardTask) stuck() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *reshardTask) lastDealt() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dealt
}

// justDealt reports whether the last resharding ended a moment ago.
func (t *reshardTask) justDealt() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.dealtAt) < time.Second
}

func (t *reshardTask) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dealt, t.err, t.stale = "", nil, nil
}

// startReshard begins a resharding unless one is under way.
func (j *Job) startReshard(epoch uint64) {
	task := &j.control.reshard
	task.mu.Lock()
	defer task.mu.Unlock()
	if task.running {
		return
	}
	task.running = true
	j.env.tasks.Go(func() {
		err := j.reshard(epoch)
		task.mu.Lock()
		was := task.err
		task.running, task.err = false, err
		task.mu.Unlock()
		switch {
		case err == nil:
			// Look again: the instances may have changed meanwhile, and the
			// events of our own writes may have been lost.
			j.mu.Lock()
			j.control.rereadDue = true
			j.mu.Unlock()
			j.kick()
		case j.life.Err() != nil || zk.Retriable(err):
			j.env.timers.set(j.retry, time.Now().Add(retryFirst))
		default:
			if was == nil || was.Error() != err.Error() {
				j.log.Error("resharding failed; the job does not run until it succeeds", "err", err)
			}
			j.env.timers.set(j.retry, time.Now().Add(retryLast))
		}
	})
}

// errMoved says that something changed under a resharding: begin again.
var errMoved = errors.New("the tree changed during the resharding")

// movedLimit is how often a resharding begins again before it pauses.
const movedLimit = 5

func (j *Job) reshard(epoch uint64) (err error) {
	for range movedLimit {
		if err = j.reshardOnce(epoch); !errors.Is(err, errMoved) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", zk.ErrUnavailable, err)
}

// plan is what one resharding works from.
type plan struct {
	config        *jobtree.Config
	configVersion int32
	items         map[int]itemNodes // every item that exists
	processing    bool              // a mark left by a resharding that failed
	next          bool              // an instance is named to run next, which counts no more
	available     []string          // instances that get items, descending
	alive         []string          // every instance present
	wanted        map[string][]int
}

// itemNodes is what the tree has about an item.
type itemNodes struct {
	owner    string
	assigned bool // an instance node exists, possibly empty
	running  bool
	failover bool
	misfire  bool
}

// reshardOnce deals out the items, in an order that lets nobody run an item
// under the old distribution while the new one is written:
//
//  1. wait until no item runs
//  2. transaction: mark processing, take every item from its owner
//  3. look again whether an item runs, for one that started between 1 and 2
//  4. transaction: give every item to its new owner, remove both flags
//
// A follower marks an item running in a transaction that checks its
// assignment, so it either comes before 2 and is seen in 3, or is refused.
func (j *Job) reshardOnce(epoch uint64) error {
	ctx, cancel := j.reshardContext(epoch)
	defer cancel()
	p, err := j.planReshard(ctx)
	if err != nil || p == nil {
		return err
	}
	if p.config.MonitorExecution {
		if err := j.awaitQuiet(ctx, p); err != nil {
			return err
		}
	}
	owners := make(map[int]string, len(p.items))
	for n, nodes := range p.items {
		owners[n] = nodes.owner
	}
	if err := j.takeItems(ctx, p); err != nil {
		return err
	}
	if p.config.MonitorExecution {
		if err := j.awaitQuiet(ctx, p); err != nil {
			return err
		}
	}
	h, err := j.planHandover(ctx, p, owners)
	if err != nil {
		return err
	}
	if len(h.create) > 0 {
		if err := j.ensureFired(ctx, h.create); err != nil {
			return err
		}
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
func (j *Job) planReshard(ctx context.Context) (*plan, error) {
	client := j.env.Client
	if _, flagged, err := client.Exists(ctx, j.tree.Necessary()); err != nil {
		return nil, err
	} else if !flagged {
		// The flag was removed and its watch event is late or lost, or there
		// is only a processing mark, which announces nothing, holds up
		// everybody and is the leader's to remove.
		j.cache.Suspect()
		return nil, ignore(client.Delete(ctx, j.tree.Processing(), zk.AnyVersion), zk.ErrNoNode)
	}
	data, stat, err := client.Get(ctx, j.tree.Config())
	if err != nil {
		return nil, ignore(err, zk.ErrNoNode)
	}
	p := &plan{configVersion: stat.Version}
	if p.config, err = jobtree.DecodeConfig(data); err == nil {
		err = p.config.Usable()
	}
	if err != nil {
		return nil, err
	}
	strategy, err := j.strategy(p.config.StrategyType)
	if err != nil {
		return nil, err
	}
	if _, p.processing, err = client.Exists(ctx, j.tree.Processing()); err != nil {
		return nil, err
	}
	if rotates(p.config) {
		if _, p.next, err = client.Exists(ctx, j.tree.NextInstanceIP()); err != nil {
			return nil, err
		}
	}
	if err := j.readItems(ctx, p); err != nil {
		return nil, err
	}
	if p.alive, p.available, err = j.availableNow(ctx); err != nil || len(p.available) == 0 {
		return nil, err
	}
	p.wanted, err = strategy.assign(p.available, j.Name(), p.config.Shards)
	return p, err
}

// readItems reads every existing item's nodes, one request each.
func (j *Job) readItems(ctx context.Context, p *plan) error {
	names, _, err := j.env.Client.Children(ctx, j.tree.Sharding())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	numbers := itemNumbers(names)
	nodes := make([]itemNodes, len(numbers))
	err = each(ctx, len(numbers), func(ctx context.Context, i int) error {
		below, _, err := j.env.Client.Children(ctx, j.tree.Item(numbers[i]))
		if err != nil {
			return ignore(err, zk.ErrNoNode)
		}
		nodes[i] = itemNodes{
			assigned: slices.Contains(below, "instance"),
			running:  slices.Contains(below, "running"),
			failover: slices.Contains(below, "failover"),
			misfire:  slices.Contains(below, "misfire"),
		}
		if nodes[i].assigned {
			owner, _, err := j.env.Client.Get(ctx, j.tree.ItemInstance(numbers[i]))
			nodes[i].owner = string(owner)
			return ignore(err, zk.ErrNoNode)
		}
		return nil
	})
	p.items = make(map[int]itemNodes, len(numbers))
	for i, n := range numbers {
		p.items[n] = nodes[i]
	}
	return err
}

// availableNow is like available, read from the server and not from watches.
func (j *Job) availableNow(ctx context.Context) (alive, available []string, err error) {
	ids, _, err := j.env.Client.Children(ctx, j.tree.Instances())
	if err != nil {
		return nil, nil, ignore(err, zk.ErrNoNode)
	}
	keep := make([]string, len(ids))
	if err := each(ctx, len(ids), func(ctx context.Context, i int) error {
		data, _, err := j.env.Client.Get(ctx, j.tree.Instance(ids[i]))
		if err != nil {
			return ignore(err, zk.ErrNoNode)
		}
		info, ok, err := jobtree.DecodeInstance(data)
		if err != nil || !ok {
			return nil // Skipped as in ElasticJob: it cannot run anything.
		}
		status, _, err := j.env.Client.Get(ctx, j.tree.Server(info.ServerIP))
		if err == nil && string(status) == jobtree.ServerEnabled {
			keep[i] = info.ID
		}
		return ignore(err, zk.ErrNoNode)
	}); err != nil {
		return nil, nil, err
	}
	keep = slices.DeleteFunc(keep, func(id string) bool { return id == "" })
	sharding.SortInstances(keep)
	return ids, keep, nil
}

// awaitQuiet returns when no item runs. Marks whose owner has been absent for
// a session timeout are cleared; see clearStale.
func (j *Job) awaitQuiet(ctx context.Context, p *plan) error {
	for {
		var running []int
		for n, nodes := range p.items {
			if nodes.running {
				running = append(running, n)
			}
		}
		if len(running) == 0 {
			return nil
		}
		slices.Sort(running)
		wait, err := j.clearStale(ctx, running, p.config.Failover)
		if err != nil {
			return err
		}
		if wait > 0 {
			look, cancel := context.WithTimeout(ctx, wait)
			err := j.env.Client.AwaitGone(look, j.tree.ItemRunning(running[0]))
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
		}
		if err := j.readItems(ctx, p); err != nil {
			return err
		}
	}
}

// clearStale removes the running marks of items whose owner has been absent
// for a session timeout, and hands the items to failover first when that is
// on. It returns how long to wait before looking again; 0 says look now.
func (j *Job) clearStale(ctx context.Context, running []int, failover bool) (time.Duration, error) {
	alive, _, err := j.env.Client.Children(ctx, j.tree.Instances())
	if err := ignore(err, zk.ErrNoNode); err != nil {
		return 0, err
	}
	owners := make([]string, len(running)) // of marks that are stale
	waits := make([]time.Duration, len(running))
	if err := each(ctx, len(running), func(ctx context.Context, i int) error {
		var err error
		owners[i], waits[i], err = j.judgeMark(ctx, running[i], alive)
		return err
	}); err != nil {
		return 0, err
	}
	for i, owner := range owners {
		if owner == "" {
			continue
		}
		offer := failover
		if offer {
			// As after a crash that somebody saw: not those of a disabled server.
			status, _, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(owner)))
			if err := ignore(err, zk.ErrNoNode); err != nil {
				return 0, err
			}
			offer = string(status) != jobtree.ServerDisabled
		}
		j.log.Warn("running mark of an instance that is gone; clearing it", "item", running[i], "instance", owner)
		if err := j.release(ctx, running[i], owner, offer); err != nil {
			return 0, err
		}
	}
	return slices.Min(waits), nil
}

// judgeMark names the owner of an item's running mark if the mark is stale,
// and says otherwise how long it may stay.
func (j *Job) judgeMark(ctx context.Context, n int, alive []string) (staleOwner string, wait time.Duration, err error) {
	data, stat, err := j.env.Client.Get(ctx, j.tree.ItemRunning(n))
	if err != nil {
		return "", 0, ignore(err, zk.ErrNoNode)
	}
	patience := j.env.Client.Session().Timeout
	owner := string(data)
	if owner == "" || stat.EphemeralOwner != 0 {
		return "", patience, nil // An ephemeral mark goes with its session.
	}
	key := strconv.Itoa(n) + " " + owner + " " + strconv.FormatInt(stat.Czxid, 10)
	task := &j.control.reshard
	task.mu.Lock()
	defer task.mu.Unlock()
	if slices.Contains(alive, owner) {
		delete(task.stale, key)
		return "", patience, nil
	}
	since, known := task.stale[key]
	if !known {
		since = time.Now()
		if task.stale == nil {
			task.stale = make(map[string]time.Time)
		}
		task.stale[key] = since
	}
	if left := patience - time.Since(since); left > 0 {
		return "", left, nil
	}
	delete(task.stale, key)
	return owner, 0, nil
}

// takeItems is the first transaction: mark processing and take every item from
// its owner, creating items that are new. Items beyond the count go last: they
// have no owner any more and nobody can start them.
func (j *Job) takeItems(ctx context.Context, p *plan) error {
	var ops []zk.Op
	if p.processing {
		ops = append(ops, zk.DeleteOp(j.tree.Processing(), zk.AnyVersion))
	}
	ops = append(ops, zk.CreateOp(j.tree.Processing(), nil, zk.Ephemeral))
	if len(p.items) == 0 {
		if err := j.ensure(ctx, j.tree.Sharding()); err != nil {
			return err
		}
	}
	for n := range p.config.Shards {
		nodes, exists := p.items[n]
		switch {
		case !exists:
			ops = append(ops, zk.CreateOp(j.tree.Item(n), nil, zk.Persistent))
		case nodes.assigned:
			ops = append(ops, zk.DeleteOp(j.tree.ItemInstance(n), zk.AnyVersion))
		}
	}
	for n, nodes := range p.items {
		if n >= p.config.Shards && nodes.assigned {
			ops = append(ops, zk.DeleteOp(j.tree.ItemInstance(n), zk.AnyVersion))
		}
	}
	for _, chunk := range chunks(ops) {
		if err := j.env.Client.Multi(ctx, append([]zk.Op{zk.CheckOp(j.tree.LeaderInstance(), zk.AnyVersion)}, chunk...)...); err != nil {
			return j.moved(err)
		}
	}
	// From here on nobody starts an item; what started before shows now.
	return j.readItems(ctx, p)
}

// giveItems is the second transaction. Only its last part removes the flags,
// so that nobody takes half a distribution for the whole.
func (j *Job) giveItems(ctx context.Context, p *plan, h handover) error {
	for n := range p.items {
		if n >= p.config.Shards {
			for _, path := range []string{j.tree.Item(n), j.tree.FailoverItem(n), j.firedPath(n)} {
				if err := j.env.Client.DeleteAll(ctx, path); err != nil {
					return err
				}
			}
		}
	}
	var ops []zk.Op
	for _, id := range p.available {
		for _, n := range p.wanted[id] {
			ops = append(ops, zk.CreateOp(j.tree.ItemInstance(n), []byte(id), zk.Persistent))
		}
	}
	ops = append(ops, j.handoverOps(h)...)
	if p.next {
		ops = append(ops, zk.DeleteOp(j.tree.NextInstanceIP(), zk.AnyVersion))
	}
	ops = append(ops, zk.DeleteOp(j.tree.Necessary(), zk.AnyVersion), zk.DeleteOp(j.tree.Processing(), zk.AnyVersion))
	for _, chunk := range chunks(ops) {
		guard := []zk.Op{
			zk.CheckOp(j.tree.Config(), p.configVersion),
			zk.CheckOp(j.tree.LeaderInstance(), zk.AnyVersion),
		}
		if err := j.env.Client.Multi(ctx, append(guard, chunk...)...); err != nil {
			return j.moved(err)
		}
	}
	task := &j.control.reshard
	task.mu.Lock()
	task.dealt, task.dealtAt = topology(p.config, p.available), time.Now()
	task.mu.Unlock()
	j.log.Info("items dealt out", "items", p.config.Shards, "instances", len(p.available), "misfired", h.missed)
	return nil
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

// chunks splits operations into transactions below ZooKeeper's packet limit.
func chunks(ops []zk.Op) [][]zk.Op {
	var list [][]zk.Op
	size, from := 0, 0
	for i, op := range ops {
		if size > 0 && size+op.Size() > transactionBytes {
			list = append(list, ops[from:i])
			size, from = 0, i
		}
		size += op.Size()
	}
	return append(list, ops[from:])
}
