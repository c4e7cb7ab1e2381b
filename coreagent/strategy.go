package coreagent

import "github.com/elasticjob-go/elasticjob/internal/sharding"

// Strategy assigns the shards of a job to its instances, under a name in
// [Config.Strategies] that jobs ask for by [Job.Strategy].
//
// Only the leader asks it, at each resharding, so every process of the job
// must know the name and should come to the same result. It may be called by
// several jobs at the same time.
type Strategy interface {
	// Assign gives the shards 0 to total-1 of job to instances, which are ids
	// of the form "IP@-@suffix" in descending order, at least one. Each shard
	// must be given to exactly one of the instances; instances without an
	// entry get none. A result that breaks this rule, a panic, and a call that
	// takes longer than 10 seconds fail the resharding with an error in the
	// log, and the job waits for the next attempt.
	Assign(instances []string, job string, total int) map[string][]int
}

// StrategyFunc makes a function a [Strategy].
type StrategyFunc func(instances []string, job string, total int) map[string][]int

// Assign calls f.
func (f StrategyFunc) Assign(instances []string, job string, total int) map[string][]int {
	return f(instances, job, total)
}

// strategies returns the user's strategies as the engine takes them.
func (cfg Config) strategies() map[string]sharding.Strategy {
	named := make(map[string]sharding.Strategy, len(cfg.Strategies))
	for name, s := range cfg.Strategies {
		named[name] = s
	}
	return named
}
