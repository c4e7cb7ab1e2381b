package barrier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// pollInterval is how often a waiting instance looks at the barrier anyway, in case watch events are
// lost.
const pollInterval = 5 * time.Second

// lastComerGrace is how long a waiting instance lets the last one to come do the notifying.
const lastComerGrace = time.Second

// visit is one run at one barrier.
type visit struct {
	*Barriers
	run      Run
	listener Listener
	meeting  *Meeting
	dir      string
	latch    string
	shard    func(n int) string // returns the node of a shard at the barrier
	mode     zk.CreateMode
	starting bool

	notified bool   // the listener was called here, or must not be called again
	problem  error  // its error
	unwatch  func() // ends the watch of the start barrier; nil if there is none
}

func (v *visit) limit() time.Duration {
	if v.listener.Limit <= 0 {
		return DefaultLimit
	}
	return v.listener.Limit
}

// state is the state of a barrier.
type state int

const (
	waiting  state = iota // a shard is missing
	complete              // all shards are there
	released              // our nodes were deleted, so the listener was notified
)

// meet brings the run's shards to the barrier and returns when it's released. Errors other than
// ErrStale and ErrLeft are for the error handler.
func (v *visit) meet(run context.Context, until time.Time) error {
	wait, cancel := context.WithDeadlineCause(run, until, errTimeout)
	defer cancel()
	err := v.untilHeard(wait, func() error { return v.arrive(wait) })
	if err == nil {
		defer v.run.Job.Watch(v.dir)()
		defer v.unwatchStarts()
		err = v.await(run, wait)
	}
	if v.notified {
		return v.problem
	}
	if wait.Err() == nil || run.Err() != nil {
		return err
	}
	// At the deadline the whole barrier is removed, as in ElasticJob.
	ctx, cancel := context.WithTimeout(run, pollInterval)
	defer cancel()
	if err := v.removeBarrier(ctx); err != nil {
		v.log.WarnContext(ctx, "a barrier could not be removed at its deadline", "path", v.dir, "err", err)
	}
	return &timeoutError{v.limit()}
}

var errTimeout = errors.New("the other instances did not come in time")

type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("Job timeout. timeout mills is %d.", e.limit.Milliseconds())
}

// pass counts failover shards as completed, and notifies the listener if they were the last. It
// doesn't wait for other instances.
func (v *visit) pass(run context.Context) error {
	ctx, cancel := context.WithTimeout(run, nodes.StepTimeout)
	defer cancel()
	if err := v.untilHeard(ctx, func() error { return v.arrive(ctx) }); err != nil {
		return err
	}
	s, err := v.look(ctx)
	if err != nil || s != complete {
		return err
	}
	_, err = v.conclude(run, ctx)
	if v.notified {
		return v.problem
	}
	return err
}

func (v *visit) untilHeard(ctx context.Context, fn func() error) error {
	for {
		_, changed := v.run.Job.Snapshot()
		err := fn()
		if err == nil || !zk.Retriable(err) || ctx.Err() != nil {
			return err
		}
		if err := nodes.AwaitChange(ctx, changed, pollInterval); err != nil {
			return err
		}
	}
}

// await waits at the barrier until it's released or wait ends.
func (v *visit) await(run, wait context.Context) error {
	var full time.Time // since when all shards have been there, after a wake-up
	for first := true; ; first = false {
		standing, changed := v.run.Job.Snapshot()
		s, err := v.lookAhead(wait)
		pause := pollInterval
		switch {
		case err != nil || s != complete:
			full = time.Time{}
		case first || !full.IsZero() && time.Since(full) >= lastComerGrace:
			s, err = v.conclude(run, wait)
		default: // The last one to come is about to notify.
			if full.IsZero() {
				full = time.Now()
			}
			pause = lastComerGrace
		}
		if err == nil && s == released || v.notified && standing.Leaves {
			return nil
		}
		if done, err := v.giveUp(wait, standing, err); done {
			return err
		}
		if err := nodes.AwaitChange(wait, changed, pause); err != nil {
			return err
		}
	}
}

// giveUp reports whether a run must stop waiting, and why. looked is the error of its last look at
// the barrier.
func (v *visit) giveUp(wait context.Context, standing Standing, looked error) (done bool, err error) {
	why := error(nil)
	switch {
	case standing.Leaves:
		why = ErrLeft
	case v.starting && standing.Stale():
		why = ErrStale
	}
	switch {
	case looked != nil && !zk.Retriable(looked) && wait.Err() == nil:
		return true, looked
	case looked == nil && why != nil && !v.starting:
		return true, why // Its completed shards still count for the others.
	case looked == nil && why != nil && !v.notified:
		if s, err := v.stepBack(wait); err == nil && s != released {
			return true, why
		} else if err == nil {
			return true, nil
		}
	}
	return false, nil
}

// conclude notifies the listener and releases the barrier, if all instances are still there once
// this one holds the latch.
func (v *visit) conclude(run, wait context.Context) (state, error) {
	result := waiting
	err := v.nodes.Hold(wait, v.latch, func(ctx context.Context, _ *recipe.Place) error {
		s, err := v.look(ctx)
		if err != nil || s != complete {
			result = s
			return err
		}
		if err := v.notify(run, ctx); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(run, nodes.StepTimeout) // no matter how long the listener took
		defer cancel()
		if v.starting {
			if err := v.sweep(ctx); err != nil {
				return err
			}
		}
		if err := v.removeBarrier(ctx); err != nil {
			return err
		}
		result = released
		return nil
	})
	return result, err
}

// notify writes a notice to the barrier and notifies the listener.
func (v *visit) notify(run, ctx context.Context) error {
	if v.notified {
		return nil // Only the removal must be repeated.
	}
	data, stat, err := v.nodes.Client.Get(ctx, v.dir)
	if err != nil {
		return err
	}
	own := v.run.Instance + " " + strconv.FormatInt(v.run.FireTime.UnixMilli(), 10) + " " + v.nonce
	switch notice := string(data); {
	case !isNotice(data):
	case strings.HasSuffix(notice, " "+v.nonce):
		// This process wrote it, for its own shards or for failover shards. If the listener was
		// called, only the removal is left.
		if v.notifiedAt.Load() == stat.Mzxid {
			v.notified = true
			return nil
		}
	default:
		id, _, _ := strings.Cut(notice, " ")
		v.notified, v.problem = true, fmt.Errorf("instance %s was lost while it notified the listener, which isn't called again", id)
		return nil
	}
	noticed, err := v.nodes.Client.Set(ctx, v.dir, []byte(own), stat.Version)
	if err != nil {
		return err
	}
	v.notified = true
	v.notifiedAt.Store(noticed.Mzxid)
	v.problem = v.run.Job.Contain(run, "listener "+v.listener.Name, v.listener.Notify)
	return nil
}

// isNotice reports whether the data of a barrier announces that its listener is being notified. It
// begins like an instance id, so other readers take the rest for the id's suffix. Java leaves it
// empty.
func isNotice(data []byte) bool { return jobtree.ValidateInstanceID(string(data)) == nil }

// noticeFor returns the fire time of a notice in milliseconds, or the largest value if it has none.
func noticeFor(notice []byte) int64 {
	parts := strings.Fields(string(notice))
	if len(parts) != 3 {
		return math.MaxInt64
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return at
}
