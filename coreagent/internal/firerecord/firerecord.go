package firerecord

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Record is a shard's record as it was read.
type Record struct {
	jobtree.FireRecord       // a Java owner keeps none
	Version            int32 // of the node it was read from, or zk.AnyVersion
	Written            int64 // transaction that wrote what was read
	BegunAhead         bool  // a run has begun for a time far ahead of our clock; Begun is empty then
}

// Records are those of one job. Its methods may be called from any goroutine.
type Records struct {
	nodes *nodes.Nodes
	now   func() time.Time
}

// New returns the records of a job; now is the wall clock.
func New(n *nodes.Nodes, now func() time.Time) *Records { return &Records{n, now} }

// Kept reports whether fire times of a job are recorded at all. With misfire off the
// records still keep a new owner from running a fire time that the one before has
// run.
func Kept(c *jobconfig.Config) bool { return c.MonitorExecution && c.Cron != "" }

// AllKeep reports whether every instance is one of those that keep records.
func AllKeep(instances, holders []string) bool {
	return !slices.ContainsFunc(instances, func(id string) bool { return !slices.Contains(holders, id) })
}

// Last reads a shard's record; false if it's absent or damaged.
func (r *Records) Last(ctx context.Context, shard int) (Record, bool, error) {
	data, stat, err := r.nodes.Client.Get(ctx, r.nodes.Tree.FireRecord(shard))
	if err != nil {
		return Record{}, false, zk.Ignore(err, zk.ErrNoNode)
	}
	record, ok := jobtree.DecodeFireRecord(data)
	now := r.now()
	return Record{firetime.Sound(record, now), stat.Version, stat.Mzxid, !firetime.Believable(record.Begun.At, now)}, ok, nil
}

// Ensure makes the record nodes of shards that have none.
func (r *Records) Ensure(ctx context.Context, shards []int) error {
	if err := r.nodes.Ensure(ctx, r.nodes.Tree.FireRecords()); err != nil {
		return err
	}
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		_, err := r.nodes.Client.Create(ctx, r.nodes.Tree.FireRecord(shards[i]), nil, zk.Persistent)
		if errors.Is(err, zk.ErrNodeExists) {
			return nil
		}
		return err
	})
}

// Era is the era of a configuration whose node has a version and was written at a
// time.
func (r *Records) Era(ctx context.Context, config *jobconfig.Config, version int32, written time.Time) (jobtree.FireEra, error) {
	era, _, err := r.ReadEra(ctx, config, version, written)
	return era, err
}

// Note is the node above the fire records, in which the leader notes the era after
// each edit.
type Note struct {
	Era     jobtree.FireEra
	Exists  bool
	Version int32 // of the node
}

// ReadEra is Era that also tells what the note says.
func (r *Records) ReadEra(ctx context.Context, config *jobconfig.Config, version int32, written time.Time) (era jobtree.FireEra, noted Note, err error) {
	data, stat, err := r.nodes.Client.Get(ctx, r.nodes.Tree.FireRecords())
	if zk.Ignore(err, zk.ErrNoNode) != nil {
		return era, noted, err
	}
	noted.Exists, noted.Version = err == nil, stat.Version
	stored, ok := jobtree.DecodeFireEra(data)
	if !ok {
		return firetime.NewEra(config, version, written), noted, nil
	}
	noted.Era = stored
	if stored.Version > version {
		return stored, noted, nil // The configuration is older than the note.
	}
	return firetime.Continue(stored, config, version, written), noted, nil
}

// SwitchedOn is when an operator has last enabled a server, by its node. An agent
// makes the node where there is none, when it starts or after the node of a server
// without instances was removed: that switches nothing, and nobody has written the
// node since. It is the zero time then.
func SwitchedOn(server zk.Stat) time.Time {
	if server.Version == 0 {
		return time.Time{}
	}
	return server.Mtime
}

// EnabledSince is SwitchedOn for a fire time that waited on an instance. A version 0 counts
// from when the node was made, because the leader may have removed the node and the agent
// may have made it again. The leader had then settled the fire time for the servers that
// were enabled.
func EnabledSince(server zk.Stat) time.Time {
	if server.Version == 0 {
		return server.Ctime.Add(-firetime.MostLead)
	}
	return server.Mtime
}

// TurnsServedSince returns since when an operator has had a rotating shard run, now if it
// shouldn't run. The servers of its owner and of the instance that ran it last count from
// when they were enabled, however often their sessions were renewed. The server of another
// instance counts from when that instance came: if the servers before it were all
// disabled, no instance had to run the shard.
func (r *Records) TurnsServedSince(ctx context.Context, owner, last string, instances []string) (time.Time, error) {
	return r.turnsServedSince(ctx, owner, last, instances, SwitchedOn)
}

// TurnWaitedSince is TurnsServedSince for a fire time that waited on an instance, if every
// instance keeps records. A server node that was removed or made again while the fire time
// waited doesn't count as enabled all along; see [EnabledSince]. If the leader hasn't
// settled the fire time, its record still shows it as missed, and it is made up for.
func (r *Records) TurnWaitedSince(ctx context.Context, owner, last string, instances []string) (time.Time, error) {
	return r.turnsServedSince(ctx, owner, last, instances, func(server zk.Stat) time.Time {
		if server.Czxid == 0 {
			return r.now() // There is no node.
		}
		return EnabledSince(server)
	})
}

// turnsServedSince is TurnsServedSince with a function that returns since when a server has
// been enabled. Its argument is the zero Stat if there is no node.
func (r *Records) turnsServedSince(ctx context.Context, owner, last string, instances []string, enabledSince func(zk.Stat) time.Time) (time.Time, error) {
	tree, since := r.nodes.Tree, r.now()
	for _, id := range append([]string{owner, last}, instances...) {
		if id == "" {
			continue
		}
		status, server, err := r.nodes.Client.Get(ctx, tree.Server(jobtree.InstanceIP(id)))
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return since, err
		}
		if err == nil && string(status) != jobtree.ServerEnabled {
			continue
		}
		from := enabledSince(server) // SwitchedOn is zero if there's no node: only that of an enabled server is removed.
		if id != owner && id != last {
			from = SwitchedOn(server)
			instance, exists, err := r.nodes.Client.Exists(ctx, tree.Instance(id))
			if err != nil {
				return since, err
			}
			if !exists {
				continue
			}
			from = firetime.Later(from, instance.Ctime)
		}
		if from.Before(since) {
			since = from
		}
	}
	return since, nil
}

// Offered is what a failover offer says that the interrupted run was due for. A moment
// further in the future than clocks may differ was written by hand: it isn't known then.
func (r *Records) Offered(data []byte) jobtree.Due {
	due := jobtree.DecodeDue(string(data))
	if !firetime.Believable(due.At, r.now()) {
		return jobtree.Due{}
	}
	return due
}

// RunsAgain reports whether a shard runs again for a missed fire time, or for a later
// one, without another misfire marker: it has a marker, or a failover for such a fire
// time is offered or under way.
//
// A claim doesn't name its fire time, and an offer by a Java agent only counts if it is
// clearly younger than the fire time. If we can't tell, a marker is needed: the end of
// the failover is in the shard's record, which settles a marker too many. But a Java
// agent keeps no record, so if one may hold the claim, there must be no marker.
func (r *Records) RunsAgain(ctx context.Context, shard int, fire time.Time) (bool, error) {
	tree := r.nodes.Tree
	doubtful := false
	for _, path := range []string{tree.FailoverItem(shard), tree.ItemFailover(shard), tree.ItemMisfire(shard)} {
		data, stat, err := r.nodes.Client.Get(ctx, path)
		due := r.Offered(data)
		switch {
		case errors.Is(err, zk.ErrNoNode):
			continue
		case err != nil:
			return false, err
		case path == tree.ItemMisfire(shard):
			return true, nil
		case path == tree.FailoverItem(shard) && !due.Known() && stat.Ctime.After(fire.Add(firetime.MostLead)):
			return true, nil
		case due.Known() && !due.Trigger && !due.At.Before(fire):
			return true, nil
		}
		doubtful = doubtful || !due.Known()
	}
	if !doubtful {
		return false, nil
	}
	all, err := r.AllKeep(ctx)
	return err == nil && !all, err
}

// AllKeep reports whether every instance keeps records, by what the server says.
func (r *Records) AllKeep(ctx context.Context) (bool, error) {
	holders, err := r.nodes.Children(ctx, r.nodes.Tree.Agents())
	if zk.Ignore(err, zk.ErrNoNode) != nil {
		return false, err
	}
	instances, err := r.nodes.Children(ctx, r.nodes.Tree.Instances())
	return AllKeep(instances, holders), err
}
