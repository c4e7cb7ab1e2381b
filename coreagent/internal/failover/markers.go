package failover

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// markers are the nodes that mark a shard as running. A dead owner leaves the marker of its run or
// of a claim.
type markers struct {
	shard                          int
	owner                          string // the dead one
	running, failover, failovering marker
	record                         firerecord.Record
	recorded                       bool
}

type marker struct {
	path    string
	data    string
	version int32
	made    int64     // transaction
	at      time.Time // when it was made, by the server's clock
	exists  bool
	// session is set if the marker is ephemeral, so its session lives as long as it exists.
	session bool
}

func (f *Failover) markersOf(n int, owner string) markers {
	return markers{
		shard: n, owner: owner,
		running:  marker{path: f.nodes.Tree.ItemRunning(n)},
		failover: marker{path: f.nodes.Tree.ItemFailover(n)}, failovering: marker{path: f.nodes.Tree.ItemFailovering(n)},
	}
}

func (m *markers) reads(f *Failover) []func(ctx context.Context) error {
	var reads []func(ctx context.Context) error
	for _, mark := range []*marker{&m.running, &m.failover, &m.failovering} {
		reads = append(reads, func(ctx context.Context) error {
			data, stat, err := f.nodes.Client.Get(ctx, mark.path)
			mark.data, mark.version, mark.made, mark.at, mark.exists = string(data), stat.Version, stat.Czxid, stat.Ctime, err == nil
			mark.session = stat.EphemeralOwner != 0
			return zk.Ignore(err, zk.ErrNoNode)
		})
	}
	return append(reads, func(ctx context.Context) (err error) {
		m.record, m.recorded, err = f.records.Last(ctx, m.shard)
		return err
	})
}

// interrupted returns the fire time or trigger of the dead owner's run. offer is false if the run
// must not be offered, because its fire time was completed since or hasn't come: a run marks its
// shards a moment before it calls any handler.
func (f *Failover) interrupted(m markers) (due jobtree.Due, offer bool) {
	if !m.recorded {
		return due, true
	}
	taker := m.failovering.exists && m.failovering.data == m.owner
	if m.record.BegunAhead && (taker || m.record.Owner == m.owner) {
		return due, false // By our clock it hasn't come, so its next owner makes up for it.
	}
	due = m.record.Begun
	if due.Known() && (taker || m.record.Owner == m.owner) {
		return due, due.Trigger || !firetime.Done(m.record.FireRecord, due.At) && !due.At.After(f.job.Now())
	}
	if ran := m.running.exists && m.running.data == m.owner; ran && taker && !f.job.Rotates() {
		return due, false // A taker's claim names its run, so another run has completed it.
	}
	if own, known := f.claimOf(m.shard); known && !own.Trigger && taker && m.owner == f.job.ID() {
		return own, !firetime.Done(m.record.FireRecord, own.At) // Our clock may be wrong.
	}
	// The run is from a Java agent, an older version, or a rotating shard.
	until := f.job.Now()
	if m.running.exists && m.running.data == m.owner {
		until = f.job.Newest(m.running.at)
	}
	newest, scheduled := f.job.Missed(m.record.Completed, until)
	if !scheduled || !newest.IsZero() {
		return jobtree.Due{At: newest}, true
	}
	if f.job.Rotates() && f.job.OnlyAgents() {
		// The record would name a trigger. So it was a fire time that has been completed since, or
		// that hasn't come by our clock; then the instance whose turn it is runs it.
		return jobtree.Due{}, false
	}
	return jobtree.Due{At: f.job.Now(), Trigger: true}, !taker // A taker's run has been completed since.
}

// until drops markers that the owner has made after a transaction.
func (m *markers) until(transaction int64) {
	for _, mark := range []*marker{&m.running, &m.failover, &m.failovering} {
		mark.exists = mark.exists && (mark.data != m.owner || mark.made < transaction)
	}
}

// offers are the current offers, and whether more may be made.
type offers struct {
	exist   bool // their parent node exists
	parent  bool // the parent of that node exists
	shards  []int
	allowed bool  // failover is on
	config  int32 // version of that configuration
}

// reads returns the reads of the offers. After failover is switched off, an offer would never be
// taken or removed. This instance's configuration may be older than the session.
func (o *offers) reads(f *Failover) []func(ctx context.Context) error {
	return []func(ctx context.Context) error{func(ctx context.Context) error {
		names, err := f.nodes.Children(ctx, f.nodes.Tree.FailoverItems())
		o.exist, o.shards = err == nil, jobtree.ItemNumbers(names)
		return zk.Ignore(err, zk.ErrNoNode)
	}, func(ctx context.Context) (err error) {
		_, o.parent, err = f.nodes.Client.Exists(ctx, nodes.Parent(f.nodes.Tree.FailoverItems()))
		return err
	}, func(ctx context.Context) error {
		data, stat, err := f.nodes.Client.Get(ctx, f.nodes.Tree.Config())
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		config, err := jobconfig.Decode(data)
		o.allowed, o.config = err != nil || config.Failover, stat.Version
		return nil
	}}
}
