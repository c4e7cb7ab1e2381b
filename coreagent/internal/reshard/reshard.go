package reshard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Assign assigns the shards of the job to instances by the strategy with a name.
type Assign func(strategy string, instances []string, shards int) (map[string][]int, error)

// Resharding is that of one job, of which one is under way at most. It runs beside
// control, because it may wait long for shards that run. Its methods may be called
// from any goroutine.
type Resharding struct {
	nodes    *nodes.Nodes
	records  *firerecord.Records
	failover *failover.Failover
	tree     *view.Tree // as the watches of the job see it
	assign   Assign
	log      *slog.Logger

	mu         sync.Mutex
	running    bool
	before     time.Time            // assignedAt when the one under way began
	err        error                // why the last one could not be done, nil for what passes
	basis      string               // topology of the last one of this term
	assignedAt time.Time            // when that was
	stale      map[string]time.Time // running markers of absent owners, and since when they are seen
	taken      map[int]string       // whose the shards were that the one under way has taken
}

// New returns the resharding of a job.
func New(n *nodes.Nodes, records *firerecord.Records, over *failover.Failover, tree *view.Tree, assign Assign, log *slog.Logger) *Resharding {
	return &Resharding{nodes: n, records: records, failover: over, tree: tree, assign: assign, log: log}
}

// Begin notes that a resharding is under way; false if one is already. Run or Abort
// ends it.
func (r *Resharding) Begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running {
		return false
	}
	r.running, r.before = true, r.assignedAt
	return true
}

// Abort ends a resharding that has panicked.
func (r *Resharding) Abort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = false
}

// Outcome is how a resharding has ended.
type Outcome struct {
	Assigned bool // the shards were assigned; otherwise there was nothing to do, or Err says why
	Took     time.Duration
	Err      error
	Passing  bool // Err, if there is one, passes by itself: a lost session, a server that does not answer
	Repeated bool // Err is the same as last time
}

// Run makes the resharding that was begun, under the session of an epoch. known is
// what a control step has read of the assignment. ended is called before the next
// one can begin.
func (r *Resharding) Run(life context.Context, epoch uint64, known Assignment, ended func(Outcome)) Outcome {
	began := time.Now()
	err := r.reshard(life, epoch, known)
	r.mu.Lock()
	defer r.mu.Unlock()
	o := Outcome{Assigned: r.assignedAt.After(r.before), Took: time.Since(began), Err: err}
	o.Passing = err == nil || life.Err() != nil || zk.Retriable(err)
	o.Repeated = err != nil && r.err != nil && r.err.Error() == err.Error()
	ended(o)
	if r.running, r.err = false, err; o.Passing {
		r.err = nil // A fire time that comes meanwhile waits; it is not given up.
	}
	return o
}

// Stuck is why the last resharding could not be done, nil if it could, or if the
// reason passes by itself.
func (r *Resharding) Stuck() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Basis is the topology that the last resharding of this term was made from, ""
// without one.
func (r *Resharding) Basis() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.basis
}

// JustEnded reports whether the last resharding ended a moment ago.
func (r *Resharding) JustEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.assignedAt) < time.Second
}

// Forget ends a term of the leader.
func (r *Resharding) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.basis, r.err, r.stale, r.taken = "", nil, nil, nil
}

// noteTaken notes whose the shards are that are about to be taken. An attempt that
// comes after it finds no owner any more.
func (r *Resharding) noteTaken(p *plan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range p.moved {
		if owner := p.owners[n]; owner != "" {
			lazymap.Put(&r.taken, n, owner)
		}
	}
	p.before = maps.Clone(r.taken)
}

// noteRemoved notes that shards are about to be removed: one of these numbers that is there
// later is another shard.
func (r *Resharding) noteRemoved(shards []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range shards {
		delete(r.taken, n)
	}
}

func (r *Resharding) noteAssigned(p *plan, f fires) {
	r.mu.Lock()
	r.basis = sharding.Topology(p.config.Shards, p.config.StrategyType, p.available)
	r.assignedAt, r.taken = time.Now(), nil
	r.mu.Unlock()
	r.log.Info("shards assigned", "shards", p.config.Shards, "moved", len(p.moved), "instances", len(p.available), "misfired", f.missed)
}

// errMoved says that something changed under a resharding: begin again.
var errMoved = errors.New("the tree changed during the resharding")

// movedLimit is how often a resharding begins again before it pauses.
const movedLimit = 5

func (r *Resharding) reshard(life context.Context, epoch uint64, known Assignment) (err error) {
	for range movedLimit {
		if err = r.reshardOnce(life, epoch, known); !errors.Is(err, errMoved) {
			return err
		}
		known = Assignment{} // Look at everything.
	}
	return fmt.Errorf("%w: %w", zk.ErrUnavailable, err)
}

// reshardOnce assigns the shards so that nobody can run a shard under the
// old assignment while the new one is written.
func (r *Resharding) reshardOnce(life context.Context, epoch uint64, known Assignment) error {
	ctx, cancel := r.underSession(life, epoch)
	defer cancel()
	p, err := r.plan(ctx, known)
	if err != nil || p == nil {
		return err
	}
	if atOnce, err := r.move(ctx, p); atOnce || err != nil {
		return err
	}
	if err := r.take(ctx, p); err != nil {
		return err
	}
	if p.config.MonitorExecution && !firerecord.AllKeep(p.alive, p.recordHolders) {
		// Java's agents do not check: one may have started a shard since.
		if err := r.awaitQuiet(ctx, p); err != nil {
			return err
		}
	}
	f, err := r.judgeFires(ctx, p)
	if err != nil {
		return err
	}
	return r.give(ctx, p, f)
}

// underSession ends with life, or when the session changes.
func (r *Resharding) underSession(life context.Context, epoch uint64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(life)
	stop := r.nodes.Client.Subscribe(func(t zk.Transition) {
		if t.Session.Epoch != epoch || t.State == zk.Lost || t.State == zk.Closed {
			cancel(zk.ErrSessionLost)
		}
	})
	if r.nodes.Client.Session().Epoch != epoch {
		cancel(zk.ErrSessionLost)
	}
	return ctx, func() { stop(); cancel(context.Canceled) }
}
