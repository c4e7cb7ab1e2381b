package engine

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/control"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// A job is refused if a job of another class already uses its name. The reason is in the log, in
// the registry for Explain (see package obstacle), and with the agent. The job checks again from
// time to time, so it begins to serve when the stored job has been removed:
//
//	joining ──▶ conflict ──▶ refused: log ▸ extension/refused/<instance> ▸ observation
//	               ▲             │ every refusedPause, and under a new session
//	               └─────────────┴──▶ no conflict ──▶ accepted: the node goes ▸ serving

// Refusal returns why the job isn't served, or nil if it is or is still registering.
func (j *Job) Refusal() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refusal == nil {
		return nil
	}
	return j.refusal
}

// refuseIf publishes the refusal of the job if err is a conflict. It returns err.
func (j *Job) refuseIf(ctx context.Context, err error) error {
	conflict, ok := errors.AsType[*control.ConflictError](err)
	if !ok {
		return err
	}
	j.mu.Lock()
	known := j.refusal != nil && *j.refusal == *conflict
	j.refusal = conflict
	j.mu.Unlock()
	if !known {
		j.Log.ErrorContext(ctx, "the job isn't served here", "err", conflict, "stored", conflict.Stored, "own", conflict.Own,
			"remedy", "choose another name, or remove the stored job when no process serves it any more")
		j.Host.Report(j.Name(), host.Observation{Event: host.Refused, Err: conflict})
	}
	if !conflict.Legacy { // Agents of 2.1 use the node's children, too.
		j.Obstacles.Set(obstacle.Serve, obstacleOf(obstacle.Serve, conflict))
		err = errors.Join(err, j.Obstacles.Announce(ctx, j.Host.Client.Session().ID, j.Self.ID())) // Before Start returns.
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	select {
	case <-j.started:
	default:
		j.startErr = conflict
		close(j.started)
	}
	return err
}

func (j *Job) accept(ctx context.Context) {
	j.mu.Lock()
	was := j.refusal
	j.refusal = nil
	j.mu.Unlock()
	j.Obstacles.Set(obstacle.Serve, jobtree.Obstacle{})
	if was == nil {
		return
	}
	j.Log.InfoContext(ctx, "the job is served now: the stored job that was in the way is gone")
	j.Host.Report(j.Name(), host.Observation{Event: host.Refused})
}

// failedSteps is the number of failed control steps in a row that count as an obstacle.
const failedSteps = 3

// obstacleOf returns the obstacle behind an error, or the zero value if the error is temporary.
func obstacleOf(at obstacle.Stage, err error) jobtree.Obstacle {
	code := jobtree.ObstacleNotBegun
	switch {
	case err == nil, zk.Retriable(err), errors.Is(err, host.ErrStopping), errors.Is(err, host.ErrShutdown), errors.Is(err, host.ErrSessionLost):
		return jobtree.Obstacle{}
	case is[*control.ConflictError](err):
		code = jobtree.ObstacleConflict
	case is[*host.UnknownExecutorError](err):
		code = jobtree.ObstacleExecutorUnknown
	case is[*host.UnknownListenerError](err):
		code = jobtree.ObstacleListenerUnknown
	case is[*errorhandler.UnknownTypeError](err):
		code = jobtree.ObstacleErrorHandlerUnknown
	case is[*sharding.UnknownStrategyError](err):
		code = jobtree.ObstacleStrategyUnknown
	case errors.Is(err, zk.ErrNoAuth):
		code = jobtree.ObstacleForbidden
	case at == obstacle.Control:
		code = jobtree.ObstacleControl
	case at == obstacle.Assign:
		code = jobtree.ObstacleAssigning
	}
	return jobtree.NewObstacle(code, err.Error())
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
