package requested

import (
	"bytes"
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Publish writes which parameters the job takes, as this process knows them, unless the registry has
// the same. It does so once a session, so the last of two versions of a program counts.
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
		return err // Another instance has written it: the next step looks again.
	}
	a.published = session.Epoch
	return nil
}

// suits judges the parameters of a requested run before it is claimed. While versions of a program
// differ, parameters that the stored schema takes may not suit this one: such a run is left to other
// instances. If the stored schema refuses them as well, no instance can run it: the run fails with
// the refusal.
func (a *Activity) suits(ctx context.Context, run jobtree.RunRequest) (suits bool, refusal error, err error) {
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
		a.leave(run.ID, refusal)
		return false, nil, nil
	}
	return true, refusal, nil
}

// ownSchema is the schema of the process's own parameters, parsed on the first call.
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

// leave logs once that a run is left to others.
func (a *Activity) leave(id string, refusal error) {
	a.mu.Lock()
	known := a.left == id
	a.left = id
	a.mu.Unlock()
	if !known {
		a.log.Warn("a requested run is left to other instances: this version of the program does not take its parameters", "run", id, "err", refusal)
	}
}
