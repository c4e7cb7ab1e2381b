package runs

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Commit applies what Write or Drop has planned.
func (s Store) Commit(ctx context.Context, ops ...zk.Op) error { return s.Client.Multi(ctx, ops...) }
