package usercode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/usererror"
)

// assignTimeout limits one call of a custom strategy.
const assignTimeout = 10 * time.Second

// ByName returns ElasticJob's or a custom strategy by its name. The error lists the known names.
func ByName(name string, custom map[string]sharding.Strategy) (sharding.Strategy, error) {
	if own, ok := custom[name]; ok {
		return own, nil
	}
	strategy, err := sharding.ByName(name)
	if unknown := (*sharding.UnknownStrategyError)(nil); errors.As(err, &unknown) {
		unknown.Allowed = append(unknown.Allowed, slices.Sorted(maps.Keys(custom))...)
	}
	return strategy, err
}

// Strategies are the strategies available to one job. It remembers whether an earlier call has
// returned.
type Strategies struct {
	life   context.Context
	custom map[string]sharding.Strategy
	stuck  atomic.Bool // a call hasn't returned
}

// NewStrategies returns the strategies of a job: ElasticJob's and the custom ones. After the end of
// life, calls are no longer awaited.
func NewStrategies(life context.Context, custom map[string]sharding.Strategy) *Strategies {
	return &Strategies{life: life, custom: custom}
}

// Assign calls the strategy with a name, for at most ten seconds. User code gets its own goroutine,
// so that we can leave it behind if it doesn't return. Its result is checked, because a shard with
// two owners would run twice.
func (s *Strategies) Assign(name string, instances []string, job string, total int) (map[string][]int, error) {
	strategy, err := ByName(name, s.custom)
	if err != nil {
		return nil, err
	}
	if _, user := s.custom[name]; !user {
		return strategy.Assign(instances, job, total), nil
	}
	if !s.stuck.CompareAndSwap(false, true) {
		return nil, fmt.Errorf("sharding strategy %s: an earlier call has not returned", name)
	}
	type result struct {
		wanted map[string][]int
		err    error
	}
	done := make(chan result, 1)
	go func() {
		defer s.stuck.Store(false)
		defer func() {
			if value := recover(); value != nil {
				done <- result{err: fmt.Errorf("sharding strategy %s: panic: %s", name, usererror.PanicText(value))}
			}
		}()
		wanted := make(map[string][]int) // a copy, because the user's code may still write to its own
		for id, shards := range strategy.Assign(slices.Clone(instances), job, total) {
			wanted[id] = slices.Clone(shards)
		}
		done <- result{wanted, checkAssignment(name, wanted, instances, total)}
	}()
	limit := time.NewTimer(assignTimeout)
	defer limit.Stop()
	select {
	case r := <-done:
		return r.wanted, r.err
	case <-s.life.Done():
		return nil, fmt.Errorf("sharding strategy %s: no answer: %w", name, context.Cause(s.life))
	case <-limit.C:
		return nil, fmt.Errorf("sharding strategy %s: no answer within %v", name, assignTimeout)
	}
}

func checkAssignment(name string, wanted map[string][]int, instances []string, total int) error {
	owners := make([]string, total)
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		if len(wanted[id]) > 0 && !slices.Contains(instances, id) {
			return fmt.Errorf("sharding strategy %s: shards %v were given to %q, which is not one of %s", name, wanted[id], id, strings.Join(instances, ", "))
		}
		for _, n := range wanted[id] {
			switch {
			case n < 0 || n >= total:
				return fmt.Errorf("sharding strategy %s: %s was given shard %d; the job has 0 to %d", name, id, n, total-1)
			case owners[n] != "":
				return fmt.Errorf("sharding strategy %s: shard %d was assigned to both %s and %s", name, n, owners[n], id)
			}
			owners[n] = id
		}
	}
	if n := slices.Index(owners, ""); n >= 0 {
		return fmt.Errorf("sharding strategy %s: shard %d has no owner", name, n)
	}
	return nil
}
