package coreagent

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// NewShard returns a shard as an agent would pass it to the job's handler now, and the handler to
// call, without an agent or a registry: for tests and debuggers. Package coreagenttest has more for
// tests. The shard has the job's parameters and properties, the fencing token 1, and logs to
// [slog.Default]. Its Result, Progress and run log are discarded.
//
// It fails if an agent would refuse the job, or if the job has no such shard. h is nil for a job of
// the type SCRIPT or HTTP; for a type of the program's own, pass its handler and leave Job.Type
// empty. The caller has to apply [Job.Timeout].
func (job Job) NewShard(h Handler, item int) (*Shard, Handler, error) {
	h, err := (Config{}).handler(job, h)
	if err != nil {
		return nil, nil, err
	}
	config, err := job.config(h)
	if err != nil {
		return nil, nil, fmt.Errorf("job %q: %w", job.Name, err)
	}
	_, h, err = job.schema(h)
	if err != nil {
		return nil, nil, fmt.Errorf("job %q: %w", job.Name, err)
	}
	if item < 0 || item >= config.Shards {
		return nil, nil, fmt.Errorf("shard %d: the job has the shards 0 to %d", item, config.Shards-1)
	}
	parameters, err := jobconfig.ParseItemParameters(config.ItemParameters)
	if err != nil {
		return nil, nil, err
	}
	parameter, has := parameters[item]
	return core.New(core.Shard{
		Job: job.Name, TaskID: jobtree.TaskID(job.Name, []int{item}, "", ""), JobParameter: config.Parameter,
		Parameter: parameter, Item: item, Total: config.Shards, ScheduledAt: time.Now(),
		Source: tracing.SourceNormal, FencingToken: 1, Props: config.Props, Run: RunInfo{ID: "test", Attempt: 1},
	}, core.Call{HasParameter: has}, slog.Default()), h, nil
}

// HandlerProps returns the initial job properties of a built-in handler, such as [Dataflow]; nil
// for another handler. It fails if the handler is nil or incomplete.
func HandlerProps(h Handler) (map[string]string, error) {
	if h == nil {
		return nil, errors.New("the handler is nil")
	}
	if k, ok := h.(kind); ok {
		return k.jobProps(), k.check()
	}
	return nil, nil
}
