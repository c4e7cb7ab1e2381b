package engine

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
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
	v, _ := j.Latest.Get()
	j.mu.Lock()
	ctx, cancel := context.WithTimeout(j.Life, v.Patience())
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
	claimed = j.worker.Drain()
	if ended {
		claimed = append(claimed, j.control.doubts...)
	}
	return claimed
}

// prepareRegistration notes the session whose nodes the registration is about to write. If the agent
// still removes an earlier instance of the same id, that ends first.
func (j *Job) prepareRegistration(ctx context.Context, session zk.Session) error {
	if err := j.Host.Departures.Register(ctx, j.Tree.Instance(j.id)); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.registeredIn = session.ID
	return nil
}

// depart returns the departure of the job; see [departure.Departures.Of].
func (j *Job) depart(returned []int) *departure.Departure {
	j.mu.Lock()
	id, session := j.id, j.registeredIn
	j.mu.Unlock()
	return j.Host.Departures.Of(leaver{j}, j.Nodes, j.Failover, id, session, returned)
}

// leaver is a job as its departure knows it.
type leaver struct{ j *Job }

// Guard implements [departure.Job].
func (l leaver) Guard(activity string, fn func()) (sound bool) { return l.j.Guard(activity, fn) }

// Busy implements [departure.Job].
func (l leaver) Busy() bool { return l.j.worker.Busy() }

// Outdated implements [departure.Job].
func (l leaver) Outdated() bool {
	l.j.mu.Lock()
	defer l.j.mu.Unlock()
	return l.j.epoch > 0 && l.j.epoch != l.j.Host.Client.Session().Epoch
}

// Hindered implements [departure.Job]. The node of a broken job stays until it joins again.
func (l leaver) Hindered() bool {
	l.j.mu.Lock()
	defer l.j.mu.Unlock()
	return l.j.Obstacles.Written() && l.j.phase != broken
}

// Record implements [departure.Job].
func (l leaver) Record(ctx context.Context) error { return l.j.Misfires.Record(ctx, true) }
