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

// ErrLeft means that the job is stopping on this instance.
var ErrLeft = errors.New("the job is stopping on this instance")

// ErrStale means that a run must not start because its shards have changed, so look again.
var ErrStale = errors.New("the assignment changed before the run was marked")

// Job is the job at the barriers, and its run that meets others. Its methods are called from the
// goroutine of the run.
type Job interface {
	// Snapshot returns the state of the run, and a channel that is closed when it or the session
	// changes.
	Snapshot() (Standing, <-chan struct{})
	// Watch makes changes below a node count as changes until forget is called.
	Watch(dir string) (forget func())
	// Await is called with true while the run only waits for others, and with false afterwards.
	Await(is bool)
	// Contain calls user code and returns its error. A panic becomes an error.
	Contain(ctx context.Context, what string, fn func(ctx context.Context) error) error
	// Handle passes a failure to the job's error handler. A non-nil result ends the run.
	Handle(ctx context.Context, failure error) error
}

// Standing is the state of a run.
type Standing struct {
	Leaves bool        // the job is stopping on this instance
	Stale  func() bool // the run's shards have changed, or soon will
}

// Listener is notified once per run of the whole job.
type Listener struct {
	Name   string
	Limit  time.Duration // how long an instance waits for the others; DefaultLimit if not positive
	Notify func(ctx context.Context) error
}

// Run is a run that meets the runs of other instances.
type Run struct {
	Job      Job
	Shards   []int // of this instance
	Total    int   // of the whole job
	Instance string
	FireTime time.Time // the run's newest fire time
	Failover bool      // the shards were claimed from an instance that has left

	// Newest returns the newest fire time that has come, FireTime if none has come since. A run
	// that hasn't started moves on to it. Nil if the run isn't for a fire time of the schedule.
	Newest func() time.Time
	// Unmet is set if the run started without the others.
	Unmet bool
}

// Meeting is the progress of a run at its start barriers. It's kept when the run begins again.
type Meeting struct {
	// FireTime is the fire time that the run has moved on to while it waited; zero if it hasn't.
	FireTime time.Time
	// Unmet is set if the run gave up waiting for the others.
	Unmet bool

	passed int       // listeners that were notified
	since  time.Time // when the wait for the next one began
	came   bool      // this instance was at that barrier already, and has stepped back
}

// Barriers are the barriers of one job. Its methods are safe for concurrent use.
type Barriers struct {
	nodes      *nodes.Nodes
	log        *slog.Logger
	nonce      string       // distinguishes this process's notices from another's with the same id
	notifiedAt atomic.Int64 // transaction of the notice for the last listener call
}

func New(n *nodes.Nodes, log *slog.Logger) *Barriers {
	return &Barriers{nodes: n, log: log, nonce: strings.ToLower(rand.Text()[:8])}
}

// Start meets the other instances at one barrier per listener, before a run is marked. After
// ErrStale or ErrLeft the run must not start now. If called again with the same meeting, Start
// continues where it was. Any other error is the cause of ctx, the run's context, or comes from the
// error handler.
func (bs *Barriers) Start(ctx context.Context, run Run, listeners []Listener, m *Meeting) error {
	for m.passed < len(listeners) {
		if m.since.IsZero() {
			m.since = time.Now()
		}
		v := bs.startVisit(run, listeners[m.passed], m)
		err := v.meet(ctx, m.since.Add(v.limit()))
		if !v.notified && (errors.Is(err, ErrStale) || errors.Is(err, ErrLeft)) { // else the listener's error
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

// Complete meets the other instances after a run has completed. It does nothing for an interrupted
// run, with an ended ctx. overtaken is set if others wait to start for a later fire time; then this
// instance should join them. An error comes from the error handler.
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
			err = v.meet(ctx, time.Now().Add(v.limit()))
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
		Barriers: bs, run: run, listener: l, meeting: m, dir: tree.GuaranteeStarted(), latch: tree.GuaranteeStartedLatch(),
		shard: tree.GuaranteeStartedItem, mode: zk.Ephemeral, starting: true,
	}
}

func (bs *Barriers) endVisit(run Run, l Listener) *visit {
	tree := bs.nodes.Tree
	return &visit{
		Barriers: bs, run: run, listener: l, meeting: new(Meeting), dir: tree.GuaranteeCompleted(), latch: tree.GuaranteeCompletedLatch(),
		shard: tree.GuaranteeCompletedItem, mode: zk.Persistent,
	}
}

// gaveUp reports whether a wait has ended without the others.
func gaveUp(err error) bool {
	_, late := errors.AsType[*timeoutError](err)
	_, behind := errors.AsType[*overtakenError](err)
	return late || behind
}
