package failover

import (
	"context"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// markers are the nodes that say who runs a shard. A dead owner leaves that of
// its run or those of a claim.
type markers struct {
	shard                          int
	owner                          string // the dead one
	running, failover, failovering marker
	record                         firerecord.Record
	recorded                       bool
}

// marker is one of them as it was read.
type marker struct {
	path    string
	data    string
	version int32
	made    int64 // transaction
	exists  bool
	// session says that the marker goes with a session, and so that one lives as
	// long as it stands.
	session bool
}

func (f *Failover) markersOf(n int, owner string) markers {
	return markers{
		shard: n, owner: owner,
		running:  marker{path: f.nodes.Tree.ItemRunning(n)},
		failover: marker{path: f.nodes.Tree.ItemFailover(n)}, failovering: marker{path: f.nodes.Tree.ItemFailovering(n)},
	}
}

// reads read the markers.
func (m *markers) reads(f *Failover) []func(ctx context.Context) error {
	var reads []func(ctx context.Context) error
	for _, mark := range []*marker{&m.running, &m.failover, &m.failovering} {
		reads = append(reads, func(ctx context.Context) error {
			data, stat, err := f.nodes.Client.Get(ctx, mark.path)
			mark.data, mark.version, mark.made, mark.exists = string(data), stat.Version, stat.Czxid, err == nil
			mark.session = stat.EphemeralOwner != 0
			return zk.Ignore(err, zk.ErrNoNode)
		})
	}
	return append(reads, func(ctx context.Context) (err error) {
		m.record, m.recorded, err = f.records.Last(ctx, m.shard)
		return err
	})
}

// interrupted returns what the dead owner's run was due for. It is false if that run
// must not be offered, because the fire time has been completed since, or because it
// hasn't come: a run marks its shards a moment before it calls any handler.
func (f *Failover) interrupted(m markers) (due jobtree.Due, offer bool) {
	if !m.recorded {
		return due, true
	}
	taker := m.failovering.exists && m.failovering.data == m.owner
	if m.record.BegunAhead && (taker || m.record.Owner == m.owner) {
		return due, false // By our clock it hasn't come. Its next owner makes up for it.
	}
	due = m.record.Begun
	if due.Known() && (taker || m.record.Owner == m.owner) {
		return due, due.Trigger || !firetime.Done(m.record.FireRecord, due.At) && !due.At.After(f.job.Now())
	}
	if ran := m.running.exists && m.running.data == m.owner; ran && taker && !f.job.Rotates() {
		return due, false // A taker names what it runs, so another run has completed that since.
	}
	// The run of a Java agent, of an older version, or of a shard that rotates.
	newest, scheduled := f.job.Missed(m.record.Completed, f.job.Now())
	if !scheduled || !newest.IsZero() {
		return jobtree.Due{At: newest}, true
	}
	if f.job.Rotates() && f.job.OnlyAgents() {
		// The record would name a trigger. So it was a fire time that has been completed
		// since, or that has yet to come by this clock: the instance that has the turn runs it then.
		return jobtree.Due{}, false
	}
	return jobtree.Due{At: f.job.Now(), Trigger: true}, !taker // What a taker claimed has been completed since.
}

// until forgets what the owner has made later than a transaction.
func (m *markers) until(transaction int64) {
	for _, mark := range []*marker{&m.running, &m.failover, &m.failovering} {
		mark.exists = mark.exists && (mark.data != m.owner || mark.made < transaction)
	}
}

// offers are the shards that are offered to everybody, and whether more may be.
type offers struct {
	exist   bool // the node above them does
	parent  bool // the node above that one does
	shards  []int
	allowed bool  // failover is on
	config  int32 // version of the configuration that says so
}

// reads read the offers. One that is made when failover was switched off is
// nobody's to take, and nobody's to tidy up. The configuration as this instance
// last read it may be older than the session.
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
