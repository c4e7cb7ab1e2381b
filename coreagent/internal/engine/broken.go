package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A panic of the engine itself, or of user code that it calls outside of
// [usercode.Calls] (a recorder, a tracer), is a bug, and it is one job's: the others
// of the process go on. Nobody knows what the job left half done, so it serves
// no longer. It gives its shards to others and joins anew, as after a lost
// session:
//
//	panic ──▶ broken: stack in the log, contexts end with ErrBroken
//	            ▸ wait for handlers and control ▸ clear own marks ▸ leave the tree ▸ announce why
//	            ▸ pause ──▶ joining: register, read and watch everything anew
//
// The pause is five seconds and doubles with each further panic up to five
// minutes, so that a panic that comes again at once, as from a document that
// nobody foresaw, costs little; a job that was sound for ten minutes begins with
// five seconds again.

// PanicMessage is the line in the log that tells of a broken job.
const PanicMessage = "the job is broken: a panic, which is a bug; others serve its shards until it joins anew"

// ErrBroken is the cause with which the contexts of a broken job's runs end.
var ErrBroken = errors.New("the job is broken on this instance by a panic of the agent")

// The pause before a broken job joins anew.
const (
	brokenFirst = 5 * time.Second
	brokenLast  = 5 * time.Minute
	brokenReset = 10 * time.Minute
)

// fault is what a job remembers of its panics, guarded by Job.mu.
type fault struct {
	count   int // in a row
	at      time.Time
	pause   time.Duration
	rejoins bool // nothing that was known before the panic counts
}

// guard runs an activity of the job and breaks the job if it panics, which it
// reports by false.
func (j *Job) guard(activity string, fn func()) (sound bool) {
	defer func() {
		if value := recover(); value != nil {
			sound = false
			j.breakDown(activity, rethrow.Recovered(value))
		}
	}()
	if j.env.Plant != nil {
		j.env.Plant(j.Name(), activity)
	}
	fn()
	return true
}

// guarded is guard for what is called with a time.
func (j *Job) guarded(activity string, fn func(j *Job, at time.Time)) func(time.Time) {
	return func(at time.Time) { j.guard(activity, func() { fn(j, at) }) }
}

// breakDown takes the job out of service after a panic.
func (j *Job) breakDown(activity string, p *rethrow.Panic) {
	j.mu.Lock()
	serves := j.phase == joining || j.phase == serving
	var claimed []*takenShard
	if serves {
		f := &j.fault
		if time.Since(f.at) > brokenReset {
			f.count = 0
		}
		f.count, f.at = f.count+1, time.Now()
		f.pause = min(brokenLast, brokenFirst<<min(f.count-1, 10))
		j.phase, j.failure = broken, fmt.Errorf("%s: %w", activity, p)
		j.obstacles.Set(obstacle.Serve, jobtree.NewObstacle(jobtree.ObstacleBroken, "it panicked ("+activity+"): "+usererror.PanicText(p.Value)))
		claimed = j.queue.taken
		j.queue.clear()
		j.signalView()
	}
	pause := j.fault.pause
	j.mu.Unlock()
	j.log.Error(PanicMessage, "activity", activity, "panic", usererror.PanicText(p.Value), "pause", pause, "stack", string(p.Stack))
	if !serves {
		return // It is broken already, or about to end.
	}
	j.schedule.Stop()
	for _, t := range []*timers.Timer{j.retry, j.audit} {
		j.env.Timers.Stop(t)
	}
	j.cancelRun(ErrBroken)
	j.env.Tasks.Go(func() { j.withdraw(claimed, pause) })
}

// withdraw takes a broken job out of the tree when nothing of it runs any more,
// and has it join anew after a pause. Its instance stays until then: without it
// others would run what still runs here.
func (j *Job) withdraw(claimed []*takenShard, pause time.Duration) {
	for {
		j.mu.Lock()
		busy, changed, phase := j.controlling || j.queue.busy(), j.viewChanged, j.phase
		j.mu.Unlock()
		busy = busy || j.env.Client.State() == zk.Suspended // Or the instance would stay.
		if phase != broken {
			return // Stop does the rest.
		}
		if !busy {
			break
		}
		if nodes.Doze(j.env.Life, changed, retryFirst) != nil {
			return
		}
	}
	j.guard("withdrawal", func() {
		ctx, cancel := context.WithTimeout(j.env.Life, stepTimeout)
		defer cancel()
		j.unreserve(claimed...)
		j.mu.Lock()
		registered := j.epoch > 0 && j.epoch == j.env.Client.Session().Epoch
		j.mu.Unlock()
		if registered {
			if err := j.clearOwnMarkers(ctx); err != nil {
				j.log.Warn("markers of a broken job could not be cleared; they are when it joins anew", "err", err)
			}
		}
		if err := j.depart(takenNumbers(claimed)).Leave(ctx, departure.Instance); err != nil {
			j.log.Warn("a broken job could not leave the tree", "err", err)
		}
		if err := j.obstacles.Announce(ctx, j.env.Client.Session().ID, j.ID()); err != nil {
			j.log.Warn("a broken job could not announce why it isn't run", "err", err)
		}
	})
	j.env.Timers.After(j.recovery, pause)
}

// rejoin ends the pause of a broken job.
func (j *Job) rejoin(time.Time) {
	j.mu.Lock()
	rejoins := j.phase == broken
	if rejoins {
		j.phase, j.fault.rejoins = joining, true
	}
	j.mu.Unlock()
	if rejoins {
		j.schedule.Resume()
		j.kick()
	}
}

// needsRegistration reports whether the job is not registered under a session,
// or has to be anew.
func (j *Job) needsRegistration(epoch uint64) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.epoch == epoch && j.phase != joining {
		return false
	}
	if j.fault.rejoins {
		j.fault.rejoins = false
		j.control.Config, j.control.configAt, j.control.Broken = nil, 0, nil
	}
	return true
}
