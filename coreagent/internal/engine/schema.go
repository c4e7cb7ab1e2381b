package engine

import (
	"bytes"
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// publish writes which parameters the job takes, as this process knows them, if that is not
// what stands there. It does so once a session: of two versions of a program the one that
// came last has its say. It is a part of control.
func (r *requested) publish(ctx context.Context, session zk.Session) error {
	j := r.j
	if len(j.def.Schema) == 0 || r.published == session.Epoch {
		return nil
	}
	path := j.tree.Params()
	data, stat, err := j.env.Client.Get(ctx, path)
	absent := errors.Is(err, zk.ErrNoNode)
	if err != nil && !absent {
		return err
	}
	stored, unread := jobtree.DecodeRunSchema(data)
	if unread == nil && bytes.Equal(stored.Schema, j.def.Schema) {
		r.published = session.Epoch
		return nil
	}
	written, err := jobtree.RunSchema{Schema: j.def.Schema, By: j.ID(), At: j.env.Time().UnixMilli()}.Encode()
	if err != nil {
		return err
	}
	op := zk.SetOp(path, written, stat.Version)
	if absent {
		op = zk.CreateOp(path, written, zk.Persistent)
	}
	if err := j.env.Client.Multi(ctx, zk.CheckOp(j.tree.Config(), zk.AnyVersion), op); err != nil {
		return err // Somebody else has written it: the next step looks again.
	}
	r.published = session.Epoch
	return nil
}
