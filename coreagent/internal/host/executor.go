package host

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
)

// The executor types of ElasticJob.
const (
	ExecutorCPU    = "CPU" // what an empty type means
	ExecutorSingle = "SINGLE_THREAD"
)

// ExecutorTypes lists ElasticJob's executor types.
func ExecutorTypes() []string { return []string{ExecutorCPU, ExecutorSingle} }

// UnknownExecutorError is the error of a configuration with an executor type that doesn't exist.
type UnknownExecutorError struct {
	Type  string
	Known []string
}

// Error begins with ElasticJob's message.
func (e *UnknownExecutorError) Error() string {
	return fmt.Sprintf("Cannot find executor service handler using type '%s'. Allowed types: %s (empty means %s).",
		e.Type, strings.Join(e.Known, ", "), ExecutorCPU)
}

// Parallel is how many shards of a job run side by side with an executor type: twice the
// processors, as in ElasticJob, one, or as many as the user's own type allows.
func Parallel(executorType string, own map[string]int) (int, error) {
	switch executorType {
	case "", ExecutorCPU:
		return 2 * runtime.NumCPU(), nil
	case ExecutorSingle:
		return 1, nil
	}
	if n := own[executorType]; n > 0 {
		return n, nil
	}
	return 0, &UnknownExecutorError{executorType, append(ExecutorTypes(), slices.Sorted(maps.Keys(own))...)}
}
