package jobconfig

import (
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/nodename"
)

// ErrName is wrapped by the errors of [ValidateName].
var ErrName = nodename.ErrInvalid

// idSeparator joins the parts of instance ids and task ids. ElasticJob splits on it, so no job name
// may contain it.
const idSeparator = "@-@"

// ValidateName reports why name can't be a job name: it's empty, contains a slash or the separator
// "@-@", or isn't valid as a ZooKeeper node name. The error wraps [ErrName].
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
