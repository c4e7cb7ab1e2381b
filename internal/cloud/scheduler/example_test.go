package scheduler_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
)

// alone is the leadership of the only scheduler.
type alone struct{}

func (alone) Run(ctx context.Context, lead func(context.Context)) error {
	lead(ctx)
	return ctx.Err()
}

// A scheduler launches a requested run.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	store, engine := cloudfake.NewStore(), cloudfake.NewEngine(nil)
	s, err := scheduler.New(scheduler.Config{Engine: engine, Store: store, Leadership: alone{}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = store.CreateApp(ctx, cloud.NewApp("shop"))
	_, _ = store.Create(ctx, cloud.NewJob("settlement", "shop", 2))
	_, _ = store.Change(ctx, "settlement", func(d *cloud.Definition) error {
		_, err := d.Ask(cloud.Request{Key: "first", Asked: time.Now(), By: "root"})
		return err
	})
	go func() {
		_ = engine.Watch(ctx, func(e cloud.TaskEvent) {
			if e.Task.Shard == 1 {
				fmt.Println(e.Task.Run, e.Run.Origin, e.Task.State)
				cancel()
			}
		})
	}()
	_ = s.Run(ctx)
	// Output:
	// settlement-xa7937b64b8 manual TASK_RUNNING
}
