package host

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
)

const (
	ExecutorCPU    = "CPU" // the default
	ExecutorSingle = "SINGLE_THREAD"
)

// ExecutorTypes lists ElasticJob's executor types.
func ExecutorTypes() []string { return []string{ExecutorCPU, ExecutorSingle} }

// UnknownExecutorError is returned if a configuration has an unknown executor type.
type UnknownExecutorError struct {
	Type  string
	Known []string
}

func (e *UnknownExecutorError) Error() string {
	return fmt.Sprintf("Cannot find executor service handler using type '%s'. Allowed types: %s (empty means %s).",
		e.Type, strings.Join(e.Known, ", "), ExecutorCPU)
}

// Parallel returns how many shards of a job run in parallel with an executor type: twice the
// processors, as in ElasticJob, one, or the limit of a custom type.
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
