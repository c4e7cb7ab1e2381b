package barrier

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// lookAgain is how often who waits looks at the barrier without having been
// called, against lost watch events.
const lookAgain = 5 * time.Second

// lastComerGrace is how long who waits leaves the notifying to who came last.
const lastComerGrace = time.Second

// visit is one run at one barrier.
type visit struct {
	*Barriers
	run      Run
	listener Listener
	meeting  *Meeting
	limit    time.Duration
	dir      string
	latch    string
	shard    func(n int) string // the node of a shard at the barrier
	mode     zk.CreateMode
	starting bool

	notified bool   // the listener was called here, or is not to be called any more
	problem  error  // what came of it
	unwatch  func() // ends the watch of the start barrier, nil if there is none
}

// state is what a look at a barrier says.
type state int

const (
	waiting  state = iota // somebody is missing
	complete              // everybody is there
	released              // the own nodes were deleted: the listener has been notified
)

// meet brings the run's shards to the barrier and returns when it is released. An
// error is for the error handler, but for ErrStale and ErrLeft.
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
	// The deadline: the barrier is taken down for everybody, as in ElasticJob.
	ctx, cancel := context.WithTimeout(run, lookAgain)
	defer cancel()
	if err := v.takeDown(ctx); err != nil {
		v.log.WarnContext(ctx, "a barrier could not be removed at its deadline", "path", v.dir, "err", err)
	}
	return &timeoutError{v.limit}
}

var errTimeout = errors.New("the others did not come in time")

// timeoutError is what ElasticJob reports.
type timeoutError struct{ limit time.Duration }

func (e *timeoutError) Error() string {
	return fmt.Sprintf("Job timeout. timeout mills is %d.", e.limit.Milliseconds())
}

// pass counts shards that were run as a failover as completed, and notifies the
// listener if they were the last. It waits for nobody.
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

// untilHeard repeats fn while no server answers.
func (v *visit) untilHeard(ctx context.Context, fn func() error) error {
	for {
		_, changed := v.run.Job.Snapshot()
		err := fn()
		if err == nil || !zk.Retriable(err) || ctx.Err() != nil {
			return err
		}
		if err := nodes.Doze(ctx, changed, lookAgain); err != nil {
			return err
		}
	}
}

// await waits at the barrier until it is released, as long as wait lasts.
func (v *visit) await(run, wait context.Context) error {
	var full time.Time // since when this instance, woken, has seen everybody there
	for first := true; ; first = false {
		standing, changed := v.run.Job.Snapshot()
		s, err := v.lookAhead(wait)
		pause := lookAgain
		switch {
		case err != nil || s != complete:
			full = time.Time{}
		case first || !full.IsZero() && time.Since(full) >= lastComerGrace:
			s, err = v.conclude(run, wait)
		default: // Who came last is about to notify.
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
		if err := nodes.Doze(wait, changed, pause); err != nil {
			return err
		}
	}
}

// giveUp reports whether a run is not to wait any longer, and why. looked is what
// came of its last look at the barrier.
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
		return true, why // What has completed counts for the others.
	case looked == nil && why != nil && !v.notified:
		if s, err := v.stepBack(wait); err == nil && s != released {
			return true, why
		} else if err == nil {
			return true, nil
		}
	}
	return false, nil
}
