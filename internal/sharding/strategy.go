package sharding

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The names of the strategies in a job's configuration.
const (
	// NameAverage is ElasticJob's default.
	NameAverage = "AVG_ALLOCATION"
	// NameOdevity reverses the order of instances for every second job.
	NameOdevity = "ODEVITY"
	// NameRoundRobin starts each job at another instance.
	NameRoundRobin = "ROUND_ROBIN"
	// NameSingleShardingBalance starts at another instance each time.
	NameSingleShardingBalance = "SINGLE_SHARDING_BALANCE"
)

// Strategy distributes the shards of one job over instances.
type Strategy interface {
	// Assign gives shards 0..total-1 to instances. instances are ids in the order of SortInstances,
	// without duplicates. The result has a key for each instance, and its shards in ElasticJob's
	// order, which is ascending. Without instances the result is empty. A total below one assigns
	// nothing.
	Assign(instances []string, job string, total int) map[string][]int
}

// Names returns the names that ByName accepts, the default first.
func Names() []string {
	return []string{NameAverage, NameOdevity, NameRoundRobin, NameSingleShardingBalance}
}

// ByName returns the strategy of a name in a job's configuration. The empty name means NameAverage.
// Like ElasticJob, it compares names exactly. An unknown name is an *UnknownStrategyError.
func ByName(name string) (Strategy, error) {
	switch name {
	case "", NameAverage:
		return Average{}, nil
	case NameOdevity:
		return Odevity{}, nil
	case NameRoundRobin:
		return RoundRobin{}, nil
	case NameSingleShardingBalance:
		return SingleShardingBalance{}, nil
	}
	return nil, &UnknownStrategyError{Name: name, Allowed: Names()}
}

// UnknownStrategyError is the error for a strategy that doesn't exist. Its text begins with the
// sentence that Java agents report.
type UnknownStrategyError struct {
	Name    string
	Allowed []string // the existing names
}

func (e *UnknownStrategyError) Error() string {
	return fmt.Sprintf("Cannot find sharding strategy using type '%s'. Allowed types: %s (empty means %s).",
		e.Name, strings.Join(e.Allowed, ", "), NameAverage)
}

// Average gives each instance the same number of consecutive shards, in list order. Leftover shards
// go one each to the first instances: three instances and eight shards give [0 1 6] [2 3 7] [4 5].
type Average struct{}

// Assign implements Strategy. It ignores the job's name.
func (Average) Assign(instances []string, _ string, total int) map[string][]int {
	return allocate(instances, 0, total)
}

// Odevity is Average on the reversed list if the Java hash of the job's name is even. With
// SortInstances' descending order, an even hash serves the lowest id first, and an odd hash the
// highest.
type Odevity struct{}

// Assign implements Strategy.
func (Odevity) Assign(instances []string, job string, total int) map[string][]int {
	if JavaHash(job)%2 == 0 {
		instances = slices.Clone(instances)
		slices.Reverse(instances)
	}
	return allocate(instances, 0, total)
}

// RoundRobin is Average on the list rotated left by the Java hash of the job's name, so that small
// jobs don't all end up on the same instance.
type RoundRobin struct{}

// Assign implements Strategy.
func (RoundRobin) Assign(instances []string, job string, total int) map[string][]int {
	return allocate(instances, rotation(JavaHash(job), len(instances)), total)
}

// SingleShardingBalance is Average on the list rotated left by the Java hash of the job's name plus
// the time in milliseconds, so each resharding starts at another instance. It's meant for jobs with
// one shard. Agents before ElasticJob 3.0.5 don't know it and fail the trigger.
type SingleShardingBalance struct {
	// Now returns the time. Nil means time.Now.
	Now func() time.Time
}

// Assign implements Strategy. Two calls give the same result only within the same millisecond.
func (s SingleShardingBalance) Assign(instances []string, job string, total int) map[string][]int {
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	// Java adds two ints here, so the sum wraps and only the low 32 bits of the time count.
	seed := JavaHash(job) + int32(uint32(now().UnixMilli()))
	return allocate(instances, rotation(seed, len(instances)), total)
}

// rotation maps a Java hash to an offset below count, as abs(hash) mod count. In Java the absolute
// value of the smallest int is negative, so the offset may be out of range. Widening first avoids
// that and doesn't change any other result.
func rotation(hash int32, count int) int {
	if count == 0 {
		return 0
	}
	wide := int64(hash)
	if wide < 0 {
		wide = -wide
	}
	return int(wide % int64(count))
}

// allocate distributes shards evenly over instances[offset:] followed by instances[:offset]. All
// shard slices share one array, but each is capped, so appending to one can't overwrite the next.
func allocate(instances []string, offset, total int) map[string][]int {
	count := len(instances)
	result := make(map[string][]int, count)
	if count == 0 {
		return result
	}
	total = max(total, 0)
	share, left := total/count, total%count
	items := make([]int, 0, total)
	for position := range count {
		start := len(items)
		for item := position * share; item < (position+1)*share; item++ {
			items = append(items, item)
		}
		if position < left {
			items = append(items, count*share+position)
		}
		result[instances[(offset+position)%count]] = items[start:len(items):len(items)]
	}
	return result
}
