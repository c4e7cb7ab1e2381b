package nodes

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// Latch is recipe.Latch for a latch of this job, as long as the job exists.
func (n *Nodes) Latch(ctx context.Context, dir string, fn func(ctx context.Context) error) error {
	return n.Hold(ctx, dir, func(ctx context.Context, _ *recipe.Place) error { return fn(ctx) })
}

// Hold is recipe.Hold in the same way.
func (n *Nodes) Hold(ctx context.Context, dir string, fn func(ctx context.Context, place *recipe.Place) error) error {
	err := recipe.Hold(ctx, n.Client, dir, fn)
	if errors.Is(err, recipe.ErrNoParent) {
		if err := n.Ensure(ctx, Parent(dir)); err != nil {
			return err
		}
		// It is absent as well: asking for it first would be a request for nothing.
		if _, err := n.Client.Create(ctx, dir, nil, zk.Container); zk.Ignore(zk.Ignore(err, zk.ErrNodeExists), zk.ErrNoNode) != nil {
			return err
		}
		err = recipe.Hold(ctx, n.Client, dir, fn)
	}
	return err
}

// Commit applies what was decided under a latch, on the condition that it is still
// held, and leaves the latch with the last of it. It returns the records of what
// the last transaction set.
func (n *Nodes) Commit(ctx context.Context, place *recipe.Place, groups [][]zk.Op) ([]zk.Stat, error) {
	list := Chunks(groups)
	end := len(list) - 1
	for i, chunk := range list {
		op := place.Held()
		if i == end {
			op = place.Leave()
		}
		stats, err := n.Client.MultiStats(ctx, append(chunk, op)...)
		if refused, ok := errors.AsType[*zk.MultiError](err); ok && refused.Op.Path == op.Path {
			return nil, fmt.Errorf("%w: the latch node %s no longer exists", zk.ErrSessionLost, op.Path)
		}
		if err != nil {
			return nil, err
		}
		if i == end {
			place.Left()
			return stats, nil
		}
	}
	return nil, nil
}
