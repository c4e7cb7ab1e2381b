package statistics

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Fired is how far the fire times of a job's shards are accounted for, as agents of this
// repository record it. Agents of Java's record nothing.
type Fired struct {
	// At is when it was read, by the clock of this process; zero for not at all.
	At time.Time
	// Shards are those with a record.
	Shards map[int]FiredShard
}

// FiredShard is the record of one shard.
type FiredShard struct {
	// Completed is the newest fire time for which the shard was run to its end; zero for none.
	Completed time.Time
	// Through is up to when no fire time is missed: each was completed, or nobody had to run it,
	// as while the job was disabled.
	Through time.Time
	// Owner is the id of the instance that keeps the record.
	Owner string
}

// Fired reads how far the fire times of a job's shards are accounted for. It asks ZooKeeper
// each time, one request for each shard. A job without records has none; that is no error,
// as is a job that does not exist.
func (r *Reader) Fired(ctx context.Context, name string) (Fired, error) {
	op := fmt.Sprintf("read the fire times of job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return Fired{}, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	job := r.ns.Job(name)
	f := r.newFetcher()
	f.cache = nil // The records change with each fire: watches would cost more than they spare.
	fired := Fired{At: r.now(), Shards: make(map[int]FiredShard)}
	names, err := f.children(ctx, job.FireRecords())
	if err != nil {
		return Fired{}, wrap(op, err)
	}
	items := jobtree.ItemNumbers(names)
	read := make([]node, len(items))
	if err := each(ctx, len(items), func(ctx context.Context, i int) (err error) {
		read[i], err = f.node(ctx, job.FireRecord(items[i]))
		return err
	}); err != nil {
		return Fired{}, wrap(op, err)
	}
	for i, n := range read {
		if record, ok := jobtree.DecodeFireRecord([]byte(n.data)); ok {
			fired.Shards[items[i]] = FiredShard{record.Completed, record.Through, jobtree.Shown(record.Owner)}
		}
	}
	return fired, nil
}
