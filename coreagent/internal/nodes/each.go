package nodes

import (
	"context"

	"github.com/elasticjob-go/elasticjob/internal/rethrow"
)

// readParallel limits the concurrent requests of one Each or Together.
const readParallel = 128

// ManyShards is the number of shards from which we avoid reading shards one by one.
const ManyShards = 65

// Each calls fn for 0 to count-1, several at a time, and returns the first error. That error also
// ends the context of the other calls.
func Each(ctx context.Context, count int, fn func(ctx context.Context, i int) error) error {
	return rethrow.Each(ctx, readParallel, count, fn)
}

// Where returns the shards for which is returns true. Several calls run at a time, as in Each.
func Where(ctx context.Context, shards []int, is func(ctx context.Context, shard int) (bool, error)) ([]int, error) {
	chosen := make([]bool, len(shards))
	err := Each(ctx, len(shards), func(ctx context.Context, i int) (err error) {
		chosen[i], err = is(ctx, shards[i])
		return err
	})
	var list []int
	for i, n := range shards {
		if chosen[i] {
			list = append(list, n)
		}
	}
	return list, err
}

// Together calls all of fns, several at a time, like Each.
func Together(ctx context.Context, fns []func(ctx context.Context) error) error {
	return Each(ctx, len(fns), func(ctx context.Context, i int) error { return fns[i](ctx) })
}
