package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The assignment of a job with many shards is also recorded in one node below the
// job's extension node, written in the transaction that ends a resharding:
// whoever wants to know it needs two requests instead of one per shard. It counts
// if that transaction was the last to touch the resharding flags; after a
// resharding by Java, which does not write it, the shards themselves are read.

// recordFrom is the number of shards from which an assignment is recorded.
const recordFrom = nodes.ManyShards

// assignment is who owned each shard, "" for nobody, and when that was read.
type assignment struct {
	owners []string // nil: not known
	at     flagHistory
}

// flagHistory counts what happened to the resharding flags: the transaction that
// made their parent, and how often a flag came or went since.
type flagHistory struct {
	czxid    int64
	cversion int32
	pzxid    int64
}

// readFlags reads what has happened to the resharding flags, and whether one is set.
func (j *Job) readFlags(ctx context.Context) (at flagHistory, flagged bool, err error) {
	stat, _, err := j.env.Client.Exists(ctx, j.flagsRoot())
	return flagHistory{stat.Czxid, stat.Cversion, stat.Pzxid}, stat.NumChildren > 0, err
}

// errAnnounced says that the shards of a large job are about to be assigned
// anew: to read them one by one would only delay that. The flags' event is on
// its way.
var errAnnounced = errors.New("the shards are about to be assigned anew")

// readAssignment reads who owns each shard. recorded is when the record of an
// agent of ours was written that told it, zero if none did: such an agent passes
// fire records on as well.
func (j *Job) readAssignment(ctx context.Context, items int, byItem bool) (read assignment, recorded time.Time, err error) {
	seen := j.flagChanges()
	var flagged bool
	if read.at, flagged, err = j.readFlags(ctx); err != nil {
		return assignment{}, recorded, err
	}
	if flagged && items >= recordFrom {
		return assignment{}, recorded, errAnnounced
	}
	if items >= recordFrom && !byItem {
		data, stat, err := j.env.Client.Get(ctx, j.tree.Assignment())
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return assignment{}, recorded, err
		}
		if err == nil && stat.Mzxid == read.at.pzxid {
			if owners, ok := jobtree.DecodeAssignment(data, items); ok {
				read.owners = owners
				return read, stat.Mtime, nil
			}
		}
	}
	read.owners = make([]string, items)
	list := make([]int, items)
	for n := range list {
		list[n] = n
	}
	if items >= recordFrom {
		// Of a job that is new there are none: not to be asked for one by one.
		names, err := j.nodes.Children(ctx, j.tree.Sharding())
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return assignment{}, recorded, err
		}
		list = slices.DeleteFunc(jobtree.ItemNumbers(names), func(n int) bool { return n >= items })
	}
	err = nodes.Each(ctx, len(list), func(ctx context.Context, i int) error {
		n := list[i]
		if items >= recordFrom && j.flagChanges() != seen {
			return errAnnounced
		}
		data, _, err := j.env.Client.Get(ctx, j.tree.ItemInstance(n))
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		read.owners[n] = string(data)
		return nil
	})
	return read, recorded, err
}

// recordOps are the operations that record the assignment, none for a job
// with few shards or where it would not fit into a packet.
func (j *Job) recordOps(ctx context.Context, p *plan) ([]zk.Op, error) {
	if p.config.Shards < recordFrom {
		return nil, nil
	}
	data := jobtree.EncodeAssignment(p.available, p.wanted)
	if len(data) > nodes.TransactionBytes {
		return nil, nil // The old record, if there is one, counts no more.
	}
	if !p.recorded {
		if err := j.nodes.Ensure(ctx, j.tree.Assignment()); err != nil {
			return nil, err
		}
	}
	return []zk.Op{zk.SetOp(j.tree.Assignment(), data, zk.AnyVersion)}, nil
}
