package requested

import (
	"bytes"
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Publish writes the schema of the job's parameters unless the registry already has it. It does so
// once per session, so the last of two program versions wins.
func (a *Activity) Publish(ctx context.Context, session zk.Session) error {
	if len(a.schema) == 0 || a.published == session.Epoch {
		return nil
	}
	path := a.nodes.Tree.Params()
	data, stat, err := a.nodes.Client.Get(ctx, path)
	absent := errors.Is(err, zk.ErrNoNode)
	if err != nil && !absent {
		return err
	}
	stored, unread := jobtree.DecodeRunSchema(data)
	if unread == nil && bytes.Equal(stored.Schema, a.schema) {
		a.published = session.Epoch
		return nil
	}
	written, err := jobtree.RunSchema{Schema: a.schema, By: a.job.ID(), At: a.host.Time().UnixMilli()}.Encode()
	if err != nil {
		return err
	}
	op := zk.SetOp(path, written, stat.Version)
	if absent {
		op = zk.CreateOp(path, written, zk.Persistent)
	}
	if err := a.nodes.Client.Multi(ctx, zk.CheckOp(a.nodes.Tree.Config(), zk.AnyVersion), op); err != nil {
		return err // Another instance has written it, so the next step looks again.
	}
	a.published = session.Epoch
	return nil
}

// checkParams checks the parameters of a requested run before it's claimed. While program versions
// differ, the stored schema may accept parameters that ours doesn't; such a run is left to other
// instances. If the stored schema also refuses them, no instance can run it, and the run fails.
func (a *Activity) checkParams(ctx context.Context, run jobtree.RunRequest) (accepted bool, refusal error, err error) {
	if len(run.Params) == 0 || len(a.schema) == 0 {
		return true, nil, nil
	}
	own, err := a.ownSchema()
	if err != nil {
		return true, nil, nil // The handler decides.
	}
	refusal = own.Check(run.Params)
	if refusal == nil {
		return true, nil, nil
	}
	stored, err := a.store.Schema(ctx)
	if err != nil {
		return false, nil, err
	}
	if schema, unread := runparams.Parse(stored.Text); unread == nil {
		if refused := schema.Check(run.Params); refused != nil {
			return true, refused, nil
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.left != run.ID {
			a.log.WarnContext(ctx, "a requested run is left to other instances because this version of the program doesn't accept its parameters", "run", run.ID, "err", refusal)
		}
		a.left = run.ID
		return false, nil, nil
	}
	return true, refusal, nil
}

// ownSchema returns the schema of this process's parameters, parsed on the first call.
func (a *Activity) ownSchema() (*runparams.Schema, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.parsed != nil {
		return a.parsed, nil
	}
	schema, err := runparams.Parse(a.schema)
	if err == nil {
		a.parsed = schema
	}
	return schema, err
}
