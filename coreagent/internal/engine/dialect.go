package engine

import (
	"context"
	"slices"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// dialectSample bounds how many jobs are looked at to find the words of a
// namespace.
const dialectSample = 64

// declared is the configuration as the code declares it, in the words of the
// agents that are to read it: those of what is stored, or else of other jobs in
// the namespace. Only a job that names its executor needs any.
func (j *Job) declared(ctx context.Context, stored []byte) (*jobtree.Config, error) {
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

// dialect is that of most jobs of the namespace that show one.
func (e *Env) dialect(ctx context.Context) (jobtree.Dialect, error) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil {
		return jobtree.Dialect304, ignore(err, zk.ErrNoNode)
	}
	slices.Sort(names)
	names = names[:min(len(names), dialectSample)]
	var mu sync.Mutex
	balance := 0
	err = each(ctx, len(names), func(ctx context.Context, i int) error {
		data, _, err := e.Client.Get(ctx, e.Tree.Job(names[i]).Config())
		if err != nil {
			return ignore(err, zk.ErrNoNode)
		}
		dialect, known := jobtree.DialectOf(data)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case known && dialect == jobtree.Dialect305:
			balance++
		case known:
			balance--
		}
		return nil
	})
	if balance > 0 {
		return jobtree.Dialect305, err
	}
	return jobtree.Dialect304, err
}
