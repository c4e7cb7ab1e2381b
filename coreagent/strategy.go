package coreagent

import "github.com/elasticjob-go/elasticjob/internal/sharding"

// Strategy assigns the shards of a job to its instances. A job has it in [Job.Strategy].
// [Config.Strategies] has further ones, for stored configurations that name them.
//
// Only the leader calls it, at each resharding, so every process of the job must have it and should
// compute the same result. Java agents need a strategy of the same name. It may be called for
// several jobs at the same time.
type Strategy struct {
	// Name is the strategy's name in the stored configuration. Required, unless the Strategy is zero.
	Name string

	// Assign assigns the shards 0 to total-1 of job to instances, at least one, which are ids of the form
	// "IP@-@suffix" in descending order. Each shard must be assigned to exactly one instance; instances
	// without an entry get none. A result that breaks this rule, a panic, and a call of more than 10
	// seconds fail the resharding with an error in the log, and the job waits for the next attempt.
	//
	// Without Assign, the Strategy is ElasticJob's or Config.Strategies' with this name.
	Assign func(instances []string, job string, total int) map[string][]int
}

// ElasticJob's strategies.
var (
	// AverageAllocation gives each instance the same number of shards. Every job with one shard runs
	// on the same instance. It's the default.
	AverageAllocation = Strategy{Name: "AVG_ALLOCATION"}
	// OddEven is AverageAllocation with the instances in the opposite order for half of the jobs, by their names.
	OddEven = Strategy{Name: "ODEVITY"}
	// RoundRobin spreads jobs with few shards, by their names, and each stays where it is.
	RoundRobin = Strategy{Name: "ROUND_ROBIN"}
	// Balance is for jobs with one shard: each run is another instance's turn. Java agents before
	// 3.0.5 don't know it and fail.
	Balance = Strategy{Name: "SINGLE_SHARDING_BALANCE"}
)

func (s Strategy) hosted() sharding.Strategy { return assignFunc(s.Assign) }

type assignFunc func(instances []string, job string, total int) map[string][]int

func (f assignFunc) Assign(instances []string, job string, total int) map[string][]int {
	return f(instances, job, total)
}
