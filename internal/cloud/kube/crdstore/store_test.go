package crdstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube/crdstore"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// reports collects the reports of a watch.
type reports struct {
	*testing.T

	mu      sync.Mutex
	changed chan struct{} // closed at each event
	events  []string
	last    map[string]cloud.StoreEvent // by kind and name
	ended   chan error
}

func follow(t *testing.T, s *crdstore.Store) *reports {
	t.Helper()
	r := &reports{T: t, changed: make(chan struct{}), last: make(map[string]cloud.StoreEvent), ended: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.ended <- s.Watch(ctx, r.take)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return r
}

func (r *reports) take(e cloud.StoreEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := string(e.Kind) + " " + e.Name
	r.events = append(r.events, strings.TrimSpace(fmt.Sprint(e.Event, " ", at)))
	switch e.Event {
	case cloud.EventUnread:
		r.last["unread"] = e
	case cloud.EventChanged:
		r.last[at] = e
	case cloud.EventRemoved:
		delete(r.last, at)
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *reports) until(what string, holds func() bool) {
	r.Helper()
	deadline := time.After(waittest.Patience)
	for {
		r.mu.Lock()
		changed := r.changed
		if holds() {
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			r.mu.Lock()
			defer r.mu.Unlock()
			r.Fatalf("not within 30 s: %s; reported were %v", what, r.events)
		}
	}
}

func (r *reports) synced() {
	r.Helper()
	r.until("the present", func() bool { return slices.Contains(r.events, fmt.Sprint(cloud.EventSynced)) })
}

// job waits until a reported job fulfils a condition.
func (r *reports) job(name string, holds func(cloud.Definition) bool) {
	r.Helper()
	r.until("the job "+name, func() bool {
		e, there := r.last["job "+name]
		return there && holds(e.Definition)
	})
}

// stored waits for an object of the double.
func (d *double) stored(t *testing.T, plural, name string, holds func(o map[string]any) bool) {
	t.Helper()
	deadline := time.After(waittest.Patience)
	for {
		d.mu.Lock()
		o, changed := d.objects[plural+"/"+name], d.changed
		ok := holds(o)
		d.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("not within 30 s; %s %s is %v", plural, name, o)
		}
	}
}

// accepted returns the condition Accepted of a stored object, or "".
func accepted(o map[string]any) string {
	list, _ := asMap(o["status"])["conditions"].([]any)
	for _, entry := range list {
		if c := asMap(entry); c["type"] == cloud.ConditionAccepted {
			return fmt.Sprintf("%v %v: %v", c["status"], c["reason"], c["message"])
		}
	}
	return ""
}

func at(second int64) time.Time { return time.Unix(1795344540+second, 0).UTC() }

func create(t *testing.T, s *crdstore.Store) cloud.Definition {
	t.Helper()
	d, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 3))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// read returns a job as a new store reads it.
func (d *double) read(t *testing.T) cloud.Definition {
	t.Helper()
	got, err := d.open(t).Change(t.Context(), "settlement", func(*cloud.Definition) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestOneWriteForACursor: with a watch, writing a status needs no read, and finding that nothing
// must be written needs one.
func TestOneWriteForACursor(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t)
	seen := follow(t, s)
	seen.synced()
	made := create(t, s)
	seen.job("settlement", func(got cloud.Definition) bool { return got.Revision == made.Revision })
	for i := range int64(3) {
		d.asked()
		if _, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Status.LastFire = at(i); return nil }); err != nil {
			t.Fatal(err)
		}
		if got := d.asked(); !slices.Equal(got, []string{"PATCH elasticjobs/settlement/status"}) {
			t.Errorf("the requests were %v; want one write", got)
		}
	}
	if _, err := s.Change(t.Context(), "settlement", func(*cloud.Definition) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := d.asked(); !slices.Equal(got, []string{"GET elasticjobs"}) {
		t.Errorf("the requests were %v; want one read", got)
	}
}

// TestOldKnowledge: the last report may be old. A change based on it is repeated, and neither a
// refusal nor "nothing to do" is based on it.
func TestOldKnowledge(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t)
	seen := follow(t, s)
	seen.synced()
	made := create(t, s)
	seen.job("settlement", func(got cloud.Definition) bool { return got.Revision == made.Revision })
	d.faults(func(r *http.Request) int { // From now on the watch is blind.
		if r.URL.Query().Get("watch") != "" {
			return http.StatusServiceUnavailable
		}
		return 0
	})
	d.endWatches()
	other := d.open(t)
	change := func(by *crdstore.Store, f func(*cloud.Definition) error) cloud.Definition {
		t.Helper()
		got, err := by.Change(t.Context(), "settlement", f)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	change(other, func(d *cloud.Definition) error { d.Status.Missed = 7; return nil })
	if got := change(s, func(d *cloud.Definition) error { d.Status.Missed++; return nil }); got.Status.Missed != 8 {
		t.Errorf("after both changes %d are missed; want 8", got.Status.Missed)
	}
	change(other, func(d *cloud.Definition) error { d.Job.Disabled = true; return nil })
	if got := change(s, func(*cloud.Definition) error { return nil }); !got.Job.Disabled {
		t.Errorf("read is %+v; want the job that the other one has disabled", got.Job)
	}
	change(other, func(d *cloud.Definition) error { d.Job.Disabled = false; return nil })
	change(s, func(d *cloud.Definition) error {
		if d.Job.Disabled {
			return cloud.ErrRefused
		}
		return nil
	})
	if err := other.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Status.Missed++; return nil }); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("Change of a deleted job: %v; want ErrNotFound", err)
	}
}

// TestCL19UnreadableObjects: an unreadable object is reported as such, has that in its status, and
// doesn't affect others.
func TestCL19UnreadableObjects(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t)
	d.apply("elasticjobs", "broken", map[string]any{"jobName": "broken", "shardingTotalCount": "three"}, nil)
	d.apply("elasticjobs", "nameless", map[string]any{"appName": "shop"}, nil)
	d.apply("elasticjobs", "status", map[string]any{"jobName": "status", "shardingTotalCount": 1}, map[string]any{"pending": []any{"yesterday"}, "conditions": []any{"nonsense"}})
	d.apply("elasticjobapps", "shop", map[string]any{"appName": "shop", "cpuCount": -1}, nil)
	seen := follow(t, s)
	seen.synced()
	for name, word := range map[string]string{"broken": "shardingTotalCount", "nameless": "jobName", "status": "status of ElasticJob status"} {
		seen.until(name, func() bool {
			e := seen.last["job "+name]
			return e.Err != nil && strings.Contains(e.Err.Error(), word)
		})
		d.stored(t, "elasticjobs", name, func(o map[string]any) bool {
			return strings.HasPrefix(accepted(o), "False Invalid: ") && strings.Contains(accepted(o), word)
		})
	}
	d.stored(t, "elasticjobapps", "shop", func(o map[string]any) bool {
		return strings.HasPrefix(accepted(o), "False Invalid: cpuCount")
	})
	create(t, s)
	seen.job("settlement", func(cloud.Definition) bool { return true })
	if _, err := s.Change(t.Context(), "broken", func(*cloud.Definition) error { return nil }); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "shardingTotalCount") {
		t.Errorf("Change: %v; want ErrRefused with the field", err)
	}
	d.apply("elasticjobs", "broken", map[string]any{"shardingTotalCount": 5}, nil)
	seen.until("the repaired job", func() bool {
		e := seen.last["job broken"]
		return e.Err == nil && e.Definition.Job.Shards == 5
	})
	d.apply("elasticjobapps", "shop", map[string]any{"cpuCount": 2}, nil)
	d.stored(t, "elasticjobapps", "shop", func(o map[string]any) bool { return accepted(o) == "True Accepted: " })
}

// TestCL21NameTaken: the oldest object owns the name. When it's deleted, the next one is reported
// as another job, after the end of the first.
func TestCL21NameTaken(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t)
	older := create(t, s)
	seen := follow(t, s)
	seen.synced()
	d.apply("elasticjobs", "another", map[string]any{"jobName": "settlement", "appName": "shop", "shardingTotalCount": 9}, nil)
	d.stored(t, "elasticjobs", "another", func(o map[string]any) bool {
		return strings.HasPrefix(accepted(o), "False NameTaken: ElasticJob settlement is older")
	})
	for range 3 { // even if it was written last
		d.apply("elasticjobs", "another", map[string]any{"jobParameter": "p"}, nil)
	}
	got, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Status.Missed = 1; return nil })
	if err != nil || got.UID != older.UID {
		t.Errorf("Change = %+v, %v; want the older one", got, err)
	}
	seen.job("settlement", func(d cloud.Definition) bool { return d.Revision == got.Revision && d.UID == older.UID })
	if name, known := s.In("jobs").ObjectName("settlement", older.UID); name != "settlement" || !known {
		t.Errorf("ObjectName = %s, %t", name, known)
	}
	d.asked()
	if err := s.Delete(t.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	seen.job("settlement", func(d cloud.Definition) bool { return d.UID != older.UID && d.Job.Shards == 9 })
	seen.mu.Lock()
	if n := len(seen.events); n < 2 || seen.events[n-2] != fmt.Sprint(cloud.EventRemoved, " job settlement") && seen.events[n-3] != fmt.Sprint(cloud.EventRemoved, " job settlement") {
		t.Errorf("the last reports are %v; want that the first job was removed before", seen.events)
	}
	uid := seen.last["job settlement"].Definition.UID
	seen.mu.Unlock()
	if name, known := s.In("jobs").ObjectName("settlement", uid); name != "another" || !known {
		t.Errorf("ObjectName = %s, %t", name, known)
	}
	if _, known := s.In("jobs").ObjectName("settlement", older.UID); known {
		t.Error("the deleted object is known still")
	}
	for uid, want := range map[string]bool{uid: true, older.UID: false} {
		if exists, err := s.In("jobs").Exists(t.Context(), "another", uid); err != nil || exists != want {
			t.Errorf("Exists(%s) = %t, %v", uid, exists, err)
		}
	}
}

// TestGapOfTheWatch: changes during a gap should be reported afterwards, without a reset.
func TestGapOfTheWatch(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t)
	create(t, s)
	if _, err := s.Create(t.Context(), cloud.NewJob("report", "shop", 1)); err != nil {
		t.Fatal(err)
	}
	seen := follow(t, s)
	seen.synced()
	var blind sync.Mutex
	blind.Lock()
	d.faults(func(r *http.Request) int {
		if r.URL.Query().Get("watch") != "" || r.URL.Query().Get("fieldSelector") == "" && r.Method == http.MethodGet {
			blind.Lock() // Lists wait, too.
			defer blind.Unlock()
		}
		return 0
	})
	d.endWatches()
	other := d.open(t)
	if err := other.Delete(t.Context(), cloud.KindJob, "report", cloud.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Job.Shards = 7; return nil }); err != nil {
		t.Fatal(err)
	}
	d.endWatches()
	blind.Unlock()
	seen.job("settlement", func(d cloud.Definition) bool { return d.Job.Shards == 7 })
	seen.until("the end of the other job", func() bool { _, there := seen.last["job report"]; return !there })
	seen.mu.Lock()
	defer seen.mu.Unlock()
	if n := strings.Count(strings.Join(seen.events, "\n"), fmt.Sprint(cloud.EventReset)); n != 1 {
		t.Errorf("%d resets were reported; want only the first one", n)
	}
}

// TestDeletingObject: an object that is being deleted is no longer a job, although it exists.
func TestDeletingObject(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	s := d.open(t)
	create(t, s)
	seen := follow(t, s)
	seen.job("settlement", func(cloud.Definition) bool { return true })
	d.mu.Lock()
	o := clone(d.objects["elasticjobs/settlement"])
	metadata(o)["deletionTimestamp"] = time.Now().UTC().Format(time.RFC3339)
	d.put("elasticjobs", o, "")
	d.mu.Unlock()
	seen.until("its end", func() bool { return len(seen.last) == 0 })
	if _, err := s.Change(t.Context(), "settlement", func(*cloud.Definition) error { return nil }); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("Change: %v; want ErrNotFound", err)
	}
	if _, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 1)); !errors.Is(err, cloud.ErrExists) {
		t.Errorf("Create: %v; want ErrExists until the object no longer exists", err)
	}
}

// TestCL17NotInstalled: without the resources every call returns how to install them.
func TestCL17NotInstalled(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	d.install(false)
	s := d.open(t)
	says := func(what string, err error) {
		t.Helper()
		var not *crdstore.NotInstalledError
		if !errors.As(err, &not) || !errors.Is(err, cloud.ErrRefused) || errors.Is(err, cloud.ErrNotFound) || !strings.Contains(err.Error(), "`kubectl apply -f deploy/crds`") {
			t.Errorf("%s: %v; want that the resources are not installed, and how to", what, err)
		}
	}
	_, err := s.Create(t.Context(), cloud.NewJob("settlement", "shop", 1))
	says("Create", err)
	_, err = s.ChangeApp(t.Context(), "shop", func(*cloud.App) error { return nil })
	says("ChangeApp", err)
	says("Watch", <-follow(t, s).ended)
	d.install(true)
	follow(t, s).synced()
}

// TestForbidden: without the right to read, a watch returns an error instead of waiting forever.
func TestForbidden(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	d.faults(func(*http.Request) int { return http.StatusForbidden })
	if err := <-follow(t, d.open(t)).ended; !errors.Is(err, cloud.ErrForbidden) || !strings.Contains(err.Error(), "namespace jobs") {
		t.Errorf("Watch: %v; want ErrForbidden with the namespace", err)
	}
}

// TestClosed: a closed store should end its watches and refuse calls.
func TestClosed(t *testing.T) {
	t.Parallel()
	s := newDouble(t).open(t)
	seen := follow(t, s)
	seen.synced()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-seen.ended; !errors.Is(err, crdstore.ErrClosed) {
		t.Errorf("Watch: %v; want ErrClosed", err)
	}
	if _, err := s.Change(t.Context(), "settlement", func(*cloud.Definition) error { return nil }); !errors.Is(err, crdstore.ErrClosed) {
		t.Errorf("Change: %v; want ErrClosed", err)
	}
}
