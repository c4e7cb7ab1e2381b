package crdstore_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/cloud/storetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// inOther creates everything in namespace other.
type inOther struct{ *crdstore.Store }

func (s inOther) Create(ctx context.Context, j cloud.Job) (cloud.Definition, error) {
	j.Namespace = "other"
	return s.Store.Create(ctx, j)
}

func (s inOther) CreateApp(ctx context.Context, a cloud.App) (cloud.App, error) {
	a.Namespace = "other"
	return s.Store.CreateApp(ctx, a)
}

// TestConformanceOfNamespaces runs the tests for every store on a store of two namespaces, with
// jobs in either of them.
func TestConformanceOfNamespaces(t *testing.T) {
	t.Parallel()
	t.Run("the first", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(t *testing.T) cloud.Store { return newDouble(t).open(t, "other") })
	})
	t.Run("the second", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(t *testing.T) cloud.Store { return inOther{newDouble(t).open(t, "other")} })
	})
}

func settlement(shards int) map[string]any {
	return map[string]any{"jobName": "settlement", "appName": "shop", "shardingTotalCount": shards}
}

// TestWhereAJobIs: a job has a namespace, stays there, and is found there. An unknown namespace is
// refused with the list of known ones.
func TestWhereAJobIs(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t, "other", "third")
	job := cloud.NewJob("settlement", "shop", 3)
	job.Namespace = "other"
	made, err := s.Create(t.Context(), job) // Before anything was watched.
	if err != nil || made.Job.Namespace != "other" || d.object("other/elasticjobs", "settlement") == nil {
		t.Fatalf("Create = %+v, %v", made, err)
	}
	if _, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 3)); !errors.Is(err, cloud.ErrExists) {
		t.Errorf("Create in another namespace: %v; want ErrExists", err)
	}
	job.Namespace = "fourth"
	if _, err := s.Create(t.Context(), job); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "jobs, other, third") {
		t.Errorf("Create in a namespace that is not served: %v", err)
	}
	seen := follow(t, s)
	seen.synced()
	d.apply("third/elasticjobapps", "shop", map[string]any{"appName": "shop"}, nil)
	seen.until("the application", func() bool { return seen.last["app shop"].App.Namespace == "third" })
	d.asked()
	if _, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 3)); !errors.Is(err, cloud.ErrExists) || !strings.Contains(err.Error(), "namespace other has it") {
		t.Errorf("Create in another namespace: %v; want ErrExists", err)
	}
	changed, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error {
		d.Job.Shards, d.Job.Namespace = 5, "" // A writer of whole documents knows no namespace.
		return nil
	})
	if err != nil || changed.Job.Namespace != "other" || changed.Job.Shards != 5 {
		t.Errorf("Change = %+v, %v", changed, err)
	}
	if _, err := s.Change(t.Context(), "nobody", func(*cloud.Definition) error { return nil }); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("Change of none: %v", err)
	}
	if asked := d.asked(); slices.Contains(asked, "GET third/elasticjobs") {
		t.Errorf("asked was %v; want no namespace that has nothing to do with it", asked)
	}
	for namespace, want := range map[string]bool{"other": true, "jobs": false} {
		if _, known := s.In(namespace).ObjectName("settlement", made.UID); known != want {
			t.Errorf("namespace %s knows the object: %t", namespace, known)
		}
		if exists, err := s.In(namespace).Exists(t.Context(), "settlement", made.UID); err != nil || exists != want {
			t.Errorf("namespace %s has the object: %t, %v", namespace, exists, err)
		}
	}
	if err := s.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}); err != nil || d.object("other/elasticjobs", "settlement") != nil {
		t.Errorf("Delete = %v", err)
	}
}

// TestCL21NameTakenInAnotherNamespace: the oldest object owns the name across namespaces, and its
// namespace is reported. When it's deleted, the next one is another job.
func TestCL21NameTakenInAnotherNamespace(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t, "other")
	d.apply("other/elasticjobs", "settlement", settlement(3), nil)
	d.apply("other/elasticjobapps", "shop", map[string]any{"appName": "shop"}, nil)
	seen := follow(t, s)
	seen.synced()
	d.apply("elasticjobs", "settlement", settlement(9), nil)
	d.apply("elasticjobapps", "shop", map[string]any{"appName": "shop"}, nil)
	for _, plural := range []string{"elasticjobs", "elasticjobapps"} {
		d.stored(t, plural, map[string]string{"elasticjobs": "settlement", "elasticjobapps": "shop"}[plural], func(o map[string]any) bool {
			return strings.HasPrefix(accepted(o), "False NameTaken: ElasticJob") && strings.Contains(accepted(o), " of namespace other is older")
		})
	}
	seen.job("settlement", func(d cloud.Definition) bool { return d.Job.Namespace == "other" && d.Job.Shards == 3 })
	if err := s.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	seen.job("settlement", func(d cloud.Definition) bool { return d.Job.Namespace == "jobs" && d.Job.Shards == 9 })
}

// forbid makes a namespace refuse everything while set.
func (d *double) forbid(namespaces ...string) *atomic.Bool {
	forbidden := new(atomic.Bool)
	forbidden.Store(true)
	d.faults(func(r *http.Request) int {
		for _, namespace := range namespaces {
			if forbidden.Load() && strings.Contains(r.URL.Path, "/namespaces/"+namespace+"/") {
				return http.StatusForbidden
			}
		}
		return 0
	})
	return forbidden
}

// over waits for a watch to end and returns why.
func (r *reports) over() error {
	r.Helper()
	select {
	case err := <-r.ended:
		return err
	case <-time.After(waittest.Patience):
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Fatalf("the watch did not end within 30 s; reported were %v", r.events)
		return nil
	}
}

// TestCL16OneNamespaceForbidden: a forbidden namespace is reported, and so are the other namespaces. The
// watch ends when that changes, and the next one reports the last known state of a newly forbidden namespace.
func TestCL16OneNamespaceForbidden(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	d.apply("elasticjobs", "hourly", map[string]any{"jobName": "hourly", "appName": "shop", "shardingTotalCount": 1}, nil)
	d.apply("other/elasticjobs", "settlement", settlement(3), nil)
	forbidden := d.forbid("other")
	s := d.open(t, "other")
	seen := follow(t, s)
	seen.synced()
	seen.until("the namespace", func() bool { return slices.Contains(seen.events, "unread") })
	seen.mu.Lock()
	if at := seen.last["unread"]; at.Namespace != "other" || !errors.Is(at.Err, cloud.ErrForbidden) || !strings.Contains(at.Err.Error(), "in namespace other") {
		t.Errorf("unread is %+v", at)
	}
	if _, known := seen.last["job hourly"]; !known || len(seen.last) != 2 {
		t.Errorf("reported are %+v", seen.last)
	}
	seen.mu.Unlock()
	if _, err := s.Create(t.Context(), cloud.NewJob("nightly", "shop", 1)); err != nil {
		t.Errorf("Create in the namespace that can be read: %v", err)
	}
	if _, err := s.Change(t.Context(), "hourly", func(d *cloud.Definition) error { d.Status.Missed++; return nil }); err != nil {
		t.Errorf("Change in the namespace that can be read: %v", err)
	}

	forbidden.Store(false)
	if err := seen.over(); !strings.Contains(err.Error(), "namespace other can be read again") {
		t.Fatalf("Watch = %v", err)
	}
	again := follow(t, s)
	again.synced()
	again.job("settlement", func(d cloud.Definition) bool { return d.Job.Namespace == "other" })

	forbidden.Store(true)
	d.endWatches()
	if err := again.over(); !errors.Is(err, cloud.ErrForbidden) || !strings.Contains(err.Error(), "namespace other can no longer be read") {
		t.Fatalf("Watch = %v", err)
	}
	last := follow(t, s)
	last.synced()
	last.job("settlement", func(d cloud.Definition) bool { return d.Job.Shards == 3 })
	if _, err := s.Change(t.Context(), "settlement", func(*cloud.Definition) error { return nil }); !errors.Is(err, cloud.ErrForbidden) {
		t.Errorf("Change in the namespace that cannot be read: %v", err)
	}
}

// TestCL16EveryNamespaceForbidden: without any rights a watch ends, like a single namespace's.
func TestCL16EveryNamespaceForbidden(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	d.forbid("other", "jobs")
	if err := follow(t, d.open(t, "other")).over(); !errors.Is(err, cloud.ErrForbidden) || !strings.Contains(err.Error(), "no namespace can be read") {
		t.Errorf("Watch = %v", err)
	}
}

// TestCL16NameOfAForbiddenNamespace: a job refused in favour of an older one isn't started while
// the older one's namespace is unreadable.
func TestCL16NameOfAForbiddenNamespace(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	taken := func(by string) map[string]any {
		return map[string]any{"conditions": []any{map[string]any{"type": cloud.ConditionAccepted, "status": "False", "reason": cloud.ReasonNameTaken, "message": "ElasticJob x" + by + " is older and has the name"}}}
	}
	d.apply("elasticjobs", "settlement", settlement(9), taken(" of namespace other"))
	d.apply("elasticjobs", "hourly", map[string]any{"jobName": "hourly", "appName": "shop", "shardingTotalCount": 1}, taken(" of namespace third"))
	d.forbid("other")
	seen := follow(t, d.open(t, "other", "third"))
	seen.synced()
	seen.until("the namespace", func() bool { return slices.Contains(seen.events, "unread") })
	seen.mu.Lock()
	defer seen.mu.Unlock()
	if _, reported := seen.last["job settlement"]; reported {
		t.Error("the job was reported whose name may be another one's")
	}
	if _, reported := seen.last["job hourly"]; !reported {
		t.Error("the job was not reported whose name is its own now")
	}
}
