package nodes

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/rethrow"
)

// readParallel bounds the requests of one Each, or Together, that are under way.
const readParallel = 128

// ManyShards is the number of shards from which a job's are not asked for one by one
// where that can be avoided.
const ManyShards = 65

// Each calls fn for 0 to count-1, some at a time, and returns the first error. The
// context of the others ends with it.
func Each(ctx context.Context, count int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, readParallel, count, fn)
}

// Together calls all of fns, some at a time, as Each does.
func Together(ctx context.Context, fns []func(ctx context.Context) error) error {
	return Each(ctx, len(fns), func(ctx context.Context, i int) error { return fns[i](ctx) })
}
