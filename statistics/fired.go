package statistics

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Fired has the newest fire times of a job's shards, as recorded by Go agents. Java agents record
// none.
type Fired struct {
	// At is the time of the read, by the clock of this process; zero if nothing was read.
	At time.Time
	// Shards has the shards with a record, by number.
	Shards map[int]FiredShard
}

// FiredShard is the record of a shard's fire times.
type FiredShard struct {
	// Completed is the newest fire time at which the shard ran to its end; zero if there is none.
	Completed time.Time
	// Through is the time up to which no fire time was missed: at each one the shard ran to its end
	// or didn't have to run, for example because the job was disabled. If the record was written by a
	// clock that was ahead, it isn't later than the write, except for fire times that ran.
	Through time.Time
	// Owner is the id of the instance that writes the record.
	Owner string
}

// Fired reads the newest fire times of a job's shards. It always asks ZooKeeper, with one request
// per shard. The result is empty if the job has no records or doesn't exist.
func (r *Reader) Fired(ctx context.Context, name string) (Fired, error) {
	op := fmt.Sprintf("read the fire times of job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return Fired{}, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	job := r.ns.Job(name)
	f := r.newFetcher()
	// The records change at each fire time, so watches would cost more than they save.
	f.cache = nil
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
			through := record.Through
			if written := n.stat.Mtime; through.After(written.Add(time.Second)) && through.After(record.Completed) {
				// Its writer had a clock that was ahead: a fire time that has not come only counts if it ran.
				if through = written; record.Completed.After(through) {
					through = record.Completed
				}
			}
			fired.Shards[items[i]] = FiredShard{record.Completed, through, jobtree.Shown(record.Owner)}
		}
	}
	return fired, nil
}
