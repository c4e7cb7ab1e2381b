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

// The assignment of a job with many shards is also recorded in one node below the job's extension
// node, in the transaction that ends a resharding. So reading it takes two requests instead of one
// per shard. The record is valid if that transaction was the last to touch the resharding flags.
// Java doesn't write it, so after a resharding by Java we read the shards themselves.

// Assignment is the owner of each shard, "" if it has none, and when the owners were read.
type Assignment struct {
	Owners []string // nil if unknown
	At     FlagHistory
}

// FlagHistory identifies the state of the resharding flags: the transaction that created their
// parent, and how often a flag was set or removed since.
type FlagHistory struct {
	Czxid    int64
	Cversion int32
	Pzxid    int64
}

// ReadFlags reads the history of the resharding flags, and whether one is set.
func (r *Resharding) ReadFlags(ctx context.Context) (at FlagHistory, flagged bool, err error) {
	stat, _, err := r.nodes.Client.Exists(ctx, r.nodes.Flags())
	return FlagHistory{stat.Czxid, stat.Cversion, stat.Pzxid}, stat.NumChildren > 0, err
}

// ErrAnnounced is returned if the shards of a large job are about to be reassigned. We don't read
// them one by one then, because that would only delay the resharding. An event of the flags will
// follow.
var ErrAnnounced = errors.New("the shards are about to be assigned anew")

// Read reads the owner of each shard, and with byShard always from the shards themselves. recorded
// is when a Go agent wrote the assignment's record, or zero if the owners don't come from it. Such
// an agent also passes fire records on.
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
		// A new job has no shards yet, so we don't ask for each of them.
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

// assignmentOps returns the operations that record the assignment. It returns none if the job has
// few shards or the record wouldn't fit into a packet.
func (r *Resharding) assignmentOps(ctx context.Context, p *plan) ([]zk.Op, error) {
	if p.config.Shards < nodes.ManyShards {
		return nil, nil
	}
	path := r.nodes.Tree.Assignment()
	data := jobtree.EncodeAssignment(p.available, p.wanted)
	if len(data) > nodes.TransactionBytes {
		return nil, nil // An old record is no longer valid.
	}
	if !p.recorded {
		if err := r.nodes.Ensure(ctx, path); err != nil {
			return nil, err
		}
	}
	return []zk.Op{zk.SetOp(path, data, zk.AnyVersion)}, nil
}
