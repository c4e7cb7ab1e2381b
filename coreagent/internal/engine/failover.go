package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// Who releases what a dead instance left reads its marks and removes them later.
// The marks alone do not tell whether they are the same then: that of a taker
// looks like the dead owner's to ZooKeeper, version and all. Two things keep
// a release that comes late from removing another one's mark:
//
//   - the fence, among agents of this kind: the data version of the node above
//     [Job.agentPath] grows with each release, and each is refused unless the
//     version is the one it knew before it read the marks;
//   - ElasticJob's failover latch, beside Java's: what is offered is taken
//     under it only.
//
// Where every instance is of this kind a survivor that is free therefore needs
// one transaction to release the items, offer them and take one.

// agentOf is the node of another instance's agent. It outlives the instance's node
// where an operator has shut the job down while it runs.
func (j *Job) agentOf(id string) string { return j.agentsRoot() + "/" + id }

// handleCrashes offers the items that a vanished instance was running to the
// others. Every survivor does it; each step leaves nothing to do twice.
func (j *Job) handleCrashes(ctx context.Context, v *view, previous []string) error {
	if v.config == nil || !v.config.Failover {
		return nil
	}
	present := j.control.instances
	var crashed []string
	for _, id := range previous {
		if id != j.id && !slices.Contains(present, id) {
			crashed = append(crashed, id)
		}
	}
	if len(crashed) == 0 {
		return nil
	}
	agents := j.cache.Get(j.agentsRoot())
	left, offered, err := j.leftBy(ctx, crashed, present)
	if err == nil && len(left) > 0 {
		if agents.Exists && j.onlyAgents() {
			left, err = j.failOver(ctx, v, left, offered, agents.Stat.Version)
		}
		if err == nil && len(left) > 0 {
			err = j.releaseAll(ctx, left, true)
		}
	}
	if err != nil {
		// The list of instances must be compared again.
		j.control.instances = previous
	}
	return err
}

// marks are the nodes that say who runs an item. A dead owner leaves that of
// its run or those of a claim.
type marks struct {
	item                           int
	owner                          string // the dead one
	running, failover, failovering mark
}

type mark struct {
	path    string
	data    string
	version int32
	made    int64 // transaction
	exists  bool
}

func (j *Job) marksOf(n int, owner string) marks {
	return marks{
		item: n, owner: owner,
		running:  mark{path: j.tree.ItemRunning(n)},
		failover: mark{path: j.tree.ItemFailover(n)}, failovering: mark{path: j.tree.ItemFailovering(n)},
	}
}

// reads read the marks.
func (m *marks) reads(j *Job) []func(ctx context.Context) error {
	var reads []func(ctx context.Context) error
	for _, mark := range []*mark{&m.running, &m.failover, &m.failovering} {
		reads = append(reads, func(ctx context.Context) error {
			data, stat, err := j.env.Client.Get(ctx, mark.path)
			mark.data, mark.version, mark.made, mark.exists = string(data), stat.Version, stat.Czxid, err == nil
			return zk.Ignore(err, zk.ErrNoNode)
		})
	}
	return reads
}

// until forgets what the owner has made later than a transaction.
func (m *marks) until(transaction int64) {
	for _, mark := range []*mark{&m.running, &m.failover, &m.failovering} {
		mark.exists = mark.exists && (mark.data != m.owner || mark.made < transaction)
	}
}

// offers are the items that are offered to everybody, and whether more may be.
type offers struct {
	exist   bool // the node above them does
	parent  bool // the node above that one does
	items   []int
	allowed bool  // failover is on
	config  int32 // version of the configuration that says so
}

// reads read the offers. One that is made when failover was switched off is
// nobody's to take, and nobody's to tidy up. The configuration as this instance
// last read it may be older than the session.
func (o *offers) reads(j *Job) []func(ctx context.Context) error {
	return []func(ctx context.Context) error{func(ctx context.Context) error {
		names, err := j.nodes.Children(ctx, j.tree.FailoverItems())
		o.exist, o.items = err == nil, jobtree.ItemNumbers(names)
		return zk.Ignore(err, zk.ErrNoNode)
	}, func(ctx context.Context) (err error) {
		_, o.parent, err = j.env.Client.Exists(ctx, nodes.Parent(j.tree.FailoverItems()))
		return err
	}, func(ctx context.Context) error {
		data, stat, err := j.env.Client.Get(ctx, j.tree.Config())
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		config, err := jobtree.DecodeConfig(data)
		o.allowed, o.config = err != nil || config.Failover, stat.Version
		return nil
	}}
}

// leftBy looks for the items that crashed instances were running, and for what
// is offered. Everything is asked for at once: while it lasts nobody runs the
// items.
func (j *Job) leftBy(ctx context.Context, crashed, present []string) (left []marks, offered offers, err error) {
	// Which items there are is most likely what the last dealing out said.
	guessed := make([]int, len(j.control.assigned))
	for n := range guessed {
		guessed[n] = n
	}
	guessed = j.crashCandidates(guessed, present)
	list := make([]marks, len(guessed))
	reads := make([]func(ctx context.Context) error, 0, 3+2*len(crashed)+3*len(list))
	for i, n := range guessed {
		list[i] = j.marksOf(n, "")
		reads = append(reads, list[i].reads(j)...)
	}
	var names []string
	reads = append(append(reads, offered.reads(j)...), func(ctx context.Context) (err error) {
		names, err = j.nodes.Children(ctx, j.tree.Sharding())
		return zk.Ignore(err, zk.ErrNoNode)
	})
	enabled, back, ends := make([]bool, len(crashed)), make([]bool, len(crashed)), make([]bool, len(crashed))
	for i, id := range crashed {
		reads = append(reads, func(ctx context.Context) error {
			status, _, err := j.env.Client.Get(ctx, j.tree.Server(jobtree.InstanceIP(id)))
			// The items of a server that an operator disabled are not failed over.
			enabled[i] = string(status) == jobtree.ServerEnabled
			return zk.Ignore(err, zk.ErrNoNode)
		}, func(ctx context.Context) (err error) {
			_, back[i], err = j.env.Client.Exists(ctx, j.tree.Instance(id))
			return err
		}, func(ctx context.Context) (err error) {
			_, ends[i], err = j.env.Client.Exists(ctx, j.agentOf(id))
			return err
		})
	}
	if err := nodes.Together(ctx, reads); err != nil {
		return nil, offered, err
	}
	if items := j.crashCandidates(jobtree.ItemNumbers(names), present); !slices.Equal(items, guessed) {
		list, reads = make([]marks, len(items)), nil
		for i, n := range items {
			list[i] = j.marksOf(n, "")
			reads = append(reads, list[i].reads(j)...)
		}
		if err := nodes.Together(ctx, reads); err != nil {
			return nil, offered, err
		}
	}
	for _, m := range list {
		for _, mark := range []mark{m.failovering, m.running} {
			at := slices.Index(crashed, mark.data)
			switch {
			case m.owner != "" || at < 0 || back[at]:
			case ends[at]:
				// An operator has shut the job down there. What runs comes to its end,
				// and then the agent's node goes, or with the process.
				j.control.departing = append(j.control.departing, mark.data)
			case enabled[at]:
				m.owner = mark.data
				left = append(left, m)
			}
		}
	}
	return left, offered, nil
}

// crashCandidates narrows the items that a crashed instance may have held: of a
// job with many items, those whose owner is not present. What it had claimed
// from another one is among them, as that one's items are not dealt out anew
// while a claim runs.
func (j *Job) crashCandidates(items []int, present []string) []int {
	owners := j.control.assigned
	if len(items) < recordFrom || len(owners) != len(items) {
		return items
	}
	return slices.DeleteFunc(items, func(n int) bool {
		return n < len(owners) && slices.Contains(present, owners[n])
	})
}

// failOver offers the items of crashed instances to everybody, in the order of
// ElasticJob, and takes one if this instance is free: all by one transaction
// that needs no latch. It returns the items for which the latch is needed after
// all, because something changed meanwhile.
func (j *Job) failOver(ctx context.Context, v *view, left []marks, before offers, version int32) ([]marks, error) {
	ops := []zk.Op{zk.SetOp(j.agentsRoot(), nil, version)}
	if before.allowed && !before.parent { // Nothing was ever failed over.
		ops = append(ops, zk.CreateOp(nodes.Parent(j.tree.FailoverItems()), nil, zk.Persistent))
	}
	if before.allowed && !before.exist {
		ops = append(ops, zk.CreateOp(j.tree.FailoverItems(), nil, zk.Persistent))
	}
	var won item
	claim, claimed, unmarked := []zk.Op(nil), -1, false
	for _, m := range left {
		release, offered, err := j.releaseOps(ctx, m, true, before)
		if err != nil {
			return nil, err
		}
		ops = append(ops, release...)
		if offered && (claimed < 0 || strconv.Itoa(m.item) > strconv.Itoa(claimed)) { // As ElasticJob picks.
			claim, claimed = j.claimOps(m.item, m.failovering.exists && m.failovering.data != m.owner), m.item
			unmarked = !m.running.exists || m.running.data == m.owner
		}
	}
	if claimed >= 0 && (!v.enabled || !j.freeForFailover(v)) {
		claim, claimed = nil, -1
	}
	if claimed >= 0 && unmarked && v.config.MonitorExecution && !rotates(v.config) {
		// The mark of its run as well, which is a request less before the body.
		if won.reserved = j.reserve(claimed); won.reserved != nil {
			claim = append(claim, zk.CreateOp(j.tree.ItemRunning(claimed), []byte(j.id), zk.Persistent))
		}
	}
	won.number, won.claimed = claimed, v.epoch
	defer func() {
		if won.token == 0 {
			j.letGo([]item{won})
		}
	}()
	if ops = append(ops, claim...); len(nodes.Chunks(nodes.Singly(ops))) > 1 {
		return left, nil
	}
	stats, err := j.env.Client.MultiStats(ctx, ops...)
	if refused := (*zk.MultiError)(nil); errors.As(err, &refused) {
		return left, nil
	}
	if err != nil && claimed >= 0 {
		j.control.doubts = append(j.control.doubts, claimed) // It may have been made although no answer came.
	}
	j.log.Debug("marks of dead instances released", "items", len(left), "claimed", claimed, "err", err)
	if err != nil || claimed < 0 {
		return nil, err
	}
	won.token = stats[0].Mzxid
	j.runTaken(won)
	return nil, nil
}

// release removes what says that a dead owner runs an item, or has claimed it.
// If the caller wants it, and failover is on, the item is offered to the others
// in the same transaction, unless a living instance already runs it as one.
func (j *Job) release(ctx context.Context, n int, owner string, failover bool) error {
	return j.releaseAll(ctx, []marks{j.marksOf(n, owner)}, failover)
}

// releaseAll releases items under the failover latch.
func (j *Job) releaseAll(ctx context.Context, left []marks, failover bool) error {
	return j.nodes.Hold(ctx, j.tree.FailoverLatch(), func(ctx context.Context, place *recipe.Place) error {
		for {
			groups, err := j.readRelease(ctx, left, failover)
			if err != nil || len(groups) == 0 {
				return err
			}
			_, err = j.nodes.Commit(ctx, place, groups)
			j.log.Debug("marks of dead instances released", "items", len(left), "err", err)
			// Java's survivors do not use the latch for this: look again.
			if !errors.Is(err, zk.ErrNodeExists) && !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
				return err
			}
		}
	})
}

// readRelease reads the marks of items anew and returns the operations that
// release them, behind the fence. What an owner that is back has made since is
// left alone: a lost session comes back under the same id, and so does a
// container that is started again.
func (j *Job) readRelease(ctx context.Context, left []marks, failover bool) ([][]zk.Op, error) {
	fence, fenced, err := j.env.Client.Exists(ctx, j.agentsRoot())
	if err != nil {
		return nil, err
	}
	var before offers
	reads := before.reads(j)
	back := make(map[string]*int64) // when owners came back, by transaction; 0 for those that did not
	for i := range left {
		reads = append(reads, left[i].reads(j)...)
		owner := left[i].owner
		if owner == j.id || back[owner] != nil || jobtree.ValidateInstanceID(owner) != nil {
			continue // Itself, asked for already, or nobody who could come back.
		}
		at := new(int64)
		back[owner] = at
		reads = append(reads, func(ctx context.Context) error {
			instance, _, err := j.env.Client.Exists(ctx, j.tree.Instance(owner))
			*at = instance.Czxid
			return err
		})
	}
	if err := nodes.Together(ctx, reads); err != nil {
		return nil, err
	}
	var groups [][]zk.Op
	for _, m := range left {
		if at := back[m.owner]; at != nil && *at != 0 {
			m.until(*at)
		}
		ops, _, err := j.releaseOps(ctx, m, failover, before)
		if err != nil {
			return nil, err
		}
		if len(ops) > 0 {
			groups = append(groups, ops)
		}
	}
	if len(groups) > 0 && failover && before.allowed && !before.exist {
		groups = slices.Insert(groups, 0, []zk.Op{zk.CheckOp(j.tree.Config(), zk.AnyVersion), zk.CreateOp(j.tree.FailoverItems(), nil, zk.Persistent)})
	}
	if len(groups) > 0 && fenced {
		groups = slices.Insert(groups, 0, []zk.Op{zk.SetOp(j.agentsRoot(), nil, fence.Version)})
	}
	return groups, nil
}

// releaseOps remove the marks of an item's dead owner. offers says whether the
// item is offered to everybody then.
func (j *Job) releaseOps(ctx context.Context, m marks, failover bool, before offers) (ops []zk.Op, offers bool, err error) {
	var runs *batch // of this instance, under its present session
	if m.owner == j.id {
		runs = j.runsNow(m.item)
	}
	if runs != nil && runs.failover != nil {
		return nil, false, nil // The claim is under way and was never in doubt.
	}
	ran, claimed := false, false
	for _, mark := range []mark{m.running, m.failover, m.failovering} {
		if runs != nil && mark == m.running {
			continue // It has the item in order, and claimed it besides.
		}
		if mark.exists && mark.data == m.owner {
			ops = append(ops, zk.DeleteOp(mark.path, mark.version))
			ran, claimed = ran || mark == m.running, claimed || mark != m.running
		}
	}
	if ran && claimed { // A taker died in the run: its token is newer than the owner's.
		renew, err := j.renewOps(ctx, m.item)
		if err != nil {
			return nil, false, err
		}
		ops = append(ops, renew...)
	}
	if taken := m.failover.exists && m.failover.data != m.owner; len(ops) == 0 || taken || runs != nil || !failover || !before.allowed {
		return ops, false, nil
	}
	if !slices.Contains(before.items, m.item) {
		ops = slices.Insert(ops, 0, zk.CheckOp(j.tree.Config(), before.config), zk.CreateOp(j.tree.FailoverItem(m.item), nil, zk.Persistent))
	}
	return ops, true, nil
}

// runsNow returns the batch that has an item in this process, if it was begun
// under the present session.
func (j *Job) runsNow(n int) *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	if b := j.queue.held[n]; b != nil && b.epoch == j.env.Client.Session().Epoch {
		return b
	}
	return nil
}

// takeFailover takes one offered item if this instance is free for it, and runs
// it. Busy instances look again when their run has ended, eager ones take what
// is offered at once; see beside.go.
func (j *Job) takeFailover(ctx context.Context, v *view) error {
	offered := len(j.nodes.Seen(j.cache, j.tree.FailoverItems())) > 0
	if v.config == nil || !v.config.Failover || !v.enabled || !offered || !j.freeForFailover(v) {
		return nil
	}
	won, token := -1, int64(0)
	err := j.nodes.Hold(ctx, j.tree.FailoverLatch(), func(ctx context.Context, place *recipe.Place) error {
		if !j.freeForFailover(v) {
			return nil
		}
		names, err := j.nodes.Children(ctx, j.tree.FailoverItems())
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		slices.Sort(names)
		for _, name := range slices.Backward(names) { // Descending as text, as in ElasticJob.
			n, ok := jobtree.ParseItem(name)
			if !ok {
				continue
			}
			if n >= v.config.Shards { // Nobody can run it; a resharding removes what is left of it.
				if err := j.withdrawOffer(ctx, n); err != nil {
					return err
				}
				continue
			}
			token, err = j.claimFailover(ctx, place, n)
			if err != nil {
				// The claim may have been made although no answer came.
				j.control.doubts = append(j.control.doubts, n)
				return err
			}
			if token != 0 {
				won = n
				return nil
			}
		}
		return nil
	})
	if won < 0 {
		return err
	}
	j.runTaken(item{number: won, token: token, claimed: v.epoch})
	return nil
}

// runTaken runs an item that this instance has claimed.
func (j *Job) runTaken(i item) {
	j.log.Info("failover: took an item of an instance that is gone", "item", i.number)
	j.onFailover(i)
}

// claimFailover marks an offered item as taken by this instance. It returns the
// transaction, the item's token; 0 if the item cannot be taken.
func (j *Job) claimFailover(ctx context.Context, place *recipe.Place, n int) (int64, error) {
	_, marked, err := j.env.Client.Exists(ctx, j.tree.ItemFailovering(n))
	if err != nil {
		return 0, err
	}
	stats, err := j.nodes.Commit(ctx, place, [][]zk.Op{j.claimOps(n, marked)})
	switch {
	case err == nil:
		return slices.MaxFunc(stats, func(a, b zk.Stat) int { return cmp.Compare(a.Mzxid, b.Mzxid) }).Mzxid, nil
	case errors.Is(err, zk.ErrNodeExists):
		return 0, nil // Somebody runs it.
	case errors.Is(err, zk.ErrNoNode):
		return 0, j.withdrawOffer(ctx, n)
	}
	return 0, err
}

// claimOps mark an offered item as taken by this instance. The last of the
// claim's nodes is written twice because the reply tells which transaction wrote
// it, and not which one created it.
func (j *Job) claimOps(n int, marked bool) []zk.Op {
	ops := []zk.Op{zk.CreateOp(j.tree.ItemFailover(n), []byte(j.id), zk.Ephemeral)}
	if !marked {
		ops = append(ops, zk.CreateOp(j.tree.ItemFailovering(n), []byte(j.id), zk.Persistent))
	}
	return append(ops, zk.SetOp(j.tree.ItemFailovering(n), []byte(j.id), zk.AnyVersion),
		zk.DeleteOp(j.tree.FailoverItem(n), zk.AnyVersion))
}

// withdrawOffer removes the offer of an item that does not exist any more.
func (j *Job) withdrawOffer(ctx context.Context, n int) error {
	if _, exists, err := j.env.Client.Exists(ctx, j.tree.Item(n)); err != nil || exists {
		return err
	}
	return zk.Ignore(j.env.Client.Delete(ctx, j.tree.FailoverItem(n), zk.AnyVersion), zk.ErrNoNode)
}
