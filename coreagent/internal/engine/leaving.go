package engine

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
)

// stepUnderWay is a control step of which the job may have to see the end.
type stepUnderWay struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

// takeStep makes a control step, and notes it while it lasts.
func (j *Job) takeStep() error {
	j.mu.Lock()
	ctx, cancel := context.WithTimeout(j.life, j.view.Patience())
	defer cancel()
	step := &stepUnderWay{cancel, make(chan struct{})}
	j.underWay = step
	j.mu.Unlock()
	defer func() {
		close(step.ended)
		j.mu.Lock()
		defer j.mu.Unlock()
		j.underWay = nil // With its context it would take half a kilobyte of an idle job.
	}()
	return j.step(ctx)
}

// endControl ends the control step of a job that has begun to leave, and returns
// the failover shards that it had claimed, or may have, and nobody began to run.
// Without waiting for it a claim could be made while the instance leaves, and
// stay behind. Steps that come later do nothing.
func (j *Job) endControl(ctx context.Context) (claimed []int) {
	j.mu.Lock()
	step := j.underWay
	j.mu.Unlock()
	ended := true
	if step != nil {
		step.cancel()
		grace := time.NewTimer(usercode.Grace) // It may call a strategy of the user's.
		defer grace.Stop()
		select {
		case <-step.ended:
		case <-grace.C:
			ended = false
		case <-ctx.Done():
			ended = false
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	claimed = append(takenNumbers(j.queue.taken), j.queue.returned...)
	if j.queue.returned = nil; ended {
		claimed = append(claimed, j.control.doubts...)
	}
	j.queue.unreserve(j.queue.taken...)
	j.queue.clear()
	return claimed
}

// leaveWhen removes the agent's node when the runs of a job that an operator has shut down
// here have ended. Until then agents of this kind don't take the instance for a crashed
// one, so its shards don't run a second time next to those runs.
func (d *departure) leaveWhen(idle <-chan struct{}) {
	life := d.job.env.life
	select {
	case <-idle:
	case <-life.Done():
		return // The node goes with the session.
	}
	if err := d.leave(life, extentInstance); err != nil {
		d.job.log.Warn("the agent's node could not be removed; it goes with the session", "err", err)
	}
}
