package jobconfig

import (
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/nodename"
)

// ErrName is what the errors of [ValidateName] wrap.
var ErrName = nodename.ErrInvalid

// idSeparator joins the parts of instance ids and of task ids. ElasticJob
// splits on it, so no job's name may contain it.
const idSeparator = "@-@"

// ValidateName reports why name cannot be a job name: empty, containing a
// slash or the separator of ids "@-@", or not acceptable to ZooKeeper as a node
// name. The error wraps [ErrName].
func ValidateName(name string) error {
	if name == "" {
		return fmt.Errorf("%w: jobName can not be empty", ErrName)
	}
	if strings.Contains(name, idSeparator) {
		return fmt.Errorf("%w: job name %q must not contain %q", ErrName, name, idSeparator)
	}
	if err := nodename.Check(name); err != nil {
		return fmt.Errorf("%w: %q: %w", ErrName, name, err)
	}
	return nil
}
