package kube

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	authv1 "k8s.io/api/authentication/v1"
	"k8s.io/client-go/rest"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/enginetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// pair is an API server with two namespaces, each a double.
type pair struct {
	*httptest.Server

	runs, other *double
	forbidden   atomic.Bool // everything in namespace other
}

func newPair(t *testing.T) *pair {
	p := &pair{runs: newDouble(t), other: newDouble(t)}
	p.other.version = 1000 // UIDs and versions come from one server.
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch inOther := strings.Contains(r.URL.Path, "/namespaces/other/"); {
		case !inOther:
			p.runs.serve(w, r)
		case p.forbidden.Load():
			refuseRequest(w, http.StatusForbidden, "Forbidden")
		default:
			p.other.serve(w, r)
		}
	}))
	t.Cleanup(func() {
		p.runs.endWatches()
		p.other.endWatches()
		p.Close()
	})
	return p
}

// open starts engines of both namespaces.
func (p *pair) open(t *testing.T, owners func(namespace string) Owners) *Engines {
	t.Helper()
	clients, err := Connect(&rest.Config{Host: p.URL})
	if err != nil {
		t.Fatal(err)
	}
	e, err := OpenAll(Config{Clients: clients, Namespace: "runs", Version: "1", Logger: slog.New(slog.NewTextHandler(t.Output(), nil))}, []string{"other"}, owners)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func inOther(r *cloud.Run) { r.Job.Namespace = "other" }

// launchesInOther is an engine with its jobs in namespace other.
type launchesInOther struct{ *Engines }

func (e launchesInOther) Launch(ctx context.Context, r cloud.Run) (bool, error) {
	r.Job.Namespace = "other"
	return e.Engines.Launch(ctx, r)
}

func (e launchesInOther) Daemon(ctx context.Context, d cloud.Daemon) error {
	d.Job.Namespace = "other"
	return e.Engines.Daemon(ctx, d)
}

// TestConformanceOfNamespaces runs the tests for every engine on engines of two namespaces, with
// runs in either of them, found by name only.
func TestConformanceOfNamespaces(t *testing.T) {
	t.Parallel()
	finish := func(d *double) func(run string, shard int, well bool) {
		return func(run string, shard int, well bool) {
			if index := d.indexOf(run, shard); well {
				d.exit(run, index, 0, "Completed", "")
			} else {
				d.exit(run, index, 7, "Error", "meant to fail")
			}
		}
	}
	t.Run("the first", func(t *testing.T) {
		t.Parallel()
		enginetest.Run(t, func(t *testing.T) enginetest.Fixture {
			p := newPair(t)
			return enginetest.Fixture{Engine: p.open(t, nil), App: shopApp(), Finish: finish(p.runs)}
		})
	})
	t.Run("the second", func(t *testing.T) {
		t.Parallel()
		enginetest.Run(t, func(t *testing.T) enginetest.Fixture {
			p := newPair(t)
			return enginetest.Fixture{Engine: launchesInOther{p.open(t, nil)}, App: shopApp(), Finish: finish(p.other)}
		})
	})
}

// TestRunsOfOneName: a moved job has a run of the same name in both namespaces. The reference
// distinguishes them, and each belongs to the object in its namespace.
func TestRunsOfOneName(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	e := p.open(t, func(namespace string) Owners { return &owners{object: "settlement-of-" + namespace} })
	s := follow(t, e)
	first, second := shopRun(), shopRun(inOther)
	for _, r := range []cloud.Run{first, second} {
		if created, err := e.Launch(t.Context(), r); err != nil || !created {
			t.Fatalf("Launch = %v, %v", created, err)
		}
	}
	s.until(t, "six tasks run", func() bool { return s.count(tracing.StateRunning) == 6 })
	s.logs(t, e)
	ref := cloud.RunRef("other", second.Name)
	if err := e.End(t.Context(), ref, -1, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	s.until(t, "three tasks are killed", func() bool { return s.count(tracing.StateKilled) == 3 && s.count(tracing.StateRunning) == 3 })
	if _, err := e.Explain(t.Context(), cloud.RunRef("third", first.Name)); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "runs, other") {
		t.Errorf("Explain in a namespace that is not served: %v", err)
	}
	if _, err := e.Launch(t.Context(), shopRun(func(r *cloud.Run) { r.Job.Namespace = "third" })); !errors.Is(err, cloud.ErrRefused) {
		t.Errorf("Launch in a namespace that is not served: %v", err)
	}
	for d, want := range map[*double]string{p.runs: "settlement-of-runs", p.other: "settlement-of-other"} {
		d.mu.Lock()
		if owner := ownerOf(d.objects["jobs/"+first.Name]); owner == nil || owner.Name != want {
			t.Errorf("the owner is %+v, want %s", owner, want)
		}
		d.mu.Unlock()
	}
	text, err := e.Manifest(second)
	if err != nil || !strings.Contains(string(text), "namespace: other") {
		t.Errorf("Manifest = %s, %v", text, err)
	}
}

// logs reads the log of each task.
func (s *seen) logs(t *testing.T, e cloud.Engine) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, task := range s.tasks {
		log, err := e.Logs(t.Context(), task.TaskRef, cloud.LogOptions{})
		if err != nil {
			t.Errorf("log of %s: %v", task.UID, err)
			continue
		}
		if text, err := io.ReadAll(log); err != nil || len(text) == 0 {
			t.Errorf("log of %s: %s, %v", task.UID, text, err)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestReporterOfAnotherNamespace: processes in all namespaces should be able to report.
func TestReporterOfAnotherNamespace(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	e := p.open(t, nil)
	s := follow(t, e)
	if err := e.Daemon(t.Context(), sampleDaemon(func(d *cloud.Daemon) { d.Job.Namespace, d.App = "other", shopApp() })); err != nil {
		t.Fatal(err)
	}
	s.until(t, "the processes run", func() bool { return s.count(tracing.StateRunning) == 3 })
	const pod = "feed-live-55f80be4-2"
	p.other.mu.Lock()
	token := p.other.tokenOf(pod, func(s *authv1.TokenReviewStatus) { s.User.Username = "system:serviceaccount:other:default" })
	p.other.mu.Unlock()
	third := token
	third.User.Username = "system:serviceaccount:third:default"
	p.runs.mu.Lock()
	p.runs.tokens = map[string]authv1.TokenReviewStatus{"good": token, "third": third}
	p.runs.mu.Unlock()
	if job, shard, err := e.Reporter(t.Context(), "good"); err != nil || job != "feed.live" || shard != 2 {
		t.Errorf("Reporter = %q, %d, %v", job, shard, err)
	}
	if _, _, err := e.Reporter(t.Context(), "third"); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "namespace runs, other") {
		t.Errorf("Reporter of a namespace that is not served: %v", err)
	}
}

// watchOnce is a watch that ends by itself.
type watchOnce struct {
	mu      sync.Mutex
	events  []cloud.TaskEvent
	changed chan struct{}
	ended   chan error
}

func watchTo(t *testing.T, e cloud.Engine) *watchOnce {
	w := &watchOnce{changed: make(chan struct{}), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.ended <- e.Watch(ctx, func(event cloud.TaskEvent) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.events = append(w.events, event)
			close(w.changed)
			w.changed = make(chan struct{})
		})
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return w
}

// synced waits for the first full report and returns it.
func (w *watchOnce) synced(t *testing.T) []cloud.TaskEvent {
	t.Helper()
	deadline := time.After(waittest.Patience)
	for {
		w.mu.Lock()
		events, changed := w.events, w.changed
		w.mu.Unlock()
		for i, event := range events {
			if event.Event == cloud.EventSynced {
				return events[:i]
			}
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("not synced within 30 s: %+v", events)
		}
	}
}

func (w *watchOnce) over(t *testing.T) error {
	t.Helper()
	select {
	case err := <-w.ended:
		return err
	case <-time.After(waittest.Patience):
		t.Fatal("the watch did not end within 30 s")
		return nil
	}
}

// runsOf returns the namespaces of the reported runs, and the unreadable ones.
func runsOf(events []cloud.TaskEvent) (runs map[string]bool, unread map[string]error) {
	runs, unread = make(map[string]bool), make(map[string]error)
	for _, event := range events {
		switch event.Event {
		case cloud.EventChanged:
			runs[event.Run.Namespace] = true
		case cloud.EventUnread:
			unread[event.Namespace] = event.Err
		}
	}
	return runs, unread
}

// TestCL16OneNamespaceForbidden: a forbidden namespace is reported at once, and so are the other
// namespaces. The watch ends when that changes, and the next one reports the last known state of a
// newly forbidden namespace.
func TestCL16OneNamespaceForbidden(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.forbidden.Store(true)
	e := p.open(t, nil)
	if created, err := e.Launch(t.Context(), shopRun()); err != nil || !created {
		t.Fatalf("Launch = %v, %v", created, err)
	}
	if _, err := e.Launch(t.Context(), shopRun(inOther)); !errors.Is(err, cloud.ErrForbidden) {
		t.Errorf("Launch where it is forbidden: %v", err)
	}
	w := watchTo(t, e)
	runs, unread := runsOf(w.synced(t))
	if !runs["runs"] || len(runs) != 1 || len(unread) != 1 || !errors.Is(unread["other"], cloud.ErrForbidden) {
		t.Errorf("runs of %v, unread %v", runs, unread)
	}
	if _, err := e.Explain(t.Context(), "settlement-1"); !errors.Is(err, cloud.ErrForbidden) {
		t.Errorf("Explain of a run that may be where it is forbidden: %v", err)
	}

	p.forbidden.Store(false)
	if err := w.over(t); err == nil || !strings.Contains(err.Error(), "namespace other can be read again") {
		t.Fatalf("Watch = %v", err)
	}
	if created, err := e.Launch(t.Context(), shopRun(inOther)); err != nil || !created {
		t.Fatalf("Launch = %v, %v", created, err)
	}
	w = watchTo(t, e)
	if runs, unread := runsOf(w.synced(t)); len(runs) != 2 || len(unread) != 0 {
		t.Errorf("runs of %v, unread %v", runs, unread)
	}

	p.forbidden.Store(true)
	p.other.endWatches()
	if err := w.over(t); !errors.Is(err, cloud.ErrForbidden) || !strings.Contains(err.Error(), "namespace other can no longer be read") {
		t.Fatalf("Watch = %v", err)
	}
	if runs, unread := runsOf(watchTo(t, e).synced(t)); len(runs) != 2 || len(unread) != 1 {
		t.Errorf("runs of %v, unread %v", runs, unread)
	}
}

// TestCL16EveryNamespaceForbidden: without any rights a watch ends, like a single namespace's.
func TestCL16EveryNamespaceForbidden(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.forbidden.Store(true)
	p.runs.meet = func(*http.Request) int { return http.StatusForbidden }
	if err := watchTo(t, p.open(t, nil)).over(t); !errors.Is(err, cloud.ErrForbidden) || !strings.Contains(err.Error(), "no namespace can be read") {
		t.Errorf("Watch = %v", err)
	}
}
