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
	data, _, err := s.Client.Get(ctx, s.Tree.Params())
	if err != nil {
		return jobrun.Schema{}, zk.Ignore(err, zk.ErrNoNode)
	}
	stored, schema := decodeSchema(data)
	if schema == nil {
		return jobrun.Schema{}, nil
	}
	return jobrun.Schema{Text: stored.Schema, By: jobtree.Shown(stored.By), At: jobtree.Moment(stored.At)}, nil
}

// schema returns the schema for checks, or nil if the job accepts any parameters.
func (s Store) schema(ctx context.Context) (*runparams.Schema, error) {
	data, _, err := s.Client.Get(ctx, s.Tree.Params())
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	_, schema := decodeSchema(data)
	return schema, nil
}

// decodeSchema reads the node. The schema is nil if the node is foreign or of a later version.
func decodeSchema(data []byte) (jobtree.RunSchema, *runparams.Schema) {
	stored, err := jobtree.DecodeRunSchema(data)
	if err != nil {
		return stored, nil
	}
	schema, err := runparams.Parse(stored.Schema)
	if err != nil {
		return stored, nil
	}
	return stored, schema
}
