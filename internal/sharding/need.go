package sharding

import (
	"fmt"
	"slices"
	"strings"
)

// State is a leader's knowledge of a job when it decides on a resharding. It has facts from the
// tree instead of flags alone.
type State struct {
	Shards   int    // of the configuration
	Strategy string // of the configuration
	Static   bool   // staticSharding of the configuration: keeps an assignment while the number of shards fits

	Existing  int      // number of shards in the tree
	Owners    []string // by shard in the tree; "" for none
	Instances []string // assignable instances, in the order of SortInstances

	// NextLeft means that the single shard rotates and waits for an instance that has left or is disabled.
	NextLeft bool

	// Basis is the [Topology] of the current assignment. It's "" if the leader doesn't know it,
	// because the assignment is older than its term.
	Basis string
	// Wanted returns the strategy's current assignment. It's only called without a Basis. If it's
	// nil, an unknown basis isn't a reason.
	Wanted func() (map[string][]int, error)
}

// Rotates reports whether the only shard of a job rotates over its instances.
func Rotates(shards int, strategy string) bool {
	return shards == 1 && strategy == NameSingleShardingBalance
}

// Topology returns everything that an assignment depends on as one comparable text. instances are
// in the order of SortInstances.
func Topology(shards int, strategy string, instances []string) string {
	return fmt.Sprintf("%d %s %s", shards, strategy, strings.Join(instances, " "))
}

// Reason returns why the shards must be assigned again, or "". By it a leader decides to reshard, and
// writes its log; others explain or predict that decision. Without an assignable instance there's no reason, because
// no shard could be assigned.
func (s State) Reason() string {
	switch {
	case len(s.Instances) == 0:
		return ""
	case s.Existing != s.Shards:
		return fmt.Sprintf("the registry has %s, the configuration has %d", count(s.Existing), s.Shards)
	case s.NextLeft:
		return "the instance that should run next has left or is disabled"
	case s.Static:
		return ""
	}
	if reason := s.Unserved(); reason != "" {
		return reason
	}
	switch {
	case s.Basis != "" && s.Basis != Topology(s.Shards, s.Strategy, s.Instances):
		return "instances, servers, the strategy or the number of shards changed"
	case s.Basis == "" && s.Wanted != nil && s.differs():
		return "the assignment differs from the strategy's result for the current instances"
	}
	return ""
}

// Unserved returns the first shard that its owner may not run, with the reason, or "".
func (s State) Unserved() string {
	for n, owner := range s.Owners {
		if owner == "" {
			return fmt.Sprintf("shard %d has no owner", n)
		}
		if !slices.Contains(s.Instances, owner) {
			return fmt.Sprintf("the owner of shard %d, %s, has left or is disabled", n, owner)
		}
	}
	return ""
}

func count(shards int) string {
	if shards == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", shards)
}

// differs compares the assignment with the strategy's current one.
func (s State) differs() bool {
	if s.Strategy == NameSingleShardingBalance {
		return uneven(s.Owners, s.Instances) // The strategy itself never gives the same result twice.
	}
	wanted, err := s.Wanted()
	return err != nil || !slices.Equal(s.Owners[:min(len(s.Owners), s.Shards)], Owners(wanted, s.Shards))
}

// uneven reports whether some instance has at least two shards more than another.
func uneven(owners, instances []string) bool {
	counts := make(map[string]int, len(instances))
	for _, owner := range owners {
		counts[owner]++
	}
	least, most := len(owners), 0
	for _, id := range instances {
		least, most = min(least, counts[id]), max(most, counts[id])
	}
	return most > least+1
}

// Owners inverts an assignment: it returns each shard's owner.
func Owners(assigned map[string][]int, shards int) []string {
	owners := make([]string, shards)
	for id, numbers := range assigned {
		for _, n := range numbers {
			owners[n] = id
		}
	}
	return owners
}
