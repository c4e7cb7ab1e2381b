package recipe_test

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

func ExampleLatch() {
	srv := zkfake.New(zkfake.Options{})
	defer srv.Close()
	ctx := context.Background()
	c, err := zk.Connect(ctx, zk.Config{Servers: []string{"in-memory:2181"}, Dial: srv.Dial, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()

	if _, err := c.CreateAll(ctx, "/billing/leader/election", nil, zk.Persistent); err != nil {
		fmt.Println(err)
		return
	}
	err = recipe.Latch(ctx, c, "/billing/leader/election/latch", func(ctx context.Context) error {
		_, err := c.Create(ctx, "/billing/leader/election/instance", []byte("10.0.0.1@-@7"), zk.Ephemeral)
		return err
	})
	leader, _, _ := c.Get(ctx, "/billing/leader/election/instance")
	fmt.Printf("%s, %v\n", leader, err)
	// Output: 10.0.0.1@-@7, <nil>
}
