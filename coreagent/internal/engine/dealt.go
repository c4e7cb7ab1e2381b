package engine

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The distribution of a job with many items is also kept in one node below the
// job's extension node, written in the transaction that ends a resharding:
// whoever wants to know it needs two requests instead of one per item. It counts
// if that transaction was the last to touch the resharding flags; after a
// resharding by Java, which does not write it, the items themselves are read.

// recordFrom is the number of items from which a distribution is recorded.
const recordFrom = nodes.ManyShards

// assignment is who owned each item, "" for nobody, and when that was read.
type assignment struct {
	owners []string // nil: not known
	at     dealings
}

// dealings counts what happened to the resharding flags: the transaction that
// made their parent, and how often a flag came or went since.
type dealings struct {
	czxid    int64
	cversion int32
	pzxid    int64
}

func (j *Job) dealings(ctx context.Context) (dealings, error) {
	at, _, err := j.dealingsNow(ctx)
	return at, err
}

// dealingsNow is dealings that also tells whether a flag is set.
func (j *Job) dealingsNow(ctx context.Context) (at dealings, flagged bool, err error) {
	stat, _, err := j.env.Client.Exists(ctx, j.flagsRoot())
	return dealings{stat.Czxid, stat.Cversion, stat.Pzxid}, stat.NumChildren > 0, err
}

// errAnnounced says that the items of a large job are about to be dealt out
// anew: to read them one by one would only delay that. The flags' event is on
// its way.
var errAnnounced = errors.New("the items are about to be dealt out anew")

func (j *Job) dealtPath() string { return j.tree.Extension() + "/dealt" }

// readAssignment reads who owns each item. recorded is when the record of an
// agent of ours was written that told it, zero if none did: such an agent hands
// over fire records as well.
func (j *Job) readAssignment(ctx context.Context, items int, byItem bool) (read assignment, recorded time.Time, err error) {
	seen := j.flagChanges()
	var flagged bool
	if read.at, flagged, err = j.dealingsNow(ctx); err != nil {
		return assignment{}, recorded, err
	}
	if flagged && items >= recordFrom {
		return assignment{}, recorded, errAnnounced
	}
	if items >= recordFrom && !byItem {
		data, stat, err := j.env.Client.Get(ctx, j.dealtPath())
		if zk.Ignore(err, zk.ErrNoNode) != nil {
			return assignment{}, recorded, err
		}
		if err == nil && stat.Mzxid == read.at.pzxid {
			if owners, ok := decodeDealt(data, items); ok {
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

// recordOps are the operations that record the distribution, none for a job
// with few items or where it would not fit into a packet.
func (j *Job) recordOps(ctx context.Context, p *plan) ([]zk.Op, error) {
	if p.config.Shards < recordFrom {
		return nil, nil
	}
	data := encodeDealt(p.available, p.wanted)
	if len(data) > nodes.TransactionBytes {
		return nil, nil // The old record, if there is one, counts no more.
	}
	if !p.recorded {
		if err := j.nodes.Ensure(ctx, j.dealtPath()); err != nil {
			return nil, err
		}
	}
	return []zk.Op{zk.SetOp(j.dealtPath(), data, zk.AnyVersion)}, nil
}

// encodeDealt writes a line per instance: its id and ranges of items, such as
// "10.0.0.1@-@7 0-33,99".
func encodeDealt(ids []string, wanted map[string][]int) []byte {
	var b []byte
	for _, id := range ids {
		items := slices.Sorted(slices.Values(wanted[id]))
		b = append(append(b, id...), ' ')
		for i := 0; i < len(items); {
			k := i
			for k+1 < len(items) && items[k+1] == items[k]+1 {
				k++
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(items[i]), 10)
			if k > i {
				b = strconv.AppendInt(append(b, '-'), int64(items[k]), 10)
			}
			i = k + 1
		}
		b = append(b, '\n')
	}
	return b
}

// decodeDealt returns the owner of each item, false unless all have one.
func decodeDealt(data []byte, items int) ([]string, bool) {
	owners := make([]string, items)
	owned := 0
	for line := range strings.Lines(string(data)) {
		id, ranges, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || id == "" {
			return nil, false
		}
		if ranges == "" {
			continue
		}
		for r := range strings.SplitSeq(ranges, ",") {
			first, last, isRange := strings.Cut(r, "-")
			if !isRange {
				last = first
			}
			from, err1 := strconv.Atoi(first)
			to, err2 := strconv.Atoi(last)
			if err1 != nil || err2 != nil || from < 0 || to < from || to >= items {
				return nil, false
			}
			for n := from; n <= to; n++ {
				if owners[n] != "" {
					return nil, false
				}
				owners[n] = id
				owned++
			}
		}
	}
	return owners, owned == items
}
