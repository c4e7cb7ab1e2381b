package local_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestSchedulerStoreAndEngine runs a job that fires every second, and a requested run, from the
// tree in ZooKeeper down to processes.
func TestSchedulerStoreAndEngine(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		log := slog.New(slog.DiscardHandler)
		client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}, SessionTimeout: 20 * time.Second, Logger: log})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		ns, err := jobtree.NewNamespace(zktest.Namespace(t))
		if err != nil {
			t.Fatal(err)
		}
		store := zkstore.New(client, ns)
		t.Cleanup(store.Close)
		f := open(t, config(t))
		s, err := scheduler.New(scheduler.Config{
			Engine: f.Engine, Store: store, Leadership: zkstore.NewLeadership(client, ns, "me", log), Logger: log,
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		t.Cleanup(func() {
			cancel()
			<-done
		})
		model := job("each-second", 3, "exit", "0")
		model.Job.Cron = "* * * * * ?"
		if _, err := store.CreateApp(t.Context(), model.App); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Create(t.Context(), model.Job); err != nil {
			t.Fatal(err)
		}
		var asked string
		_, err = store.Change(t.Context(), model.Job.Name, func(d *cloud.Definition) error {
			asked, err = d.Ask(cloud.Request{Key: "key", Asked: time.Now(), By: "root"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		f.until("two fire times and the request have run", func() bool {
			succeeded := 0
			for _, r := range f.runs {
				if r.State == cloud.RunSucceeded {
					succeeded++
				}
			}
			return succeeded > 2 && f.runs[asked].State == cloud.RunSucceeded && f.count(cloud.Run{Name: asked}, tracing.StateFinished) == 3
		})
		waittest.Until(t, "the job is healthy in the tree", func() bool {
			d, err := store.Change(t.Context(), model.Job.Name, func(*cloud.Definition) error { return nil })
			return err == nil && len(d.Status.Requests) == 0 && d.Status.LastRun.State == cloud.RunSucceeded && !d.Status.LastFire.IsZero()
		})
	})
}
