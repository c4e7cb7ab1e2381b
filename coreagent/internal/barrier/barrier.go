package barrier

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// DefaultLimit is how long an instance waits for the others by default.
const DefaultLimit = 10 * time.Minute

// ErrLeft says that the job stops serving on this instance.
var ErrLeft = errors.New("the job is stopping on this instance")

// ErrStale says that a run must not start, because it would have other shards by
// now: look again.
var ErrStale = errors.New("the assignment changed while the run waited for the others")

// Job is what the barriers need of a job, and of the run that meets others. Its
// methods are called from the goroutine of the run.
type Job interface {
	// Snapshot tells how the run stands, and returns a channel that is closed at
	// the next change of that, or of the session.
	Snapshot() (Standing, <-chan struct{})
	// Watch has changes below a node count as changes, until forget is called.
	Watch(dir string) (forget func())
	// Await notes that the run does nothing but wait for others, or no longer.
	Await(is bool)
	// Contain calls the user's code and returns its error; a panic is one.
	Contain(ctx context.Context, what string, fn func(ctx context.Context) error) error
	// Handle passes a failure to the job's error handler. A non-nil result ends
	// the run.
	Handle(ctx context.Context, failure error) error
}

// Standing is how a run stands at a moment.
type Standing struct {
	Leaves bool        // the job stops serving on this instance
	Stale  func() bool // the run would have other shards by now, or is about to
}

// Listener is notified once per run of the whole job.
type Listener struct {
	Name   string
	Limit  time.Duration // how long an instance waits for the others; DefaultLimit if not positive
	Notify func(ctx context.Context) error
}

// Run is a run that meets those of the other instances.
type Run struct {
	Job      Job
	Shards   []int // those of this instance
	Total    int   // of the whole job
	Instance string
	FireTime time.Time // the newest one that the run is for
	Failover bool      // the shards were claimed from an instance that has left

	// Newest returns the newest fire time that has come, FireTime if none has come since.
	// A run that has yet to start moves on to it. Nil if the run isn't for a fire time of
	// the schedule.
	Newest func() time.Time
	// Unmet is set if the run started without the others.
	Unmet bool
}

// Meeting is how far a run has got with its start barriers. It outlives the run's
// beginning again.
type Meeting struct {
	// FireTime is the fire time to which the run has moved on while it waited, zero if it
	// hasn't.
	FireTime time.Time
	// Unmet is set if the run gave up waiting for the others.
	Unmet bool

	passed int       // listeners that have been notified
	since  time.Time // when the wait for the next one began
	came   bool      // this instance was at that barrier already, and has stepped back
}

// Barriers are those of one job. Its methods may be called from any goroutine.
type Barriers struct {
	nodes      *nodes.Nodes
	log        *slog.Logger
	nonce      string       // tells this process's notices from those of another of the same id
	notifiedAt atomic.Int64 // transaction of the notice for which a listener was called last
}

// New returns the barriers of a job.
func New(n *nodes.Nodes, log *slog.Logger) *Barriers {
	return &Barriers{nodes: n, log: log, nonce: strings.ToLower(rand.Text()[:8])}
}

// Start meets the other instances before a run is marked, at one barrier per
// listener. ErrStale and ErrLeft say that the run must not start now; called again
// with the same meeting, Start goes on where it was. Another error is what ended
// ctx, the run's, or what the error handler returned.
func (bs *Barriers) Start(ctx context.Context, run Run, listeners []Listener, m *Meeting) error {
	for m.passed < len(listeners) {
		if m.since.IsZero() {
			m.since = time.Now()
		}
		v := bs.startVisit(run, listeners[m.passed], m)
		err := v.meet(ctx, m.since.Add(v.limit))
		if !v.notified && (errors.Is(err, ErrStale) || errors.Is(err, ErrLeft)) { // Otherwise it is the listener's error.
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		m.passed, m.since, m.came = m.passed+1, time.Time{}, false
		m.Unmet = m.Unmet || gaveUp(err)
		if err != nil {
			if err := run.Job.Handle(ctx, fmt.Errorf("listener %s: started: %w", v.listener.Name, err)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Complete meets them when a run has completed. An interrupted run, whose ctx has
// ended, has not. overtaken is set if others wait to start for a later fire time: this
// instance should join them. An error is what the error handler returned.
func (bs *Barriers) Complete(ctx context.Context, run Run, listeners []Listener) (overtaken bool, err error) {
	for _, l := range listeners {
		if ctx.Err() != nil {
			return overtaken, nil
		}
		v := bs.endVisit(run, l)
		var err error
		if run.Failover {
			err = v.pass(ctx)
		} else {
			run.Job.Await(true)
			err = v.meet(ctx, time.Now().Add(v.limit))
			run.Job.Await(false)
		}
		if err == nil || !v.notified && errors.Is(err, ErrLeft) || ctx.Err() != nil {
			continue
		}
		if _, ahead := errors.AsType[*overtakenError](err); ahead {
			overtaken = true
		}
		if err := run.Job.Handle(ctx, fmt.Errorf("listener %s: completed: %w", l.Name, err)); err != nil {
			return overtaken, err
		}
	}
	return overtaken, nil
}

func (bs *Barriers) startVisit(run Run, l Listener, m *Meeting) *visit {
	tree := bs.nodes.Tree
	return &visit{
		Barriers: bs, run: run, listener: l, meeting: m, limit: limitOf(l.Limit),
		dir: tree.GuaranteeStarted(), latch: tree.GuaranteeStartedLatch(), shard: tree.GuaranteeStartedItem,
		mode: zk.Ephemeral, starting: true,
	}
}

func (bs *Barriers) endVisit(run Run, l Listener) *visit {
	tree := bs.nodes.Tree
	return &visit{
		Barriers: bs, run: run, listener: l, meeting: new(Meeting), limit: limitOf(l.Limit),
		dir: tree.GuaranteeCompleted(), latch: tree.GuaranteeCompletedLatch(), shard: tree.GuaranteeCompletedItem,
		mode: zk.Persistent,
	}
}

// gaveUp reports whether a wait has ended without the others.
func gaveUp(err error) bool {
	_, late := errors.AsType[*timeoutError](err)
	_, behind := errors.AsType[*overtakenError](err)
	return late || behind
}

func limitOf(d time.Duration) time.Duration {
	if d <= 0 {
		return DefaultLimit
	}
	return d
}
