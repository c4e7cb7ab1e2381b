package engine

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// declared is the configuration as the code declares it, in the words of the
// agents that are to read it: those of what is stored, or else of other jobs in
// the namespace. Only a job that names its executor needs any.
func (j *Job) declared(ctx context.Context, stored []byte) (*jobconfig.Config, error) {
	c := j.Def.Config
	if c.ExecutorType == "" {
		return c, nil
	}
	dialect, known := jobtree.DialectOf(stored)
	if !known {
		var err error
		if dialect, err = j.Host.Dialect(ctx); err != nil {
			return nil, err
		}
	}
	c = c.Clone()
	c.Dialect = dialect
	return c, nil
}
