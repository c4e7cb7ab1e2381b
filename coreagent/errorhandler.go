package coreagent

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/run"
)

// ErrorHandler handles the failures of a job. Register it in [Config.ErrorHandlers] under a name
// that jobs ask for by [Job.ErrorHandler].
//
// ElasticJob's own handlers need no registration: LOG writes to [Config.Logger], THROW stops the run,
// IGNORE does nothing, and EMAIL, WECHAT and DINGTALK send a message according to the job's properties.
type ErrorHandler interface {
	// HandleError is called on the run's own goroutines, for several shards and jobs at the same time,
	// so it should be quick. ctx ends with the run. A non-nil result works like ElasticJob's THROW:
	// before the shards ran it stops the run; from a run of a single shard it skips the listeners'
	// After; from a run of several shards it's logged. A panic is logged together with the failure.
	HandleError(ctx context.Context, f Failure) error
}

// ErrorHandlerFunc makes a function an [ErrorHandler].
type ErrorHandlerFunc func(ctx context.Context, f Failure) error

// HandleError calls h.
func (h ErrorHandlerFunc) HandleError(ctx context.Context, f Failure) error { return h(ctx, f) }

// Failure is a failure of a job: of a shard, of a listener, or of the comparison of clocks.
type Failure struct {
	Job string
	// Item is the failed shard, or -1.
	Item int
	// RunID and Attempt are the same as in [Shard.Run], or empty and 0 for a failure outside of a run.
	RunID   string
	Attempt int
	// Err is the cause. It names the shard or the listener.
	Err error
	// Props are the job's stored properties, including secrets. Read only.
	Props map[string]string
}

func (cfg Config) errorHandlers() (*errorhandler.Set, error) {
	custom := make(map[string]errorhandler.Factory, len(cfg.ErrorHandlers))
	for name, h := range cfg.ErrorHandlers {
		custom[name] = func(props map[string]string) (errorhandler.Handler, error) {
			return userErrorHandler{h, props}, nil
		}
	}
	return errorhandler.NewSet(errorhandler.Options{Log: cfg.Logger, Custom: custom})
}

// userErrorHandler is an ErrorHandler with the properties of one job.
type userErrorHandler struct {
	handler ErrorHandler
	props   map[string]string
}

func (h userErrorHandler) Handle(ctx context.Context, job string, err error) error {
	f := Failure{Job: job, Item: -1, Err: err, Props: h.props}
	if shard := (*run.ShardError)(nil); errors.As(err, &shard) {
		f.Item = shard.Item
	}
	if failure := (*run.RunFailure)(nil); errors.As(err, &failure) {
		f.RunID, f.Attempt, f.Err = failure.RunID, failure.Attempt, failure.Err
	}
	return h.handler.HandleError(ctx, f)
}
