package control

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// declared is the configuration as the code declares it, in the words of the
// agents that are to read it: those of what is stored, or else of other jobs in
// the namespace. Only a job that names its executor needs any.
func (c *Controller) declared(ctx context.Context, stored []byte) (*jobconfig.Config, error) {
	config := c.Def.Config
	if config.ExecutorType == "" {
		return config, nil
	}
	dialect, known := jobtree.DialectOf(stored)
	if !known {
		var err error
		if dialect, err = c.Host.Dialect(ctx); err != nil {
			return nil, err
		}
	}
	config = config.Clone()
	config.Dialect = dialect
	return config, nil
}
