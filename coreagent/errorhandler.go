package coreagent

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/run"
)

// ErrorHandler handles the failures of a job. A job has it in [Job.ErrorHandler]. [Config.ErrorHandlers]
// has further ones, for stored configurations that name them.
type ErrorHandler struct {
	// Name is the handler's name in the stored configuration. Required, unless the ErrorHandler is zero.
	Name string

	// Handle is called on the run's own goroutines, for several shards and jobs at the same time,
	// so it should be quick. ctx ends with the run. A non-nil result works like [Throw]: before the
	// shards ran it stops the run; from a run of a single shard it skips the listeners' After; from
	// a run of several shards it's logged. A panic is logged together with the failure.
	//
	// Without Handle, the ErrorHandler is ElasticJob's or Config.ErrorHandlers' with this name.
	Handle func(ctx context.Context, f Failure) error
}

// ElasticJob's error handlers. The last three have settings in [Job.Props], with ElasticJob's keys such as
// email.host or dingtalk.webhook. Note that ZooKeeper stores properties in clear text, including passwords.
var (
	LogErrors    = ErrorHandler{Name: errorhandler.TypeLog}   // writes to [Config.Logger]; the default
	Throw        = ErrorHandler{Name: errorhandler.TypeThrow} // stops the run
	IgnoreErrors = ErrorHandler{Name: errorhandler.TypeIgnore}
	Email        = ErrorHandler{Name: errorhandler.TypeEmail}
	WeChat       = ErrorHandler{Name: errorhandler.TypeWechat}
	DingTalk     = ErrorHandler{Name: errorhandler.TypeDingTalk}
)

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

func (h ErrorHandler) factory() errorhandler.Factory {
	return func(props map[string]string) (errorhandler.Handler, error) { return userErrorHandler{h, props}, nil }
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
	return h.handler.Handle(ctx, f)
}
