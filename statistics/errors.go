package statistics

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The kinds of failure. They are never confused with "there is nothing".
var (
	// ErrJobNotFound means that the namespace has no job of this name: no node,
	// or one without a configuration.
	ErrJobNotFound = errors.New("job not found")
	// ErrServerNotFound means that no job of the namespace knows the server.
	ErrServerNotFound = errors.New("server not found")
	// ErrUnavailable means that ZooKeeper could not be asked.
	ErrUnavailable = errors.New("ZooKeeper is unavailable")
	// ErrStillReading comes with ErrUnavailable while a watching Reader has yet
	// to read the namespace, and the call could not wait for it.
	ErrStillReading = errors.New("the namespace is still being read")
	// ErrForbidden means that ZooKeeper refused the credentials.
	ErrForbidden = errors.New("not permitted by ZooKeeper")
)

// wrap names the operation and the kind of a failed read.
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
