package coreagent

import "github.com/elasticjob-go/elasticjob/internal/sharding"

// Strategy assigns the shards of a job to its instances. Register it in [Config.Strategies] under a
// name that jobs ask for by [Job.Strategy].
//
// Only the leader calls it, at each resharding, so every process of the job must know the name and
// should compute the same result. It may be called for several jobs at the same time.
type Strategy interface {
	// Assign assigns the shards 0 to total-1 of job to instances, at least one, which are ids of the form
	// "IP@-@suffix" in descending order. Each shard must be assigned to exactly one instance; instances
	// without an entry get none. A result that breaks this rule, a panic, and a call of more than 10
	// seconds fail the resharding with an error in the log, and the job waits for the next attempt.
	Assign(instances []string, job string, total int) map[string][]int
}

// StrategyFunc makes a function a [Strategy].
type StrategyFunc func(instances []string, job string, total int) map[string][]int

// Assign calls f.
func (f StrategyFunc) Assign(instances []string, job string, total int) map[string][]int {
	return f(instances, job, total)
}

func (cfg Config) strategies() map[string]sharding.Strategy {
	named := make(map[string]sharding.Strategy, len(cfg.Strategies))
	for name, s := range cfg.Strategies {
		named[name] = s
	}
	return named
}
