package statistics

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Fired has the newest fire times of a job's shards, as agents of this repository record
// them. Java agents record nothing.
type Fired struct {
	// At is the time of the reading, by the clock of this process; zero if nothing was read.
	At time.Time
	// Shards are those with a record.
	Shards map[int]FiredShard
}

// FiredShard is the record of one shard.
type FiredShard struct {
	// Completed is the newest fire time for which the shard was run to its end; zero for none.
	Completed time.Time
	// Through is the time up to which no fire time was missed: each was completed, or no run
	// was due, for example because the job was disabled.
	Through time.Time
	// Owner is the id of the instance that writes the record.
	Owner string
}

// Fired reads the newest fire times of a job's shards. It always asks ZooKeeper, with one
// request per shard. If the job has no records, or doesn't exist, the result is empty.
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
