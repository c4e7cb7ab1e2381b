package nodes

import (
	"context"
	"errors"
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// Hold is recipe.Hold for a latch of this job while the job exists.
func (n *Nodes) Hold(ctx context.Context, dir string, fn func(ctx context.Context, place *recipe.Place) error) error {
	err := recipe.Hold(ctx, n.Client, dir, fn)
	if errors.Is(err, recipe.ErrNoParent) {
		if err := n.Ensure(ctx, Parent(dir)); err != nil {
			return err
		}
		// The latch is missing, too, so don't waste a request on checking.
		if _, err := n.Client.Create(ctx, dir, nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists, zk.ErrNoNode) != nil {
			return err
		}
		err = recipe.Hold(ctx, n.Client, dir, fn)
	}
	return err
}

// Commit writes a decision made under a latch if the latch is still held, and releases the latch
// with the last transaction. It returns the stats of the nodes that the last transaction set.
func (n *Nodes) Commit(ctx context.Context, place *recipe.Place, groups [][]zk.Op) ([]zk.Stat, error) {
	list := Chunks(groups)
	end := len(list) - 1
	for i, chunk := range list {
		op := place.Held()
		if i == end {
			op = place.Leave()
		}
		stats, err := n.Client.MultiStats(ctx, append(chunk, op)...)
		if zk.RefusedPath(err) == op.Path {
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
