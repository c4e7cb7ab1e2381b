package engine

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// stepUnderWay is a control step of which the job may have to see the end.
type stepUnderWay struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

// takeStep makes a control step, and notes it while it lasts.
func (j *Job) takeStep() error {
	j.mu.Lock()
	ctx, cancel := context.WithTimeout(j.life, j.view.patience())
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
	claimed = append(numbersOf(j.queue.taken), j.queue.returned...)
	if j.queue.returned = nil; ended {
		claimed = append(claimed, j.control.doubts...)
	}
	j.queue.unreserve(j.queue.taken)
	j.queue.clear()
	return claimed
}

// departWhen removes the agent's node when what ran here as an operator shut the
// job down has come to its end. Until then agents of this kind do not take the
// instance for a crashed one, and nobody runs its shards beside it.
func (j *Job) departWhen(idle <-chan struct{}) {
	select {
	case <-idle:
	case <-j.env.life.Done():
		return // The node goes with the session.
	}
	ctx, cancel := context.WithTimeout(j.env.life, stepTimeout)
	defer cancel()
	err := zk.Ignore(j.env.Client.Delete(ctx, j.nodes.Agent(j.id), zk.AnyVersion), zk.ErrNoNode)
	if err != nil && j.env.life.Err() == nil && !zk.Retriable(err) {
		j.log.Warn("the agent's node could not be removed; it goes with the session", "err", err)
	}
}
