package control

import (
	"context"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// conflict returns an error if a job of the stored class can't be served under the class own.
func (c *Controller) conflict(stored, own string) error {
	if stored == "" || own == "" || jobtree.SameClass(stored, own) {
		return nil
	}
	return &ConflictError{Job: c.Tree.Name(), Stored: stored, Own: own}
}

// ConflictWith returns the [ConflictError] that a job of this name and of another class
// would meet now.
func (c *Controller) ConflictWith(ctx context.Context, class string) error {
	data, _, err := c.Host.Client.Get(ctx, c.Tree.Root())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	return c.conflict(strings.TrimSpace(string(data)), class)
}
