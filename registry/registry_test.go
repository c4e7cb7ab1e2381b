package registry_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func config(t *testing.T, servers ...string) registry.Config {
	return registry.Config{
		Namespace: zktest.Namespace(t), ZooKeeper: registry.ZooKeeper{Servers: servers, ACL: "open"},
		Logger: slog.New(slog.DiscardHandler),
	}
}

func TestOpenAndClose(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		cfg := config(t, srv.Addr)
		r, err := registry.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Connected() || r.Namespace() != cfg.Namespace {
			t.Errorf("connected %v, namespace %q", r.Connected(), r.Namespace())
		}
		if err := errors.Join(r.Close(), r.Close()); err != nil {
			t.Error(err)
		}
		if r.Connected() {
			t.Error("connected after Close")
		}
	})
}

func TestOpenSaysWhatIsWrongWithTheConfig(t *testing.T) {
	t.Parallel()
	_, err := registry.Open(t.Context(), registry.Config{
		Namespace: "/billing",
		ZooKeeper: registry.ZooKeeper{Servers: []string{"no:port"}, SessionTimeout: time.Hour, ACL: "everybody"},
	})
	for _, field := range []string{"Namespace:", "Servers:", "SessionTimeout:", "ACL:"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%q is not in: %v", field, err)
		}
	}
}

func TestOpenWithoutAServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := registry.Open(ctx, config(t, "127.0.0.1:1")); !errors.Is(err, registry.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want ErrUnavailable and the end of the context", err)
	}
}

func TestOpenWithoutTheChroot(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		_, err := registry.Open(t.Context(), config(t, srv.Addr+"/nobody/made/this"))
		if !errors.Is(err, registry.ErrNoChroot) || errors.Is(err, registry.ErrUnavailable) {
			t.Errorf("%v, want ErrNoChroot", err)
		}
	})
}

// TestOpenWarnsOfAnOpenRegistry: Open should warn if there's neither a Digest nor an ACL, and only then.
func TestOpenWarnsOfAnOpenRegistry(t *testing.T) {
	t.Parallel()
	srv := zktest.Fake(t)
	for acl, warned := range map[string]bool{"": true, "open": false} {
		var log strings.Builder
		cfg := config(t, srv.Addr)
		cfg.ZooKeeper.ACL, cfg.Logger = acl, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		r, err := registry.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if got := strings.Contains(log.String(), "world:anyone"); got != warned {
			t.Errorf("ACL %q: warned %v, want %v\n%s", acl, got, warned, log.String())
		}
	}
}

// TestOpenDials: Open uses the configured dialer.
func TestOpenDials(t *testing.T) {
	t.Parallel()
	srv := zktest.Fake(t)
	cfg := config(t, "zookeeper.invalid:2181")
	cfg.ZooKeeper.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if addr != "zookeeper.invalid:2181" {
			t.Errorf("dialled %s", addr)
		}
		return new(net.Dialer).DialContext(ctx, network, srv.Addr)
	}
	r, err := registry.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestReconnects: while ZooKeeper is away, requests should fail at once with the right error.
// Afterwards the registry should work again by itself.
func TestReconnects(t *testing.T) {
	t.Parallel()
	server := coreagenttest.NewServer(t)
	r, err := registry.Open(t.Context(), config(t, server.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	reader := statistics.NewReader(r)
	server.Stop()
	waittest.Until(t, "the connection is lost", func() bool { return !r.Connected() })
	if _, err := reader.Jobs(t.Context()); !errors.Is(err, statistics.ErrUnavailable) {
		t.Errorf("%v, want ErrUnavailable", err)
	}
	if _, err := lifecycle.NewOperator(r).Trigger(t.Context(), "invoices"); !errors.Is(err, lifecycle.ErrUnavailable) {
		t.Errorf("%v, want ErrUnavailable", err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the connection is back", r.Connected)
	if jobs, err := reader.Jobs(t.Context()); err != nil || len(jobs) > 0 {
		t.Errorf("%v, %v", jobs, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestDigest: an agent's nodes belong to its digest, and only a registry with the same digest can
// operate them.
func TestDigest(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		cfg := config(t, srv.Addr)
		cfg.ZooKeeper.ACL, cfg.ZooKeeper.Digest = "", "owner:secret"
		agent, err := coreagent.New(coreagent.Config{Namespace: cfg.Namespace, ZooKeeper: cfg.ZooKeeper, Logger: cfg.Logger})
		if err != nil {
			t.Fatal(err)
		}
		agent.HandleFunc(coreagent.Job{Name: "invoices", Shards: 1}, func(context.Context, *coreagent.Shard) error { return nil })
		if err := agent.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		for digest, want := range map[string]error{"owner:secret": nil, "other:secret": lifecycle.ErrForbidden} {
			cfg.ZooKeeper.Digest = digest
			r, err := registry.Open(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := lifecycle.NewOperator(r).Trigger(t.Context(), "invoices"); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", digest, err, want)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := agent.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
