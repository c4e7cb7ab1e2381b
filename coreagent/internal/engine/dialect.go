package engine

import (
	"context"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// declared is the configuration as the code declares it, in the words of the
// agents that are to read it: those of what is stored, or else of other jobs in
// the namespace. Only a job that names its executor needs any.
func (j *Job) declared(ctx context.Context, stored []byte) (*jobconfig.Config, error) {
	c := j.def.Config
	if c.ExecutorType == "" {
		return c, nil
	}
	dialect, known := jobtree.DialectOf(stored)
	if !known {
		var err error
		if dialect, err = j.env.dialect(ctx); err != nil {
			return nil, err
		}
	}
	c = c.Clone()
	c.Dialect = dialect
	return c, nil
}

// dialect is that of most jobs of the namespace that show one, else that of
// 3.0.4.
func (e *Env) dialect(ctx context.Context) (jobconfig.Dialect, error) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil {
		return jobconfig.Dialect304, zk.Ignore(err, zk.ErrNoNode)
	}
	names = jobtree.DialectSample(names)
	documents := make([][]byte, len(names))
	err = nodes.Each(ctx, len(names), func(ctx context.Context, i int) (err error) {
		documents[i], _, err = e.Client.Get(ctx, e.Tree.Job(names[i]).Config())
		return zk.Ignore(err, zk.ErrNoNode)
	})
	dialect, _ := jobtree.CommonDialect(documents)
	return dialect, err
}
