package obstacle

import (
	"cmp"
	"context"
	"errors"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

type announced struct {
	session  int64
	path     string
	obstacle jobtree.Obstacle
}

// Written reports whether the registry may have a node of this instance.
func (o *Obstacles) Written() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written
}

// Announce writes the current obstacle to the registry under the instance id, or removes the node.
func (o *Obstacles) Announce(ctx context.Context, session int64, id string) error {
	o.mu.Lock()
	obstacle := o.first()
	o.mu.Unlock()
	now, was := announced{session, o.nodes.Tree.Refusal(id), obstacle}, &o.announced
	if was.session != session {
		*was = announced{session: session} // The node vanished with its session.
	}
	if was.obstacle == obstacle && (was.path == now.path || obstacle.Code == "") {
		return nil
	}
	if was.obstacle.Code != "" && (was.path != now.path || was.obstacle.Code != obstacle.Code) {
		if err := zk.Ignore(o.nodes.Client.Delete(ctx, was.path, zk.AnyVersion), zk.ErrNoNode); err != nil {
			return err
		}
		*was = announced{session: session}
	}
	if obstacle.Code != "" {
		if err := o.write(ctx, now, was.obstacle.Code != ""); err != nil {
			return err
		}
	}
	*was = now
	return nil
}

// write updates the node if this session created it, and otherwise creates it if the job exists.
func (o *Obstacles) write(ctx context.Context, now announced, ours bool) error {
	client, tree := o.nodes.Client, o.nodes.Tree
	data, err := now.obstacle.Encode()
	if err != nil {
		return err
	}
	if ours {
		_, err := client.Set(ctx, now.path, data, zk.AnyVersion)
		return zk.Ignore(err, zk.ErrNoNode) // An operator has removed it.
	}
	o.mu.Lock()
	o.written = true
	o.mu.Unlock()
	there := tree.Config()
	for {
		err := client.Multi(ctx, zk.CheckOp(there, zk.AnyVersion), zk.CreateOp(now.path, data, zk.Ephemeral))
		refused := (*zk.MultiError)(nil)
		switch {
		case errors.Is(err, zk.ErrNoAuth) && errors.As(err, &refused) && refused.Index == 0 && there != tree.Root():
			there, err = tree.Root(), nil // The configuration's ACL may be the reason why the job isn't run.
		case errors.Is(err, zk.ErrNoNode) && errors.As(err, &refused) && refused.Index == 0:
			return nil // The job was removed.
		case errors.Is(err, zk.ErrNoNode) && there == tree.Root():
			err = nil
			for _, path := range []string{nodes.Parent(tree.Refusals()), tree.Refusals()} {
				_, failed := client.Create(ctx, path, nil, zk.Persistent)
				err = cmp.Or(err, zk.Ignore(failed, zk.ErrNodeExists))
			}
		case errors.Is(err, zk.ErrNoNode):
			err = o.nodes.Ensure(ctx, nodes.Parent(now.path))
		case errors.Is(err, zk.ErrNodeExists): // An earlier process with the same id has left it.
			err = zk.Ignore(client.Delete(ctx, now.path, zk.AnyVersion), zk.ErrNoNode)
		default:
			return err
		}
		if err != nil {
			return err
		}
	}
}
