package engine

import (
	"fmt"
	"runtime"
)

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

// Parallel is how many shards of a job run side by side with an executor type:
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
