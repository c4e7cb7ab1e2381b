package engine

import (
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/control"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// failedSteps is how many control steps must fail in a row to be an obstacle.
const failedSteps = 3

// obstacleOf returns the obstacle behind an error; the zero value if the error passes by itself.
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
