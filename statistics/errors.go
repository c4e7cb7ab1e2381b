package statistics

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The kinds of failure. An empty result is never an error.
var (
	// ErrJobNotFound means that the namespace has no job of this name: the node doesn't exist, or
	// it has no configuration.
	ErrJobNotFound = errors.New("job not found")
	// ErrServerNotFound means that no job in the namespace lists the server.
	ErrServerNotFound = errors.New("server not found")
	// ErrUnavailable means that ZooKeeper can't be reached or doesn't answer.
	ErrUnavailable = errors.New("ZooKeeper is unavailable")
	// ErrStillReading comes with ErrUnavailable if a watching Reader hasn't read the namespace yet
	// and the context ended first.
	ErrStillReading = errors.New("the namespace is still being read")
	// ErrForbidden means that ZooKeeper refused the credentials.
	ErrForbidden = errors.New("not permitted by ZooKeeper")
)

// wrap adds the operation and the kind of failure to an error.
func wrap(op string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrJobNotFound):
		return fmt.Errorf("%s: %w", op, err)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w", op, err)
	case errors.Is(err, zk.ErrNoAuth):
		return fmt.Errorf("%s: %w: %w", op, ErrForbidden, err)
	case zk.Retriable(err), errors.Is(err, zk.ErrClosed):
		return fmt.Errorf("%s: %w: %w", op, ErrUnavailable, err)
	}
	return fmt.Errorf("%s: %w", op, err)
}
