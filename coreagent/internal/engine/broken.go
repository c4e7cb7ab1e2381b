package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A panic of the engine itself, or of user code that it calls outside of [usercode.Calls] (a
// recorder, a tracer), is a bug. It only affects the job that it happened in. The job may have left
// work half done, and we can't know which, so it stops serving, gives its shards to others and joins
// again, as after a lost session:
//
//	panic ──▶ broken: stack in the log, contexts end with host.ErrBroken
//	            ▸ wait for handlers and control ▸ clear own marks ▸ leave the tree ▸ announce why
//	            ▸ pause ──▶ joining: register, read and watch everything again
//
// The pause is five seconds and doubles with each further panic, up to five minutes. So a panic
// that recurs at once, for example because of a malformed document, doesn't cost much. After ten
// minutes without a panic the pause is five seconds again.

// PanicMessage is the log message for a broken job.
const PanicMessage = "the job is broken: a panic, which is a bug; others serve its shards until it joins anew"

// The pause before a broken job joins again.
const (
	brokenFirst = 5 * time.Second
	brokenLast  = 5 * time.Minute
	brokenReset = 10 * time.Minute
)

// fault is the history of a job's panics, guarded by Job.mu.
type fault struct {
	count   int // panics in a row
	at      time.Time
	pause   time.Duration
	rejoins bool // forget everything that was known before the panic
}

// Guard runs an activity of the job. If the activity panics, Guard breaks the job and returns
// false.
func (j *Job) Guard(activity string, fn func()) (sound bool) {
	defer func() {
		if value := recover(); value != nil {
			sound = false
			j.breakDown(activity, rethrow.Recovered(value))
		}
	}()
	if j.Host.Plant != nil {
		j.Host.Plant(j.Name(), activity)
	}
	fn()
	return true
}

// guarded is Guard for a function that is called with a time.
func (j *Job) guarded(activity string, fn func(at time.Time)) func(time.Time) {
	return func(at time.Time) { j.Guard(activity, func() { fn(at) }) }
}

// Retry asks for a control step after a pause.
func (j *Job) Retry(pause time.Duration) { j.Host.Timers.Within(j.retry, pause) }

// Hinder announces that an error holds up a stage.
func (j *Job) Hinder(at obstacle.Stage, err error) { j.Obstacles.Hinder(at, obstacleOf(at, err)) }

func (j *Job) breakDown(activity string, p *rethrow.Panic) {
	j.mu.Lock()
	serves := j.phase == joining || j.phase == serving
	var claimed []int
	if serves {
		f := &j.fault
		if time.Since(f.at) > brokenReset {
			f.count = 0
		}
		f.count, f.at = f.count+1, time.Now()
		f.pause = min(brokenLast, brokenFirst<<min(f.count-1, 10))
		j.phase, j.failure = broken, fmt.Errorf("%s: %w", activity, p)
		j.Obstacles.Set(obstacle.Serve, jobtree.NewObstacle(jobtree.ObstacleBroken, "it panicked ("+activity+"): "+usererror.PanicText(p.Value)))
		j.worker.Close()
		claimed = j.worker.Drain()
	}
	pause := j.fault.pause
	j.mu.Unlock()
	j.Log.Error(PanicMessage, "activity", activity, "panic", usererror.PanicText(p.Value), "pause", pause, "stack", string(p.Stack))
	if !serves {
		return // The job is already broken, or about to end.
	}
	j.Fires.Stop()
	j.Host.Timers.Stop(j.retry)
	j.controller.StopAudit()
	j.worker.Cancel(host.ErrBroken)
	j.Host.Tasks.Go(func() { j.withdraw(claimed, pause) })
}

// withdraw takes a broken job out of the tree when nothing of it is running any more. After a pause
// the job joins again. Its instance must stay until then, or others would run the shards that still
// run here.
func (j *Job) withdraw(claimed []int, pause time.Duration) {
	for {
		_, changed := j.Latest.Get()
		j.mu.Lock()
		busy, phase := j.controlling || j.worker.Busy(), j.phase
		j.mu.Unlock()
		busy = busy || j.Host.Client.State() == zk.Suspended // Without a server the instance couldn't be removed.
		if phase != broken {
			return // Stop removes the instance.
		}
		if !busy {
			break
		}
		if nodes.AwaitChange(j.Host.Life, changed, nodes.RetryFirst) != nil {
			return
		}
	}
	j.Guard("withdrawal", func() {
		ctx, cancel := context.WithTimeout(j.Host.Life, nodes.StepTimeout)
		defer cancel()
		j.mu.Lock()
		registered := j.epoch > 0 && j.epoch == j.Host.Client.Session().Epoch
		j.mu.Unlock()
		if registered {
			if err := j.controller.ClearOwnMarkers(ctx); err != nil {
				j.Log.Warn("markers of a broken job could not be cleared; they are when it joins anew", "err", err)
			}
		}
		if err := j.depart(claimed).Leave(ctx, departure.Instance); err != nil {
			j.Log.Warn("a broken job could not leave the tree", "err", err)
		}
		if err := j.Obstacles.Announce(ctx, j.Host.Client.Session().ID, j.ID()); err != nil {
			j.Log.Warn("a broken job could not announce why it isn't run", "err", err)
		}
	})
	j.Host.Timers.After(j.recovery, pause)
}

func (j *Job) rejoin(time.Time) {
	j.mu.Lock()
	rejoins := j.phase == broken
	if rejoins {
		j.phase, j.fault.rejoins = joining, true
	}
	j.mu.Unlock()
	if rejoins {
		j.Fires.Resume()
		j.Kick()
	}
}

// needsRegistration reports whether the job must register, because it isn't registered in this
// session or was broken.
func (j *Job) needsRegistration(epoch uint64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.epoch == epoch && j.phase != joining {
		return false
	}
	if j.fault.rejoins {
		j.fault.rejoins = false
		j.controller.Reset()
	}
	return true
}
