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

// Record is a shard's record as read.
type Record struct {
	jobtree.FireRecord       // a Java owner keeps none
	Version            int32 // of its node, or zk.AnyVersion
	Written            int64 // transaction of the last write
	BegunAhead         bool  // a run has begun for a time far ahead of our clock, so Begun is empty
}

// Records are the records of one job. Its methods are safe for concurrent use.
type Records struct {
	nodes *nodes.Nodes
	now   func() time.Time
}

// New returns the records of a job; now returns the wall time.
func New(n *nodes.Nodes, now func() time.Time) *Records { return &Records{n, now} }

// Enabled reports whether a job's fire times are recorded at all. Even with misfire off, the records
// keep a new owner from repeating a fire time that its predecessor has run.
func Enabled(c *jobconfig.Config) bool { return c.MonitorExecution && c.Cron != "" }

// AllKeep reports whether every instance keeps records.
func AllKeep(instances, holders []string) bool {
	return !slices.ContainsFunc(instances, func(id string) bool { return !slices.Contains(holders, id) })
}

// Last reads a shard's record. It returns false if the record is missing or damaged.
func (r *Records) Last(ctx context.Context, shard int) (Record, bool, error) {
	data, stat, err := r.nodes.Client.Get(ctx, r.nodes.Tree.FireRecord(shard))
	if err != nil {
		return Record{}, false, zk.Ignore(err, zk.ErrNoNode)
	}
	record, ok := jobtree.DecodeFireRecord(data)
	now := r.now()
	return Record{firetime.Sound(record, now), stat.Version, stat.Mzxid, !firetime.Believable(record.Begun.At, now)}, ok, nil
}

// Ensure creates the missing record nodes of shards.
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

// Note is the parent node of the fire records, where the leader notes the era after each edit.
type Note struct {
	Era     jobtree.FireEra
	Exists  bool
	Version int32 // of the node
}

// ReadEra returns the era of a configuration with the version and write time of its node, and the
// leader's note.
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

// SwitchedOn returns when an operator last enabled a server, from the stat of its node. When an
// agent creates a missing node, at its start or after the node of a server without instances was
// removed, that enables nothing. If the node hasn't been written since, the time is zero.
func SwitchedOn(server zk.Stat) time.Time {
	if server.Version == 0 {
		return time.Time{}
	}
	return server.Mtime
}

// EnabledSince is SwitchedOn for a fire time that waited on an instance. A node with version 0
// counts from its creation, because the leader may have removed the node and the agent created it
// again. In that case the leader had already settled the fire time for the enabled servers.
func EnabledSince(server zk.Stat) time.Time {
	if server.Version == 0 {
		return server.Ctime.Add(-firetime.MostLead)
	}
	return server.Mtime
}

// TurnsServedSince returns since when a rotating shard has had an enabled server, or now if it has
// none. The servers of its owner and of the instance that ran it last count from when they were
// enabled, no matter how often their sessions were renewed. Another instance's server counts from
// when that instance joined, because if all earlier servers were disabled, no instance had to run
// the shard.
func (r *Records) TurnsServedSince(ctx context.Context, owner, last string, instances []string) (time.Time, error) {
	return r.turnsServedSince(ctx, owner, last, instances, SwitchedOn)
}

// TurnWaitedSince is TurnsServedSince for a fire time that waited on an instance, if every instance
// keeps records. A server node that was removed or created again in that time doesn't count as
// enabled throughout; see [EnabledSince]. If the leader hasn't settled the fire time, the record
// still shows it as missed, and a misfire run makes up for it.
func (r *Records) TurnWaitedSince(ctx context.Context, owner, last string, instances []string) (time.Time, error) {
	return r.turnsServedSince(ctx, owner, last, instances, func(server zk.Stat) time.Time {
		if server.Czxid == 0 {
			return r.now() // The node is missing.
		}
		return EnabledSince(server)
	})
}

// turnsServedSince is TurnsServedSince with a function that returns since when a server has been
// enabled. Its argument is the zero Stat if the node is missing.
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
		from := enabledSince(server) // zero if the node is missing: only enabled servers are removed
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

// Offered returns the fire time or trigger in a failover offer. If it's further in the future than
// clocks may differ, it was written by hand and counts as unknown.
func (r *Records) Offered(data []byte) jobtree.Due {
	due := jobtree.DecodeDue(string(data))
	if !firetime.Believable(due.At, r.now()) {
		return jobtree.Due{}
	}
	return due
}

// RunsAgain reports whether a shard will run for a missed fire time, or a later one, without
// another misfire marker, because it has a marker, or because a failover for such a fire time is
// offered or running.
//
// A claim doesn't name its fire time, and an offer by a Java agent counts only if it's clearly
// younger than the fire time. In case of doubt a marker is needed. The end of the failover is
// written to the shard's record, which settles a superfluous marker. But Java agents keep no
// record, so if one may hold the claim, there must be no marker.
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

// AllKeep reports whether every instance keeps records, according to the server.
func (r *Records) AllKeep(ctx context.Context) (bool, error) {
	holders, err := r.nodes.Children(ctx, r.nodes.Tree.Agents())
	if zk.Ignore(err, zk.ErrNoNode) != nil {
		return false, err
	}
	instances, err := r.nodes.Children(ctx, r.nodes.Tree.Instances())
	return AllKeep(instances, holders), err
}
