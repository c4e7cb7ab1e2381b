package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/sharding"
)

// assignTimeout bounds one call of a user's strategy.
const assignTimeout = 10 * time.Second

// StrategyByName returns the strategy of a name, ElasticJob's or one of custom.
func StrategyByName(name string, custom map[string]sharding.Strategy) (sharding.Strategy, error) {
	if own, ok := custom[name]; ok {
		return own, nil
	}
	strategy, err := sharding.ByName(name)
	if unknown := (*sharding.UnknownStrategyError)(nil); errors.As(err, &unknown) {
		unknown.Allowed = append(unknown.Allowed, slices.Sorted(maps.Keys(custom))...)
	}
	return strategy, err
}

// strategy is how a job asks a strategy: with a guard around user code.
type strategy struct {
	sharding.Strategy
	name  string
	user  bool
	stuck *atomic.Bool    // a call of the job has not returned
	life  context.Context // nobody waits for a call after its end
}

func (j *Job) strategy(name string) (strategy, error) {
	found, err := StrategyByName(name, j.env.Strategies)
	_, user := j.env.Strategies[name]
	return strategy{found, name, user, &j.strategyStuck, j.life}, err
}

// assign asks the strategy. User code gets a goroutine of its own, so that it
// can be left behind when it does not return, and its result is checked: an
// item with two owners would run twice.
func (s strategy) assign(instances []string, job string, total int) (map[string][]int, error) {
	if !s.user {
		return s.Assign(instances, job, total), nil
	}
	if !s.stuck.CompareAndSwap(false, true) {
		return nil, fmt.Errorf("sharding strategy %s: an earlier call has not returned", s.name)
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
				done <- result{err: fmt.Errorf("sharding strategy %s: panic: %v", s.name, value)}
			}
		}()
		wanted := s.Assign(slices.Clone(instances), job, total)
		done <- result{wanted, checkAssignment(s.name, wanted, instances, total)}
	}()
	limit := time.NewTimer(assignTimeout)
	defer limit.Stop()
	select {
	case r := <-done:
		return r.wanted, r.err
	case <-s.life.Done():
		return nil, fmt.Errorf("sharding strategy %s: no answer: %w", s.name, context.Cause(s.life))
	case <-limit.C:
		return nil, fmt.Errorf("sharding strategy %s: no answer within %v", s.name, assignTimeout)
	}
}

// checkAssignment says in what a distribution is none.
func checkAssignment(name string, wanted map[string][]int, instances []string, total int) error {
	owners := make([]string, total)
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		if len(wanted[id]) > 0 && !slices.Contains(instances, id) {
			return fmt.Errorf("sharding strategy %s: items %v were given to %q, which is not one of %s", name, wanted[id], id, strings.Join(instances, ", "))
		}
		for _, n := range wanted[id] {
			switch {
			case n < 0 || n >= total:
				return fmt.Errorf("sharding strategy %s: %s was given item %d; the job has 0 to %d", name, id, n, total-1)
			case owners[n] != "":
				return fmt.Errorf("sharding strategy %s: item %d was given to %s and to %s", name, n, owners[n], id)
			}
			owners[n] = id
		}
	}
	if n := slices.Index(owners, ""); n >= 0 {
		return fmt.Errorf("sharding strategy %s: item %d was given to nobody", name, n)
	}
	return nil
}

// The executor types of ElasticJob.
const (
	executorCPU    = "CPU" // what an empty type means
	executorSingle = "SINGLE_THREAD"
)

// UnknownExecutorError says that a configuration names an executor type that
// does not exist.
type UnknownExecutorError struct{ Type string }

// Error begins with ElasticJob's message.
func (e *UnknownExecutorError) Error() string {
	return fmt.Sprintf("Cannot find executor service handler using type '%s'. Allowed types: %s, %s (empty means %s).",
		e.Type, executorCPU, executorSingle, executorCPU)
}

// Parallel is how many items of a job run side by side with an executor type:
// twice the processors, as in ElasticJob, or one.
func Parallel(executorType string) (int, error) {
	switch executorType {
	case "", executorCPU:
		return 2 * runtime.NumCPU(), nil
	case executorSingle:
		return 1, nil
	}
	return 0, &UnknownExecutorError{executorType}
}
