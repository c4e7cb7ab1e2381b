package failover

import (
	"context"
	"slices"
	"strconv"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Crash holds what an instance knows after others have left.
type Crash struct {
	Config     *jobconfig.Config
	Enabled    bool        // this instance's server is enabled
	Rotates    bool        // the job's shard rotates over its instances
	Crashed    []string    // the instances that have left
	Present    []string    // the instances that are still there
	Missing    int64       // the transaction at which the crashed instances were known to be missing
	Owners     []string    // of each shard, by the last assignment; nil if it was not read
	Agents     recipe.Node // the parent of the agents' nodes, as watched
	OnlyAgents bool        // every instance is an agent of this kind
}

// HandleCrash offers the shards that crashed instances were running, and passes one of them to
// taker if it's free. Every survivor does it, and repeating a step does no harm. Instances that an
// operator has shut down but that still run something don't count as crashed. departing lists them,
// even after an error. They must be checked again.
func (f *Failover) HandleCrash(ctx context.Context, c Crash, taker Taker) (departing []string, err error) {
	left, departing, offered, err := f.leftBy(ctx, c)
	if err != nil || len(left) == 0 {
		return departing, err
	}
	if c.Agents.Exists && c.OnlyAgents {
		left, err = f.failOver(ctx, c, left, offered, taker)
	}
	if err == nil && len(left) > 0 {
		err = f.releaseAll(ctx, left, true)
	}
	return departing, err
}

// remains is the state of crashed instances in the tree, by their position in the list.
type remains struct {
	enabled []bool // its server is enabled; the shards of disabled servers don't fail over
	back    []bool // it is registered again
	ends    []bool // its agent's node exists, because an operator has shut the job down there
}

func (f *Failover) readRemains(crashed []string) (r remains, reads []func(ctx context.Context) error) {
	tree, client := f.nodes.Tree, f.nodes.Client
	r = remains{make([]bool, len(crashed)), make([]bool, len(crashed)), make([]bool, len(crashed))}
	for i, id := range crashed {
		reads = append(reads, func(ctx context.Context) error {
			status, _, err := client.Get(ctx, tree.Server(jobtree.InstanceIP(id)))
			r.enabled[i] = string(status) == jobtree.ServerEnabled
			return zk.Ignore(err, zk.ErrNoNode)
		}, func(ctx context.Context) (err error) {
			_, r.back[i], err = client.Exists(ctx, tree.Instance(id))
			return err
		}, func(ctx context.Context) (err error) {
			_, r.ends[i], err = client.Exists(ctx, f.nodes.Agent(id))
			return err
		})
	}
	return r, reads
}

func (f *Failover) readMarkers(shards []int) (list []markers, reads []func(ctx context.Context) error) {
	list = make([]markers, len(shards))
	for i, n := range shards {
		list[i] = f.markersOf(n, "")
		reads = append(reads, list[i].reads(f)...)
	}
	return list, reads
}

// leftBy finds the shards that crashed instances were running, and the current offers. It sends all
// reads at once, because the shards don't run in the meantime.
func (f *Failover) leftBy(ctx context.Context, c Crash) (left []markers, departing []string, offered offers, err error) {
	// The shards are most likely the ones in the last assignment.
	guessed := make([]int, len(c.Owners))
	for n := range guessed {
		guessed[n] = n
	}
	guessed = c.candidates(guessed)
	list, reads := f.readMarkers(guessed)
	var names []string
	reads = append(append(reads, offered.reads(f)...), func(ctx context.Context) (err error) {
		names, err = f.nodes.Children(ctx, f.nodes.Tree.Sharding())
		return zk.Ignore(err, zk.ErrNoNode)
	})
	of, more := f.readRemains(c.Crashed)
	if err := nodes.Together(ctx, append(reads, more...)); err != nil {
		return nil, nil, offered, err
	}
	if shards := c.candidates(jobtree.ItemNumbers(names)); !slices.Equal(shards, guessed) {
		list, reads = f.readMarkers(shards)
		if err := nodes.Together(ctx, reads); err != nil {
			return nil, nil, offered, err
		}
	}
	for _, m := range list {
		for _, mark := range []marker{m.failovering, m.running} {
			at := slices.Index(c.Crashed, mark.data)
			switch {
			case m.owner != "" || at < 0 || of.back[at]:
			case mark.made > c.Missing:
				// The instance has rejoined and made it since. Replies to concurrent requests have
				// no order, so the reply without the instance may be older.
			case mark.session:
				// It was made without failover. Its session is alive, and its run finishes although
				// the instance has left; or both end together.
			case of.ends[at]:
				// Its run finishes, and then the agent's node is removed, or it vanishes with the
				// process.
				departing = append(departing, mark.data)
			case of.enabled[at]:
				m.owner = mark.data
				left = append(left, m)
			}
		}
	}
	return left, departing, offered, nil
}

// candidates returns the shards that a crashed instance may have held. If a job has many shards,
// these are the ones with an absent owner. They include shards that the instance had claimed from
// another, because a leader doesn't reassign a claimed shard while it runs.
func (c Crash) candidates(shards []int) []int {
	if len(shards) < nodes.ManyShards || len(c.Owners) != len(shards) {
		return shards
	}
	return slices.DeleteFunc(shards, func(n int) bool {
		return n < len(c.Owners) && slices.Contains(c.Present, c.Owners[n])
	})
}

// failOver offers the shards of crashed instances in ElasticJob's order, and takes one if this
// instance is free. It uses one transaction without the latch. It returns the shards that need the
// latch after all, because something has changed.
func (f *Failover) failOver(ctx context.Context, c Crash, left []markers, before offers, taker Taker) ([]markers, error) {
	tree := f.nodes.Tree
	ops := []zk.Op{zk.SetOp(tree.Agents(), nil, c.Agents.Stat.Version)}
	if before.allowed && !before.parent { // No shard has ever failed over.
		ops = append(ops, zk.CreateOp(nodes.Parent(tree.FailoverItems()), nil, zk.Persistent))
	}
	if before.allowed && !before.exist {
		ops = append(ops, zk.CreateOp(tree.FailoverItems(), nil, zk.Persistent))
	}
	claim, claimed, unmarked := []zk.Op(nil), -1, false
	var taken Claim
	for _, m := range left {
		release, offered, err := f.releaseOps(ctx, m, true, before)
		if err != nil {
			return nil, err
		}
		ops = append(ops, release...)
		// A shard that was offered before, maybe for another fire time, is taken under the latch.
		offered = offered && !slices.Contains(before.shards, m.shard)
		if offered && (claimed < 0 || strconv.Itoa(m.shard) > strconv.Itoa(claimed)) { // the one ElasticJob picks
			claim, claimed = f.claimOps(m.shard, m.failovering.exists && m.failovering.data != m.owner), m.shard
			unmarked = !m.running.exists || m.running.data == m.owner
			taken.Due, _ = f.interrupted(m)
			if taken.Begun = m.recorded && m.record.Begun.Equal(taken.Due); m.recorded {
				claim = append(claim, zk.CheckOp(tree.FireRecord(m.shard), m.record.Version))
			}
		}
	}
	if claimed >= 0 && (!c.Enabled || !taker.Free()) {
		claim, claimed = nil, -1
	}
	won := int64(0)
	if claimed >= 0 && unmarked && c.Config.MonitorExecution && !c.Rotates && taker.Reserve(claimed) {
		// Create the marker of its run, too, which saves a request before the handler.
		claim = append(claim, zk.CreateOp(tree.ItemRunning(claimed), []byte(f.job.ID()), zk.Persistent))
		defer func() {
			if won == 0 {
				taker.Unreserve(claimed)
			}
		}()
	}
	if ops = append(ops, claim...); len(nodes.Chunks(nodes.Singly(ops))) > 1 {
		return left, nil
	}
	if claimed >= 0 {
		f.rememberClaim(claimed, jobtree.Due{})
	}
	stats, err := f.nodes.Client.MultiStats(ctx, ops...)
	if zk.RefusedPath(err) != "" {
		return left, nil
	}
	if err != nil && claimed >= 0 {
		taker.Doubt(claimed) // The claim may have succeeded although no reply came.
	}
	f.log.DebugContext(ctx, "markers of dead instances released", "shards", len(left), "claimed", claimed, "err", err)
	if err != nil || claimed < 0 {
		return nil, err
	}
	won = stats[0].Mzxid
	taken.Shard, taken.Token = claimed, won
	f.take(taken, taker)
	return nil, nil
}
