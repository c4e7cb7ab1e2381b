package coreagent

import "github.com/elasticjob-go/elasticjob/coreagent/internal/host"

// Executor limits how many shards of a job run side by side on an instance. Each job has its own limit;
// [Config.MaxParallel] limits all jobs together. A job has it in [Job.Executor]. [Config.Executors]
// has further ones, for stored configurations that name them.
type Executor struct {
	// Name is the executor's name in the stored configuration. Required, unless the Executor is zero.
	// All processes of a job must have it. Java agents need a JobExecutorThreadPoolSizeProvider of
	// that type, before 3.0.5 a JobExecutorServiceHandler.
	Name string

	// Parallel is the number of shards, 1 to 100,000. Without it, the Executor is ElasticJob's or
	// Config.Executors' with this name.
	Parallel int
}

// ElasticJob's executors.
var (
	CPU          = Executor{Name: host.ExecutorCPU} // twice the number of processors; the default
	SingleThread = Executor{Name: host.ExecutorSingle}
)
