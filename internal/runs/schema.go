package runs

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Schema reads what parameters the job takes; its zero value if nobody has said, or says
// what cannot be read.
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

// schema is what parameters are checked against; nil if the job takes anything.
func (s Store) schema(ctx context.Context) (*runparams.Schema, error) {
	data, _, err := s.Client.Get(ctx, s.Tree.Params())
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	_, schema := decodeSchema(data)
	return schema, nil
}

// decodeSchema reads the node; nil if a stranger has written it, or a later version.
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
