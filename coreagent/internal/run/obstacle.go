package run

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

const (
	// longPlace is how long a shard waits for a place before that is an obstacle, and
	// longCall how long a listener or an error handler may take, and a handler whose context
	// has ended.
	longPlace = 10 * time.Second
	longCall  = 30 * time.Second
)

// callSlow calls a listener or the error handler, and announces that the call doesn't return.
func (w *Worker) callSlow(ctx context.Context, at obstacle.Stage, what string, shards []int, fn func(ctx context.Context) error) error {
	code, began := jobtree.ObstacleListenerHangs, w.Host.Time()
	if at == obstacle.ErrorHandler {
		code = jobtree.ObstacleErrorHandlerHangs
	}
	defer w.Obstacles.Wait(obstacle.Slow{At: at, After: longCall, Shards: shards, Obstacle: func(shards []int) jobtree.Obstacle {
		return jobtree.NewObstacle(code, what+" hasn't returned since "+began.UTC().Format(time.RFC3339)).For(shards)
	}})()
	return w.Calls.Contain(ctx, what, fn)
}

// watchHandler announces that the handler of a shard doesn't return although its context has
// ended, until over is called.
func (w *Worker) watchHandler(ctx context.Context, shard int) (over func()) {
	began := w.Host.Time()
	return w.Obstacles.WaitAfter(ctx, obstacle.Slow{At: obstacle.Handler, After: longCall, Shards: []int{shard}, Obstacle: func(shards []int) jobtree.Obstacle {
		return jobtree.NewObstacle(jobtree.ObstacleHandlerHangs, "it was called at "+began.UTC().Format(time.RFC3339)+
			", its context has ended ("+context.Cause(ctx).Error()+"), and it hasn't returned").For(shards)
	}})
}

// takePlace waits for a place for the handler of a shard. The wait does not count for the time-out,
// which begins with the handler then. Without a place ctx has ended.
func (b *batch) takePlace(ctx context.Context, shard int) (_ context.Context, release func()) {
	p := b.worker.Host.Places
	if p == nil {
		return ctx, func() {}
	}
	b.place.Leave() // The others don't wait for a batch that waits for MaxParallel.
	if b.hasPlace {
		b.hasPlace = false
	} else if !p.Take(ctx, b.worker, func() func() { return b.worker.standInLine(shard) }) {
		return ctx, func() {}
	}
	cancel := context.CancelFunc(func() {})
	if limit := b.timeout(); limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, host.ErrTimeout)
	}
	return ctx, func() {
		cancel()
		p.Leave(b.worker)
	}
}

// standInLine notes that shards wait for a place. The wait is an obstacle when it is long, until
// over is called. A request that waits may have been cancelled since, so the requests are looked
// at again from time to time.
func (w *Worker) standInLine(shards ...int) (over func()) {
	return w.Obstacles.Wait(obstacle.Slow{
		At: obstacle.Place, After: longPlace, Shards: shards, Again: w.Requested.Kick,
		Obstacle: func(shards []int) jobtree.Obstacle { return w.Host.Places.Full(w, shards) },
	})
}

// PlaceIsFree implements [places.Holder].
func (w *Worker) PlaceIsFree() { w.Requested.Kick() }
