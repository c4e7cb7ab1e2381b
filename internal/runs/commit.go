package runs

import (
	"context"
	"errors"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Commit applies what Write or Drop has planned. A folder of waiting requests that is
// missing is made.
func (s Store) Commit(ctx context.Context, ops ...zk.Op) error {
	for {
		err := s.Client.Multi(ctx, ops...)
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || !errors.Is(err, zk.ErrNoNode) || !strings.HasPrefix(parent(refused.Op.Path), s.Tree.RunsDue()+"/") {
			return err
		}
		if _, exists, failed := s.Client.Exists(ctx, parent(refused.Op.Path)); failed != nil || exists {
			return errors.Join(err, failed) // The request itself is missing.
		}
		if failed := s.prepare(ctx, refused.Op.Path); failed != nil {
			return failed
		}
	}
}
