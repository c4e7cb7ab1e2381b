package host

import (
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Survey lists the jobs in the registry once, so that jobs that register next needn't check. It's
// only a hint: without an answer, and for later jobs, everything works as well.
func (e *Host) Survey(ctx context.Context) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return
	}
	present := make(map[string]bool, len(names))
	for _, name := range names {
		present[name] = true
	}
	e.present.Store(&present)
}

// Surveyed ends the time in which the list is used.
func (e *Host) Surveyed() { e.present.Store(nil) }

// Absent reports whether a job is known to have been missing from the registry just now.
func (e *Host) Absent(job string) bool {
	present := e.present.Load()
	return present != nil && !(*present)[job]
}

// Dialect returns the most common dialect among the namespace's jobs, or ElasticJob 3.0.4's if none
// shows one. Jobs that these credentials may not read don't count.
func (e *Host) Dialect(ctx context.Context) (jobconfig.Dialect, error) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil {
		return jobconfig.Dialect304, zk.Ignore(err, zk.ErrNoNode)
	}
	names = jobtree.DialectSample(names)
	documents := make([][]byte, len(names))
	err = nodes.Each(ctx, len(names), func(ctx context.Context, i int) (err error) {
		documents[i], _, err = e.Client.Get(ctx, e.Tree.Job(names[i]).Config())
		return zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrNoAuth)
	})
	dialect, _ := jobtree.CommonDialect(documents)
	return dialect, err
}
