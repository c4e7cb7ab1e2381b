package engine

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// suits judges the parameters of a requested run before it is claimed. While versions of a
// program differ, what the stored schema takes may not suit this one: such a run is left
// to other instances. What the stored schema refuses as well, nobody can run: refusal
// says why, and the run fails.
func (r *requested) suits(ctx context.Context, run jobtree.RunRequest) (suits bool, refusal error, err error) {
	if len(run.Params) == 0 || len(r.j.def.Schema) == 0 {
		return true, nil, nil
	}
	own, err := r.ownSchema()
	if err != nil {
		return true, nil, nil // The handler decides.
	}
	refusal = own.Check(run.Params)
	if refusal == nil {
		return true, nil, nil
	}
	stored, err := r.store.Schema(ctx)
	if err != nil {
		return false, nil, err
	}
	if schema, unread := runparams.Parse(stored.Text); unread == nil {
		if refused := schema.Check(run.Params); refused != nil {
			return true, refused, nil
		}
		r.leave(run.ID, refusal)
		return false, nil, nil
	}
	return true, refusal, nil
}

// ownSchema is that of the process's own parameters, parsed when it is first asked for.
func (r *requested) ownSchema() (*runparams.Schema, error) {
	r.j.mu.Lock()
	defer r.j.mu.Unlock()
	if r.schema != nil {
		return r.schema, nil
	}
	schema, err := runparams.Parse(r.j.def.Schema)
	if err == nil {
		r.schema = schema
	}
	return schema, err
}

// leave logs once that a run is left to others.
func (r *requested) leave(id string, refusal error) {
	r.j.mu.Lock()
	known := r.left == id
	r.left = id
	r.j.mu.Unlock()
	if !known {
		r.j.log.Warn("a requested run is left to other instances: this version of the program does not take its parameters", "run", id, "err", refusal)
	}
}
