package sharding

import (
	"fmt"
	"slices"
	"strings"
)

// State is what a leader knows of a job when it judges whether its shards have to
// be assigned anew: facts of the tree, never a flag alone.
type State struct {
	Shards   int    // as the configuration says
	Strategy string // the same
	Static   bool   // the same: staticSharding, which keeps an assignment while the number fits

	Existing  int      // shards that the tree has
	Owners    []string // by shard, those that the tree has; "" for none
	Instances []string // that may be assigned shards, in the order of SortInstances

	// NextLeft: the shard rotates, and waits for an instance that does not come.
	NextLeft bool

	// Basis is the [Topology] that the present assignment was made from, "" if the
	// leader does not know: it was made before its term.
	Basis string
	// Wanted asks the strategy what it assigns now. It is called only without a
	// Basis. Nil means that nobody asks, and an unknown basis is no reason.
	Wanted func() (map[string][]int, error)
}

// Rotates reports whether the only shard of a job rotates over its instances.
func Rotates(shards int, strategy string) bool {
	return shards == 1 && strategy == NameSingleShardingBalance
}

// Topology is everything that an assignment depends on, as one comparable text.
// Instances are in the order of SortInstances.
func Topology(shards int, strategy string, instances []string) string {
	return fmt.Sprintf("%d %s %s", shards, strategy, strings.Join(instances, " "))
}

// Reason says why the shards have to be assigned anew, "" if they need not: in the
// leader's log and wherever somebody explains or predicts what a leader does. A
// job without an instance that may serve has no reason, because nobody can be
// assigned anything.
func (s State) Reason() string {
	switch {
	case len(s.Instances) == 0:
		return ""
	case s.Existing != s.Shards:
		return fmt.Sprintf("the tree has %s, the configuration says %d", count(s.Existing), s.Shards)
	case s.NextLeft:
		return "the instance that is to run next has left or is disabled"
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
		return "the assignment is not the one that the strategy makes for the instances present"
	}
	return ""
}

// Unserved names the first shard whose owner may not run it, and why; "" if there
// is none.
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

// differs compares the assignment with what the strategy makes now.
func (s State) differs() bool {
	if s.Strategy == NameSingleShardingBalance {
		return uneven(s.Owners, s.Instances) // The strategy itself never gives the same twice.
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

// Owners turns what a strategy assigns around: the owner of each shard, by its
// number.
func Owners(assigned map[string][]int, shards int) []string {
	owners := make([]string, shards)
	for id, numbers := range assigned {
		for _, n := range numbers {
			owners[n] = id
		}
	}
	return owners
}
