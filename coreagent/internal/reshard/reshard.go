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

// Assign assigns the shards of the job to instances by the named strategy.
type Assign func(strategy string, instances []string, shards int) (map[string][]int, error)

// Resharding reshards one job, at most once at a time. It runs in parallel with control, because it
// may wait long for running shards. Its methods are safe for concurrent use.
type Resharding struct {
	nodes    *nodes.Nodes
	records  *firerecord.Records
	failover *failover.Failover
	tree     *view.Tree // as the watches of the job see it
	assign   Assign
	log      *slog.Logger

	mu         sync.Mutex
	running    bool
	before     time.Time            // assignedAt when the current resharding began
	err        error                // why the last resharding failed; nil for temporary errors
	basis      string               // topology of the last resharding of this term
	assignedAt time.Time            // when the shards were assigned last
	stale      map[string]time.Time // running markers of absent owners, and when we first saw them
	taken      map[int]string       // previous owners of the shards that the current resharding has taken
}

func New(n *nodes.Nodes, records *firerecord.Records, over *failover.Failover, tree *view.Tree, assign Assign, log *slog.Logger) *Resharding {
	return &Resharding{nodes: n, records: records, failover: over, tree: tree, assign: assign, log: log}
}

// Begin starts a resharding and returns false if one is already under way. Run or Abort ends it.
func (r *Resharding) Begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running {
		return false
	}
	r.running, r.before = true, r.assignedAt
	return true
}

// Abort ends a resharding that panicked.
func (r *Resharding) Abort() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running = false
}

// Outcome is the result of a resharding.
type Outcome struct {
	Assigned bool // the shards were assigned; otherwise there was nothing to do, or it failed with Err
	Took     time.Duration
	Err      error
	Passing  bool // Err is temporary, such as a lost session or a server that doesn't answer
	Repeated bool // Err is the same as last time
}

// Run carries out the resharding that Begin started, in the session with this epoch. known is the
// assignment that a control step has read. ended is called before the next resharding can begin.
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
		r.err = nil // A fire time can wait for us, so it shouldn't be given up.
	}
	return o
}

// Stuck returns why the last resharding failed, or nil if it succeeded or the reason is temporary.
func (r *Resharding) Stuck() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Basis returns the topology that the last resharding of this term was based on, or "".
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

// Forget ends the leader's term.
func (r *Resharding) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.basis, r.err, r.stale, r.taken = "", nil, nil, nil
}

// noteTaken remembers the owners of the shards that are about to be taken, because a second attempt
// won't find them in the tree.
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

// noteRemoved notes that shards are about to be removed. If their numbers are used again, they're
// different shards.
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

// errMoved is returned if the tree changed during a resharding, so it must start over.
var errMoved = errors.New("the tree changed during the resharding")

// movedLimit is how often a resharding starts over before it pauses.
const movedLimit = 5

func (r *Resharding) reshard(life context.Context, epoch uint64, known Assignment) (err error) {
	for range movedLimit {
		if err = r.reshardOnce(life, epoch, known); !errors.Is(err, errMoved) {
			return err
		}
		known = Assignment{} // Read everything again.
	}
	return fmt.Errorf("%w: %w", zk.ErrUnavailable, err)
}

// reshardOnce assigns the shards. No instance can run a shard under the old assignment while the
// new one is being written.
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
		// Java's agents don't check their assignment, so one may have started a shard since.
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

// underSession returns a context that ends with life, or when the session changes.
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
