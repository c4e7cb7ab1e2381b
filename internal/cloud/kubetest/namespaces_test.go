//go:build kubernetes

package kubetest_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
)

// everyFive creates an application and a job that fires every five seconds.
func everyFive(t *testing.T, namespace, name string) {
	t.Helper()
	store := openStore(t, namespace)
	app := cloud.NewApp("app-" + name)
	app.Image, app.Env, app.CPU, app.MemoryMB = "registry.example/shop:1", map[string]string{"PLAY": kubetest.PlayWell}, 0.01, 1
	if _, err := store.CreateApp(t.Context(), app); err != nil {
		t.Fatal(err)
	}
	job := cloud.NewJob(name, app.Name, 1)
	job.Cron, job.CPU, job.MemoryMB = "0/5 * * * * ?", 0.01, 1
	if _, err := store.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
}

// scheduleBoth runs a scheduler of two namespaces, with the rights of its Role in each.
func scheduleBoth(t *testing.T, namespace, other string) *scheduler.Scheduler {
	t.Helper()
	clients, err := kube.Connect(cluster.Scheduler)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	store, err := crdstore.New(crdstore.Config{Clients: clients, Namespace: namespace, Namespaces: []string{other}, Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := kube.OpenAll(kube.Config{Clients: clients, Namespace: namespace, Logger: log}, []string{other}, store.In)
	if err != nil {
		t.Fatal(err)
	}
	s, err := scheduler.New(scheduler.Config{Engine: engine, Store: store, Leadership: kube.NewLeadership(clients.Leases, namespace, "test", kube.Timing{}, log), Logger: log})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestCL16RightsOfOneNamespace: if the scheduler has no rights in a namespace, or can't list Jobs,
// jobs there don't fire, and it reports the missing right; the other namespace's jobs fire on time.
// With the right they fire without a restart.
func TestCL16RightsOfOneNamespace(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]bool{"none": true, "without Jobs": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resourcesThere(t)
			home, other := emptyNamespace(t), emptyNamespace(t)
			everyFive(t, home, "hourly")
			everyFive(t, other, "settlement")
			if err := cluster.Forbid(t.Context(), other, all); err != nil {
				t.Fatal(err)
			}
			s := scheduleBoth(t, home, other)
			eventually(t, patience, "four runs where it has its rights", func() bool { return len(fires(t, home)) >= 4 })
			if times := fires(t, home); times[len(times)-1]-times[0] != 5*int64(len(times)-1) {
				t.Errorf("fired at %v, want each five seconds", times)
			}
			if times := fires(t, other); len(times) != 0 {
				t.Errorf("fired at %v where it has no right", times)
			}
			if _, err := s.Health(); err == nil || !strings.Contains(err.Error(), "forbidden") || !strings.Contains(err.Error(), other) || !s.Synced() {
				t.Errorf("trouble %v, synced %t", err, s.Synced())
			}
			if !all {
				c := condition(t, jobsOf(other), "settlement", cloud.ConditionFires, cloud.ReasonForbidden)
				if c.Status != metav1.ConditionFalse || !strings.Contains(c.Message, `resource "jobs" in API group "batch"`) {
					t.Errorf("the condition is %+v", c)
				}
			}
			if err := cluster.Allow(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			eventually(t, 2*patience, "two runs where it has its rights again", func() bool { return len(fires(t, other)) >= 2 })
			if _, err := s.Health(); err != nil {
				t.Errorf("trouble %v", err)
			}
			if jobs := s.Jobs(); !slices.ContainsFunc(jobs, func(d cloud.Definition) bool { return d.Job.Name == "settlement" && d.Job.Namespace == other }) {
				t.Errorf("jobs %+v", jobs)
			}
		})
	}
}
