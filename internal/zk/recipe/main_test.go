package recipe_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func inBubble(t *testing.T, test func(t *testing.T, srv *zkfake.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		t.Cleanup(func() { _ = srv.Close() })
		test(t, srv)
	})
}

func connect(t testing.TB, cfg zk.Config) *zk.Client {
	t.Helper()
	cfg.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	c, err := zk.Connect(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func connectFake(t testing.TB, srv *zkfake.Server) *zk.Client {
	t.Helper()
	return connect(t, zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial})
}

func connectTo(t testing.TB, srv zktest.Target) *zk.Client {
	t.Helper()
	return connect(t, zk.Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second})
}

func create(t testing.TB, c *zk.Client, path, data string, mode zk.CreateMode) string {
	t.Helper()
	name, err := c.CreateAll(t.Context(), path, []byte(data), mode)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func remove(t testing.TB, c *zk.Client, path string) {
	t.Helper()
	if err := c.Delete(t.Context(), path, zk.AnyVersion); err != nil {
		t.Fatal(err)
	}
}

func children(t testing.TB, srv *zkfake.Server, path string) int {
	t.Helper()
	return max(0, len(srv.Dump(path))-1)
}
