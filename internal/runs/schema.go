package runs

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Schema reads the schema of the job's parameters. It's the zero value if there is none or it's
// unreadable.
func (s Store) Schema(ctx context.Context) (jobrun.Schema, error) {
	stored, schema, err := s.schema(ctx)
	if schema == nil {
		return jobrun.Schema{}, err
	}
	return jobrun.Schema{Text: stored.Schema, By: jobtree.Shown(stored.By), At: jobtree.Moment(stored.At)}, nil
}

// schema reads the schema for checks. It's nil if the job accepts any parameters, or the node is
// foreign or of a later version.
func (s Store) schema(ctx context.Context) (stored jobtree.RunSchema, schema *runparams.Schema, err error) {
	data, _, err := s.Client.Get(ctx, s.Tree.Params())
	if err != nil {
		return stored, nil, zk.Ignore(err, zk.ErrNoNode)
	}
	if stored, err = jobtree.DecodeRunSchema(data); err != nil {
		return stored, nil, nil
	}
	schema, _ = runparams.Parse(stored.Schema)
	return stored, schema, nil
}
