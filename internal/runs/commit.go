package runs

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Commit applies the operations of Write or Drop in one transaction. It creates a missing folder of
// waiting requests. If an operator has removed an idempotency key, it continues without the key, so
// that the run can end.
func (s Store) Commit(ctx context.Context, ops ...zk.Op) error {
	for {
		err := s.Client.Multi(ctx, ops...)
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) || !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		switch folder := parent(refused.Op.Path); {
		case strings.HasPrefix(refused.Op.Path, s.Tree.RunsKeys()+"/"):
			ops = slices.DeleteFunc(slices.Clone(ops), func(op zk.Op) bool { return op.Path == refused.Op.Path })
		case strings.HasPrefix(folder, s.Tree.RunsDue()+"/"):
			if _, exists, failed := s.Client.Exists(ctx, folder); failed != nil || exists {
				return errors.Join(err, failed) // The request itself is missing.
			}
			if failed := s.prepare(ctx, refused.Op.Path); failed != nil {
				return failed
			}
		default:
			return err
		}
	}
}
