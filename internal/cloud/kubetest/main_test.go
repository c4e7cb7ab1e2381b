//go:build kubernetes

package kubetest_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// cluster is shared by all tests. Each test has its own namespace.
var cluster *kubetest.Cluster

func TestMain(m *testing.M) { os.Exit(with(m)) }

func with(m *testing.M) int {
	dir, err := os.MkdirTemp("", "kubetest")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	begin := time.Now()
	log := func(format string, args ...any) { fmt.Fprintf(os.Stderr, "kubetest: "+format+"\n", args...) }
	if cluster, err = kubetest.StartChosen(ctx, dir, log); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer cluster.Close()
	log("the control plane is ready after %s", time.Since(begin).Round(100*time.Millisecond))
	return m.Run()
}

var namespaces atomic.Int32

// fixture is an engine with a scheduler's rights in its own namespace, and its reports.
type fixture struct {
	*testing.T
	*kube.Engine

	namespace string

	mu      sync.Mutex
	changed chan struct{}
	runs    map[string]cloud.RunStatus
	tasks   map[string]cloud.Task
	last    map[string]cloud.Task // of removed tasks
}

// open creates a namespace with the policies and rights of an installation.
func open(t *testing.T) *fixture {
	t.Helper()
	belongsToAll(t)
	namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
	if err := cluster.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	return openAs(t, namespace, console(t, namespace), kube.Config{})
}

// console returns the client configuration of the console's ServiceAccount in a namespace.
func console(t *testing.T, namespace string) *rest.Config {
	t.Helper()
	account, err := cluster.Account(t.Context(), namespace, kubetest.ConsoleAccount)
	if err != nil {
		t.Fatal(err)
	}
	return account
}

// openAs opens an engine in an existing namespace with an account's rights.
func openAs(t *testing.T, namespace string, account *rest.Config, cfg kube.Config) *fixture {
	t.Helper()
	f := &fixture{
		T: t, namespace: namespace, changed: make(chan struct{}),
		runs: make(map[string]cloud.RunStatus), tasks: make(map[string]cloud.Task), last: make(map[string]cloud.Task),
	}
	clients, err := kube.Connect(account)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Clients, cfg.Namespace, cfg.Logger = clients, namespace, slog.New(slog.NewTextHandler(t.Output(), nil))
	if f.Engine, err = kube.Open(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// watched opens a fixture and watches its engine.
func watched(t *testing.T) *fixture {
	t.Helper()
	return open(t).watch()
}

// owned is watched with runs that belong to custom resources.
func owned(t *testing.T, namespace string, owners kube.Owners) *fixture {
	t.Helper()
	return openAs(t, namespace, console(t, namespace), kube.Config{Owners: owners}).watch()
}

// watch collects the engine's reports until the test ends.
func (f *fixture) watch() *fixture {
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { done <- f.Watch(ctx, f.take) }()
	f.Cleanup(func() {
		cancel()
		<-done
	})
	return f
}

func (f *fixture) take(e cloud.TaskEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case e.Event == cloud.EventReset, e.Event == cloud.EventSynced:
	case e.Event == cloud.EventRemoved && e.Task.UID == "":
		delete(f.runs, e.Run.Name)
	case e.Event == cloud.EventRemoved:
		delete(f.tasks, e.Task.UID)
		f.last[e.Task.UID] = e.Task
	default:
		f.runs[e.Run.Name] = e.Run
		if e.Task.UID != "" {
			f.tasks[e.Task.UID] = e.Task
		}
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

// until waits for a condition of the engine's reports.
func (f *fixture) until(limit time.Duration, what string, holds func() bool) {
	f.Helper()
	deadline := time.After(limit)
	for {
		f.mu.Lock()
		changed := f.changed
		if holds() {
			f.mu.Unlock()
			return
		}
		f.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			f.mu.Lock()
			defer f.mu.Unlock()
			f.Fatalf("not within %s: %s; reported are %+v and %+v, removed are %+v", limit, what, f.runs, f.tasks, f.last)
		}
	}
}

// patience is the time limit for fast actions of the cluster.
const patience = waittest.Patience

func (f *fixture) ended(limit time.Duration, run string) (status cloud.RunStatus) {
	f.Helper()
	f.until(limit, run+" has ended", func() bool {
		status = f.runs[run]
		return status.State.Ended()
	})
	return status
}

// working waits until the given number of tasks are running.
func (f *fixture) working(count int) (tasks []cloud.Task) {
	f.Helper()
	f.until(patience, fmt.Sprintf("%d tasks are running", count), func() bool {
		tasks = nil
		for _, t := range f.tasks {
			if !t.Started.IsZero() && !cloud.Ended(t.State) {
				tasks = append(tasks, t)
			}
		}
		return len(tasks) == count
	})
	return tasks
}

// states returns the states of a shard's tasks by attempt, once all have ended.
func (f *fixture) states(shard int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	words := make([]string, 20)
	for _, t := range f.tasks {
		if t.Shard == shard && t.Attempt < len(words) {
			words[t.Attempt] = strings.TrimPrefix(string(t.State), "TASK_")
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// launch launches a run of three shards of a simulated job.
func (f *fixture) launch(change ...func(*cloud.Run)) cloud.Run {
	f.Helper()
	r := sample(change...)
	if created, err := f.Launch(f.Context(), r); err != nil || !created {
		f.Fatalf("Launch(%s) = %v, %v; want true", r.Name, created, err)
	}
	return r
}

func sample(change ...func(*cloud.Run)) cloud.Run {
	app := cloud.NewApp("shop")
	app.Image, app.Env, app.CPU, app.MemoryMB = kubetest.PlayImage, map[string]string{}, 0.01, 1
	job := cloud.NewJob("settlement", app.Name, 3)
	job.CPU, job.MemoryMB = 0.01, 32
	at := time.Now().UTC().Truncate(time.Second)
	r := cloud.Run{Name: cloud.RunName(job.Name, at), Job: job, App: app, Owner: "owner-1", Fire: at, Origin: cloud.OriginCron}
	for _, c := range change {
		c(&r)
	}
	return r
}

func plays(words ...string) func(*cloud.Run) {
	return func(r *cloud.Run) {
		for i := 0; i < len(words); i += 2 {
			r.App.Env[words[i]] = words[i+1]
		}
	}
}

// pods returns a run's pods with an administrator's rights.
func (f *fixture) pods(run string) []corev1.Pod {
	f.Helper()
	list, err := cluster.Core.Pods(f.namespace).List(f.Context(), metav1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=" + run})
	if err != nil {
		f.Fatal(err)
	}
	return list.Items
}
