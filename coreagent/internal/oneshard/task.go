package oneshard

import (
	"context"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Task is a shard whose process an engine of ElasticJob-Cloud has started. It says all
// that a shard has: nothing stands in a registry.
type Task struct {
	Job, ID, JobParameter, Parameter string

	HasParameter bool
	Item, Total  int
	ScheduledAt  time.Time
	Source       tracing.Source
	FencingToken int64
	Props        map[string]string
	RunID        string
	// Requested: a person or a program asked for the run. Params are nil for none.
	Requested bool
	Attempt   int
	Params    []byte
}

// RunTask runs the shard of a task with a coreagent.Handler. invalid says that err is
// about the handler, which did not run. Package coreagent sets it when it is initialized.
var RunTask func(ctx context.Context, handler any, t Task, log *slog.Logger) (invalid bool, err error)

// CheckTask says what is wrong with a coreagent.Handler before any shard is run.
// Package coreagent sets it when it is initialized.
var CheckTask func(handler any) error
