package zkstore_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func connect(tb testing.TB, cfg zk.Config) *zk.Client {
	tb.Helper()
	cfg.Logger = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithTimeout(tb.Context(), waittest.Patience)
	defer cancel()
	c, err := zk.Connect(ctx, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

func namespace(tb testing.TB, name string) jobtree.Namespace {
	tb.Helper()
	ns, err := jobtree.NewNamespace(name)
	if err != nil {
		tb.Fatal(err)
	}
	return ns
}

// fixture is a store with its own client, and another client that changes the tree like upstream.
type fixture struct {
	*zkstore.Store

	tree  jobtree.Cloud
	other *zk.Client
	ns    jobtree.Namespace
}

func newFixture(t *testing.T, srv zktest.Target) fixture {
	t.Helper()
	cfg := zk.Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second}
	ns := namespace(t, zktest.Namespace(t))
	return fixture{newStore(t, connect(t, cfg), ns), jobtree.NewCloud(ns), connect(t, cfg), ns}
}

func newStore(t *testing.T, client *zk.Client, ns jobtree.Namespace) *zkstore.Store {
	t.Helper()
	store := zkstore.New(client, ns)
	t.Cleanup(store.Close)
	return store
}

// put writes a node with the other client.
func (f fixture) put(t *testing.T, path, data string) {
	t.Helper()
	if _, err := f.other.CreateAll(t.Context(), path, []byte(data), zk.Persistent); err != nil {
		if _, err := f.other.Set(t.Context(), path, []byte(data), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
	}
}

func (f fixture) get(t *testing.T, path string) string {
	t.Helper()
	data, _, err := f.other.Get(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (f fixture) exists(t *testing.T, path string) bool {
	t.Helper()
	_, exists, err := f.other.Exists(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return exists
}

func (f fixture) remove(t *testing.T, path string) {
	t.Helper()
	if err := f.other.Delete(t.Context(), path, zk.AnyVersion); err != nil {
		t.Fatal(err)
	}
}

// watched collects the reports of a watch.
type watched struct {
	mu     sync.Mutex
	events []cloud.StoreEvent
	apps   map[string]cloud.App
	jobs   map[string]cloud.Definition
	errs   map[string]error
}

func (w *watched) report(e cloud.StoreEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
	switch {
	case e.Event == cloud.EventChanged && e.Kind == cloud.KindApp:
		w.apps[e.Name], w.errs[e.Name] = e.App, e.Err
	case e.Event == cloud.EventChanged:
		w.jobs[e.Name], w.errs[e.Name] = e.Definition, e.Err
	case e.Event == cloud.EventRemoved && e.Kind == cloud.KindApp:
		delete(w.apps, e.Name)
	case e.Event == cloud.EventRemoved:
		delete(w.jobs, e.Name)
	}
}

func (w *watched) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return ok()
	})
}

func watch(t *testing.T, store cloud.Store) *watched {
	t.Helper()
	w := &watched{apps: map[string]cloud.App{}, jobs: map[string]cloud.Definition{}, errs: map[string]error{}}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- store.Watch(ctx, w.report) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err == nil {
			t.Error("a watch ended without an error")
		}
	})
	w.until(t, "the watch has reported the present", func() bool {
		return len(w.events) > 0 && w.events[len(w.events)-1].Event == cloud.EventSynced
	})
	return w
}
