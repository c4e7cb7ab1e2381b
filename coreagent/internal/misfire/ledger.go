package misfire

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// ByShard holds fire records by shard. They're pointers because a map allocates eight values at
// once, and most jobs have one shard.
type ByShard map[int]*firerecord.Record

// Of returns the record of a shard.
func (r ByShard) Of(n int) (last firerecord.Record, known bool) {
	if stored := r[n]; stored != nil {
		return *stored, true
	}
	return last, false
}

// Set stores the record of a shard.
func (r *ByShard) Set(n int, last firerecord.Record) {
	lazymap.Put(r, n, &last)
}

// Ledger holds the runs of this process's shards as far as it knows them, and writes them to the
// fire records. A run that ends while ZooKeeper is unreachable or after its session was lost can't
// be recorded. The Ledger remembers it and records it before the job registers again. Until then
// the old instance node keeps other instances from deciding which runs were lost or missed.
type Ledger struct {
	Sources

	mu         sync.Mutex
	known      ByShard           // records of our shards as last read or written
	completed  map[int]time.Time // newest fire times that shards completed here
	remembered map[int]ended     // by shard: runs not recorded yet
}

// ended is a run of a shard that isn't recorded yet.
type ended struct {
	due jobtree.Due
	by  *Run
}

// Run is a run of this process, from its Ledger's point of view. The zero value has just begun.
type Run struct {
	Cleared atomic.Bool // the markers are removed and the fire time is recorded
	Beaten  atomic.Bool // another run of these shards was recorded first

	// over holds the shards that have ended, and kept those that the Ledger remembers since the
	// session was lost. They're guarded by Ledger.mu.
	over, kept []int
	due        jobtree.Due // set together with over
}

// Sources are the parts of a job that its Ledger and its Misfires need.
type Sources struct {
	Nodes    *nodes.Nodes
	Records  *firerecord.Records
	Failover *failover.Failover
	Tree     *view.Tree
	Log      *slog.Logger
	Now      func() time.Time // the wall clock
	ID       func() string    // of this instance
}

// NewLedger returns an empty Ledger.
func NewLedger(s Sources) *Ledger { return &Ledger{Sources: s} }

// Know keeps the record of a shard of ours as last read or written. A record that names another
// owner must be read each time.
func (l *Ledger) Know(n int, last firerecord.Record) {
	if last.Owner != l.ID() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known.Set(n, last)
}

// Known returns the record of a shard of ours if it's known.
func (l *Ledger) Known(n int) (firerecord.Record, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known.Of(n)
}

// Forget makes the next run read the records of shards.
func (l *Ledger) Forget(shards []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range shards {
		delete(l.known, n)
	}
}

// NoteCompleted remembers that shards completed a fire time here.
func (l *Ledger) NoteCompleted(shards []int, at time.Time) {
	now := l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range shards {
		if newest := l.completed[n]; at.After(newest) || !firetime.Believable(newest, now) {
			lazymap.Put(&l.completed, n, at)
		}
	}
}

// Completed reports whether this instance has run a shard for a fire time. A run doesn't count if
// the clock was set back since by more than a little.
func (l *Ledger) Completed(n int, at time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	newest := l.completed[n]
	return !newest.Before(at) && firetime.Believable(newest, l.Now())
}

// ShardOver records that a shard of a run has ended. If the session is lost before the run ends,
// the shard must be recorded before the others return.
func (l *Ledger) ShardOver(r *Run, n int, due jobtree.Due) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.over, r.due = append(r.over, n), due
}

// SessionLost remembers the shards of a run that ended before its session was lost.
func (l *Ledger) SessionLost(r *Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.kept = r.over
	l.remember(r, r.kept, r.due)
}

// Remember keeps the completed shards of a run, because its session was lost.
func (l *Ledger) Remember(r *Run, completed []int, due jobtree.Due) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remember(r, slices.DeleteFunc(completed, func(n int) bool { return slices.Contains(r.kept, n) }), due)
}

func (l *Ledger) remember(r *Run, shards []int, due jobtree.Due) {
	for _, n := range shards {
		if !l.remembered[n].due.At.After(due.At) {
			lazymap.Put(&l.remembered, n, ended{due, r})
		}
	}
}

// Pending reports whether any shard of a run still has to be recorded.
func (l *Ledger) Pending(r *Run, shards []int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(shards, func(n int) bool { return l.remembered[n].by == r })
}

// Record records all remembered runs. If markers is set, it also removes their markers. Once the
// instance is registered again, its markers belong to new runs.
func (l *Ledger) Record(ctx context.Context, markers bool) error {
	l.mu.Lock()
	remembered := maps.Clone(l.remembered)
	l.mu.Unlock()
	shards := slices.Sorted(maps.Keys(remembered))
	return nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		n := shards[i]
		due, tree := remembered[n].due, l.Nodes.Tree
		var paths []string
		if markers {
			paths = []string{tree.ItemRunning(n), tree.ItemFailover(n), tree.ItemFailovering(n)}
		}
		done, err := l.ClearShard(ctx, l.ID(), n, paths, due, false)
		l.Log.DebugContext(ctx, "recorded a run that ended without a session", "shard", n, "scheduled", due.At, "err", err)
		if err != nil {
			return err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if by := remembered[n].by; done && !by.Cleared.Load() {
			by.Beaten.Store(true)
		}
		if l.remembered[n] == remembered[n] {
			delete(l.remembered, n)
		}
		return nil
	})
}

// ClearShard removes the given markers of a shard if they name an instance, and records a run for due
// as completed; the zero Due records nothing. See SettleOps for claimed and done.
func (l *Ledger) ClearShard(ctx context.Context, id string, n int, markers []string, due jobtree.Due, claimed bool) (done bool, err error) {
	for {
		var ops []zk.Op
		for _, path := range markers {
			marker, err := l.Nodes.DeleteIfDataOps(ctx, path, id)
			if err != nil {
				return false, err
			}
			ops = append(ops, marker...)
			if len(marker) > 0 && path == l.Nodes.Tree.ItemFailovering(n) {
				// The next owner's token must be newer than the claim's.
				renew, err := l.Failover.RenewOps(ctx, n)
				if err != nil {
					return false, err
				}
				ops = append(ops, renew...)
			}
		}
		settle, done, err := l.SettleOps(ctx, n, due, claimed)
		if err != nil {
			return false, err
		}
		if ops = append(ops, settle...); len(ops) == 0 {
			return done, nil
		}
		err = l.Nodes.Client.Multi(ctx, ops...)
		if !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrBadVersion) {
			return done, err
		}
	}
}

// SettleOps returns the operations that record a run of a shard as completed and withdraw the offer
// to fail it over. The record's owner doesn't change. done is set if another run has completed it
// already.
//
// Unless this run had claimed the shard, another instance may have claimed it. A claim doesn't name
// its run, so the record must. If that instance dies, the others see in the record that the run is
// completed.
func (l *Ledger) SettleOps(ctx context.Context, n int, due jobtree.Due, claimed bool) (ops []zk.Op, done bool, err error) {
	if !due.Known() {
		return nil, false, nil
	}
	path := l.Nodes.Tree.FireRecord(n)
	record, ok, err := l.Records.Last(ctx, n)
	if err != nil {
		return nil, false, err
	}
	if due.Trigger { // No record shows later that it's done, so the offer must go now.
		ops, err = l.Failover.WithdrawOps(ctx, n, due)
		if ok && record.Begun.Equal(due) {
			record.Begun = jobtree.Due{}
			ops = append(ops, zk.SetOp(path, record.Encode(), record.Version))
		}
		return ops, false, err
	}
	ops, err = l.WithdrawOps(ctx, n, due)
	switch done = ok && firetime.Done(record.FireRecord, due.At); {
	case ok && !done:
		settled := firetime.Complete(record.FireRecord, due.At)
		if !claimed {
			settled.Begun = record.Begun
		}
		ops = append(ops, zk.SetOp(path, settled.Encode(), record.Version))
	case ok && len(ops) > 0: // A later run may have been interrupted and offered since.
		ops = append(ops, zk.CheckOp(path, record.Version))
	}
	return ops, done, err
}

// WithdrawOps withdraws the offer of a shard if its fire time is completed. While we know of no
// offer, it makes no request. If there is one we don't know yet, the record makes its claim fail.
func (l *Ledger) WithdrawOps(ctx context.Context, n int, due jobtree.Due) ([]zk.Op, error) {
	if !slices.Contains(l.Tree.Children(l.Nodes.Tree.FailoverItems()), strconv.Itoa(n)) {
		return nil, nil
	}
	return l.Failover.WithdrawOps(ctx, n, due)
}

// AccountFor moves a shard's record forward, so that fire times missed until then aren't made up
// for.
func (l *Ledger) AccountFor(ctx context.Context, n int, through time.Time) error {
	for {
		last, ok, err := l.Records.Last(ctx, n)
		if !ok || err != nil || !through.After(last.Through) {
			return err
		}
		last.Through = through
		stat, err := l.Nodes.Client.Set(ctx, l.Nodes.Tree.FireRecord(n), last.Encode(), last.Version)
		if errors.Is(err, zk.ErrBadVersion) {
			continue
		}
		if err == nil {
			last.Version, last.Written = stat.Version, stat.Mzxid
			l.Know(n, last)
		}
		return zk.Ignore(err, zk.ErrNoNode)
	}
}
