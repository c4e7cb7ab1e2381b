package reshard

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

// Assignment is who owned each shard, "" for nobody, and when that was read.
type Assignment struct {
	Owners []string // nil: not known
	At     FlagHistory
}

// FlagHistory counts what happened to the resharding flags: the transaction that
// made their parent, and how often a flag came or went since.
type FlagHistory struct {
	Czxid    int64
	Cversion int32
	Pzxid    int64
}

// ReadFlags reads what has happened to the resharding flags, and whether one is set.
func (r *Resharding) ReadFlags(ctx context.Context) (at FlagHistory, flagged bool, err error) {
	stat, _, err := r.nodes.Client.Exists(ctx, r.nodes.Flags())
	return FlagHistory{stat.Czxid, stat.Cversion, stat.Pzxid}, stat.NumChildren > 0, err
}

// ErrAnnounced says that the shards of a large job are about to be assigned
// anew: to read them one by one would only delay that. The flags' event is on
// its way.
var ErrAnnounced = errors.New("the shards are about to be assigned anew")

// Read reads who owns each of so many shards, on demand shard by shard. recorded is
// when the record of an agent of ours was written that holds it, zero if none did:
// such an agent passes fire records on as well.
func (r *Resharding) Read(ctx context.Context, shards int, byShard bool) (read Assignment, recorded time.Time, err error) {
	client, tree := r.nodes.Client, r.nodes.Tree
	seen, many := r.tree.FlagChanges(), shards >= nodes.ManyShards
	var flagged bool
	if read.At, flagged, err = r.ReadFlags(ctx); err != nil {
		return Assignment{}, recorded, err
	}
	if flagged && many {
		return Assignment{}, recorded, ErrAnnounced
	}
	if many && !byShard {
		data, stat, err := client.Get(ctx, tree.Assignment())
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return Assignment{}, recorded, err
		}
		if err == nil && stat.Mzxid == read.At.Pzxid {
			if owners, ok := jobtree.DecodeAssignment(data, shards); ok {
				read.Owners = owners
				return read, stat.Mtime, nil
			}
		}
	}
	read.Owners = make([]string, shards)
	list := make([]int, shards)
	for n := range list {
		list[n] = n
	}
	if many {
		// Of a job that is new there are none: not to be asked for one by one.
		names, err := r.nodes.Children(ctx, tree.Sharding())
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return Assignment{}, recorded, err
		}
		list = slices.DeleteFunc(jobtree.ItemNumbers(names), func(n int) bool { return n >= shards })
	}
	err = nodes.Each(ctx, len(list), func(ctx context.Context, i int) error {
		n := list[i]
		if many && r.tree.FlagChanges() != seen {
			return ErrAnnounced
		}
		data, _, err := client.Get(ctx, tree.ItemInstance(n))
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		read.Owners[n] = string(data)
		return nil
	})
	return read, recorded, err
}

// assignmentOps are the operations that record the assignment, none for a job with
// few shards or where it would not fit into a packet.
func (r *Resharding) assignmentOps(ctx context.Context, p *plan) ([]zk.Op, error) {
	if p.config.Shards < nodes.ManyShards {
		return nil, nil
	}
	path := r.nodes.Tree.Assignment()
	data := jobtree.EncodeAssignment(p.available, p.wanted)
	if len(data) > nodes.TransactionBytes {
		return nil, nil // The old record, if there is one, counts no more.
	}
	if !p.recorded {
		if err := r.nodes.Ensure(ctx, path); err != nil {
			return nil, err
		}
	}
	return []zk.Op{zk.SetOp(path, data, zk.AnyVersion)}, nil
}
