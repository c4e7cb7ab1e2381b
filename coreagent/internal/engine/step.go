package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/control"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// refusedPause is the longest time before a refused job checks again.
const refusedPause = time.Minute

// startParallel is how many jobs of an agent join at the same time. Without a limit ten thousand
// starting jobs would keep a hundred thousand requests waiting in memory, and wouldn't be faster.
const startParallel = 32

// stepUnderWay is the current control step, so that the job can wait for its end.
type stepUnderWay struct {
	cancel context.CancelFunc
	ended  chan struct{}
}

// Kick asks for a control step. It can be called from anywhere, even from the client's goroutine,
// because it only sets a flag and starts a goroutine if there is none.
func (j *Job) Kick() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.kicked = true
	if j.controlling || j.phase == departed || j.phase == broken || j.Life.Err() != nil {
		return
	}
	j.controlling = true
	limit := host.ControlParallel
	if j.phase == joining {
		limit = startParallel
	}
	j.Host.Admission.Enter(limit, func() {
		j.Host.Tasks.Go(func() { j.Host.Admission.Do(j.runControl) })
	})
}

func (j *Job) runControl() {
	if !j.Guard("control", j.workControl) {
		j.mu.Lock()
		j.controlling = false
		j.mu.Unlock()
	}
}

func (j *Job) workControl() {
	for {
		j.mu.Lock()
		if !j.kicked || j.phase == departed || j.phase == broken || j.Life.Err() != nil {
			j.controlling = false
			j.mu.Unlock()
			return
		}
		j.kicked = false
		j.mu.Unlock()
		founded, err := j.takeStep()
		j.settleStep(err)
		if founded { // Create the agent's other jobs first.
			j.mu.Lock()
			j.controlling = false
			j.mu.Unlock()
			j.Kick() // Line up behind the jobs that are already waiting.
			return
		}
	}
}

func (j *Job) settleStep(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err == nil || j.Life.Err() != nil || j.phase == leaving {
		j.failures, j.failure = 0, nil
		j.kicked = j.Obstacles.Set(obstacle.Control, jobtree.Obstacle{}) || j.kicked
		return
	}
	j.failures++
	j.failure = err
	if found := obstacleOf(obstacle.Control, err); found.Code != "" && j.failures >= failedSteps {
		j.Obstacles.Set(obstacle.Control, found) // The next step announces it.
	}
	if zk.RefusedPath(err) != "" {
		j.Cache.Suspect() // We may have lost the event of a change.
	}
	pause := nodes.RetryPause(j.failures)
	_, refused := errors.AsType[*control.ConflictError](err)
	if refused {
		pause = refusedPause
	}
	pause = pause/2 + rand.N(pause/2+1)
	j.Retry(pause)
	if refused {
		return // The refusal is already in the log.
	}
	// The session itself reports that it was lost, but we log everything else, at exponentially
	// growing intervals.
	if errors.Is(err, zk.ErrSessionLost) || errors.Is(err, zk.ErrUnavailable) && j.Host.Client.State() != zk.Connected {
		return
	}
	if j.failures&(j.failures-1) == 0 {
		j.Log.Warn("job control step failed; trying again", "err", err, "attempt", j.failures, "pause", pause)
	}
}

func (j *Job) takeStep() (founded bool, err error) {
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
		j.underWay = nil // Its context would cost an idle job half a kilobyte.
	}()
	return j.step(ctx)
}

// step brings the job in line with the tree once, and announces any obstacle. founded is set if it
// has created the job.
func (j *Job) step(ctx context.Context) (founded bool, err error) {
	if j.Host.Client.State() != zk.Connected {
		return false, nil // We get a kick when the client is connected.
	}
	session := j.Host.Client.Session()
	// If the step continued in the next session, it would mistake the expiry of its instance node
	// for an operator's shutdown command.
	ctx = zk.UnderSession(ctx, session)
	if j.Leaving() {
		return false, nil
	}
	founded, err = j.follow(ctx, session)
	if j.Life.Err() != nil || j.Leaving() {
		return founded, err
	}
	if failed := j.Obstacles.Announce(ctx, session.ID, j.Self.ID()); failed != nil {
		err = cmp.Or(err, fmt.Errorf("announce why the job isn't run: %w", failed))
	}
	return founded, err
}

// follow registers the job if necessary, and makes a control step.
func (j *Job) follow(ctx context.Context, session zk.Session) (founded bool, err error) {
	registers := j.needsRegistration(session.Epoch)
	if err := j.Misfires.Record(ctx, registers); err != nil {
		return false, fmt.Errorf("record runs that ended without a session: %w", err)
	}
	if registers {
		outcome, err := j.register(ctx, session)
		if err != nil || outcome != control.Entered || j.Life.Err() != nil {
			return outcome == control.Founded, err
		}
	}
	removed, err := j.controller.Follow(ctx, session)
	if removed && err == nil {
		idle, _ := j.worker.Close()
		d := j.depart(nil)
		j.close(host.ErrShutdown)
		j.Host.Tasks.Go(func() { d.LeaveWhen(idle) })
	}
	return false, err
}

// register registers the job in a session and begins to serve it.
func (j *Job) register(ctx context.Context, session zk.Session) (control.Outcome, error) {
	if err := j.prepareRegistration(ctx, session); err != nil {
		return control.Entered, err
	}
	j.mu.Lock()
	first := j.epoch == 0
	j.mu.Unlock()
	outcome, err := j.controller.Register(ctx, session, first)
	if err != nil {
		return outcome, j.refuseIf(ctx, err)
	}
	if outcome == control.Gone {
		j.close(host.ErrShutdown)
		return outcome, nil
	}
	j.enter(session)
	j.accept(ctx)
	return outcome, nil
}

func (j *Job) enter(session zk.Session) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.epoch = session.Epoch
	if j.phase == joining {
		j.phase = serving
		select {
		case <-j.started: // The job was broken since.
		default:
			close(j.started)
		}
	}
	if j.phase == serving {
		j.worker.Open()
	}
	j.Log.Debug("registered", "instance", j.Self.ID(), "epoch", session.Epoch)
}

// endControl ends the control step of a leaving job, because otherwise the step could claim a
// failover shard while the instance leaves, and the claim would stay. It returns the failover
// shards that were claimed (or may have been) but haven't started. Later steps do nothing.
func (j *Job) endControl(ctx context.Context) (claimed []int) {
	j.mu.Lock()
	step := j.underWay
	j.mu.Unlock()
	ended := true
	if step != nil {
		step.cancel()
		grace := time.NewTimer(usercode.Grace) // The step may be in a user's strategy.
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
		claimed = append(claimed, j.controller.Doubts...)
	}
	return claimed
}

// prepareRegistration notes the session in which the registration is about to write nodes. If the
// agent is still removing an earlier instance with the same id, it waits for that.
func (j *Job) prepareRegistration(ctx context.Context, session zk.Session) error {
	if err := j.Host.Departures.Register(ctx, j.Tree.Instance(j.Self.ID())); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.registeredIn = session.ID
	return nil
}
