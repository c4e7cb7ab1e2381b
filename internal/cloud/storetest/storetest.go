package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// Run runs all cases. fresh is called once for each and returns an empty store.
func Run(t *testing.T, fresh func(t *testing.T) cloud.Store) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := &fixture{T: t, store: fresh(t)}
			defer f.watch()()
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("reported are jobs %+v and applications %+v", f.watched.jobs, f.watched.apps)
				}
			})
			f.until("the current state is reported", func(w *watch) bool { return w.synced > 0 })
			c.run(f)
		})
	}
}

var cases = []struct {
	name string
	run  func(*fixture)
}{
	{"a job is made", jobMade},
	{"an application is made", appMade},
	{"every field survives", everyField},
	{"a job is changed", jobChanged},
	{"a change that is refused", changeRefused},
	{"a change of nothing", nothingChanged},
	{"changes at the same time", changesAtOnce},
	{"an application is changed", appChanged},
	{"CL25: deleted and made again", madeAgain},
	{"an application is deleted", appDeleted},
	{"a watch restarts", watchAnew},
	{"missing objects", unknownNames},
}

type fixture struct {
	*testing.T
	store   cloud.Store
	watched *watch
}

type watch struct {
	mu     sync.Mutex
	resets int
	synced int
	jobs   map[string]cloud.Definition
	apps   map[string]cloud.App
	stale  []string // reports that went back in time
	newest map[string]int64
}

// watch starts another watch, which the cases then look at.
func (f *fixture) watch() (end func()) {
	w := &watch{jobs: make(map[string]cloud.Definition), apps: make(map[string]cloud.App), newest: make(map[string]int64)}
	f.watched = w
	return waittest.Watch(f, func(ctx context.Context) error { return f.store.Watch(ctx, w.take) })
}

func (w *watch) take(e cloud.StoreEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case e.Event == cloud.EventReset:
		w.resets++
		clear(w.jobs)
		clear(w.apps)
	case e.Event == cloud.EventSynced:
		w.synced++
	case e.Kind == cloud.KindApp && e.Event == cloud.EventRemoved:
		delete(w.apps, e.Name)
	case e.Kind == cloud.KindApp:
		w.apps[e.Name] = e.App
	case e.Event == cloud.EventRemoved:
		delete(w.jobs, e.Name)
	default:
		if e.Definition.Revision < w.newest[e.Name] {
			w.stale = append(w.stale, fmt.Sprintf("%s went back from %d to %d", e.Name, w.newest[e.Name], e.Definition.Revision))
		}
		w.newest[e.Name] = e.Definition.Revision
		w.jobs[e.Name] = e.Definition
	}
}

func (f *fixture) until(what string, holds func(*watch) bool) {
	f.Helper()
	watched := f.watched
	waittest.Until(f, what, func() bool {
		watched.mu.Lock()
		defer watched.mu.Unlock()
		return holds(watched)
	})
}

// reported waits for a job to be reported as it was returned.
func (f *fixture) reported(d cloud.Definition) {
	f.Helper()
	var got cloud.Definition
	f.until(fmt.Sprintf("revision %d of job %s", d.Revision, d.Job.Name), func(w *watch) bool {
		got = w.jobs[d.Job.Name]
		return got.Revision == d.Revision
	})
	if diff := compare(d, got); diff != "" {
		f.Errorf("reported is another job than was returned (-returned +reported):\n%s", diff)
	}
}

// compare compares times by value and treats nil as empty. It ignores namespaces, which most stores don't have.
func compare(want, got any) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(cloud.Job{}, "Namespace"), cmpopts.IgnoreFields(cloud.App{}, "Namespace"))
}

func (f *fixture) create(change ...func(*cloud.Job)) cloud.Definition {
	f.Helper()
	j := cloud.NewJob("settlement", "shop", 3)
	for _, c := range change {
		c(&j)
	}
	d, err := f.store.Create(f.Context(), j)
	if err != nil {
		f.Fatalf("Create: %v", err)
	}
	return d
}

func (f *fixture) change(change func(*cloud.Definition) error) cloud.Definition {
	f.Helper()
	d, err := f.store.Change(f.Context(), "settlement", change)
	if err != nil {
		f.Fatalf("Change: %v", err)
	}
	return d
}

func jobMade(f *fixture) {
	before := time.Now().Add(-time.Minute) // The store may have another clock.
	d := f.create()
	if d.UID == "" || d.Revision < 1 || d.Created.Before(before) || d.Changed.IsZero() || d.Version == "" {
		f.Errorf("Create returned %+v", d)
	}
	if diff := compare(cloud.NewJob("settlement", "shop", 3), d.Job); diff != "" {
		f.Errorf("the job (-want +got):\n%s", diff)
	}
	f.reported(d)
	if _, err := f.store.Create(f.Context(), cloud.NewJob("settlement", "mall", 1)); !errors.Is(err, cloud.ErrExists) {
		f.Errorf("Create once more: %v; want ErrExists", err)
	}
	f.reported(d)
}

func appMade(f *fixture) {
	app := cloud.NewApp("shop")
	if _, err := f.store.CreateApp(f.Context(), app); err != nil {
		f.Fatalf("CreateApp: %v", err)
	}
	f.until("the application", func(w *watch) bool { return compare(app, w.apps["shop"]) == "" })
	if _, err := f.store.CreateApp(f.Context(), app); !errors.Is(err, cloud.ErrExists) {
		f.Errorf("CreateApp once more: %v; want ErrExists", err)
	}
}

// moments returns times in the precision that every store must keep.
func moments(n int) []time.Time {
	var times []time.Time
	for i := range n {
		times = append(times, time.Unix(1795344540+int64(i), 123_000_000).UTC())
	}
	return times
}

func everyField(f *fixture) {
	d := f.create(func(j *cloud.Job) {
		j.Cron, j.TimeZone, j.StartTime, j.EndTime, j.ClockChange = "0 0 2 * * ?", "Europe/Berlin", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "once"
		j.ShardParameters, j.Parameter, j.Description = "0=A,1=B", "p", "Two words: and a \"quote\""
		j.CPU, j.MemoryMB, j.Misfire, j.Failover, j.Disabled = 0.125, 64.5, false, true, true
		j.Props = map[string]string{"mine": "kept", cloud.PropOverlap: "skip"}
		j.MaxTimeDiff, j.ReconcileMinutes, j.StrategyType, j.ExecutorType, j.ErrorHandlerType = 7, 8, "ODEVITY", "SINGLE_THREAD", "LOG"
		j.Overwrite, j.MonitorExecution, j.Compat = true, false, map[string]string{"jobClass": "x.Y"}
	})
	t := moments(8)
	status := cloud.Status{
		LastFire: t[0], Schedule: "0 0 2 * * ?|Europe/Berlin", Pending: t[1:3], MakingUp: t[3], Missed: 4, Merged: 5, MissedFirst: t[4], MissedLast: t[5],
		Requests:   []cloud.Request{{Key: "k", Asked: t[6], NotBefore: t[7], Shards: []int{0, 2}, Parameters: []byte(`{"a":1}`), By: "root"}},
		Running:    cloud.EndKill,
		LastRun:    cloud.LastRun{Name: "settlement-1795344540", State: cloud.RunFailed, Ended: t[7]},
		Conditions: []cloud.Condition{{Type: cloud.ConditionFires, Reason: cloud.ReasonDisabled, Message: "the job is disabled", Since: t[2]}},
	}
	changed := f.change(func(d *cloud.Definition) error { d.Status = status.Clone(); return nil })
	if diff := compare(status, changed.Status); diff != "" {
		f.Errorf("the status (-want +got):\n%s", diff)
	}
	if diff := compare(d.Job, changed.Job); diff != "" {
		f.Errorf("the job after a change of its status (-want +got):\n%s", diff)
	}
	f.reported(changed)
}

func jobChanged(f *fixture) {
	d := f.create()
	changed := f.change(func(d *cloud.Definition) error { d.Job.Shards = 5; return nil })
	if changed.Job.Shards != 5 || changed.Revision <= d.Revision || changed.Version == d.Version || changed.UID != d.UID || !changed.Created.Equal(d.Created) {
		f.Errorf("Change made %+v of %+v", changed, d)
	}
	f.reported(changed)
	status := f.change(func(d *cloud.Definition) error { d.Status.LastFire = moments(1)[0]; return nil })
	if !status.Changed.Equal(changed.Changed) || status.Revision <= changed.Revision {
		f.Errorf("a change of the status made %+v of %+v", status, changed)
	}
	f.reported(status)
}

func changeRefused(f *fixture) {
	d := f.create()
	refusal := errors.New("not now")
	if _, err := f.store.Change(f.Context(), "settlement", func(d *cloud.Definition) error { d.Job.Shards = 5; return refusal }); !errors.Is(err, refusal) {
		f.Errorf("Change: %v; want what its function returned", err)
	}
	if _, err := f.store.Change(f.Context(), "settlement", func(d *cloud.Definition) error { d.Job.Name = "another"; return nil }); !errors.Is(err, cloud.ErrRefused) {
		f.Errorf("a change of the name: %v; want ErrRefused", err)
	}
	same := f.change(func(*cloud.Definition) error { return nil })
	if diff := compare(d, same); diff != "" {
		f.Errorf("something was written (-before +after):\n%s", diff)
	}
}

func nothingChanged(f *fixture) {
	d := f.create()
	same := f.change(func(d *cloud.Definition) error {
		d.Status.SetCondition(cloud.Condition{Type: "A"})
		d.Status.Conditions = nil
		return nil
	})
	if same.Revision != d.Revision {
		f.Errorf("revision %d became %d although nothing changed", d.Revision, same.Revision)
	}
}

func changesAtOnce(f *fixture) {
	f.create()
	var wg sync.WaitGroup
	const writers, writes = 8, 10
	for range writers {
		wg.Go(func() {
			for range writes {
				if _, err := f.store.Change(f.Context(), "settlement", func(d *cloud.Definition) error { d.Status.Missed++; return nil }); err != nil {
					f.Errorf("Change: %v", err)
				}
			}
		})
	}
	wg.Wait()
	f.until("all changes", func(w *watch) bool { return w.jobs["settlement"].Status.Missed == writers*writes })
	f.watched.mu.Lock()
	defer f.watched.mu.Unlock()
	if len(f.watched.stale) > 0 {
		f.Errorf("older reports after newer ones: %v", f.watched.stale)
	}
}

func appChanged(f *fixture) {
	if _, err := f.store.CreateApp(f.Context(), cloud.NewApp("shop")); err != nil {
		f.Fatalf("CreateApp: %v", err)
	}
	changed, err := f.store.ChangeApp(f.Context(), "shop", func(a *cloud.App) error {
		a.Disabled, a.Running, a.Command, a.Env, a.CacheEnable = true, cloud.EndSuspend, []string{"bin/run", "a b"}, map[string]string{"A": "b"}, false
		return nil
	})
	if err != nil || !changed.Disabled {
		f.Fatalf("ChangeApp = %+v, %v", changed, err)
	}
	f.until("the change", func(w *watch) bool { return compare(changed, w.apps["shop"]) == "" })
	refusal := errors.New("not now")
	if _, err := f.store.ChangeApp(f.Context(), "shop", func(*cloud.App) error { return refusal }); !errors.Is(err, refusal) {
		f.Errorf("ChangeApp: %v; want what its function returned", err)
	}
}

func madeAgain(f *fixture) {
	first := f.create()
	second := f.change(func(d *cloud.Definition) error { d.Status.LastFire = moments(1)[0]; return nil })
	if err := f.store.Delete(f.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{Version: first.Version}); !errors.Is(err, cloud.ErrConflict) {
		f.Errorf("Delete of an old version: %v; want ErrConflict", err)
	}
	if err := f.store.Delete(f.Context(), cloud.KindJob, "settlement", cloud.DeleteOptions{Version: second.Version}); err != nil {
		f.Fatalf("Delete: %v", err)
	}
	f.until("the job no longer exists", func(w *watch) bool { _, exists := w.jobs["settlement"]; return !exists })
	again := f.create()
	if again.UID == first.UID || again.Revision <= second.Revision || !again.Status.LastFire.IsZero() {
		f.Errorf("made again is %+v after %+v", again, second)
	}
	f.reported(again)
}

func appDeleted(f *fixture) {
	if _, err := f.store.CreateApp(f.Context(), cloud.NewApp("shop")); err != nil {
		f.Fatalf("CreateApp: %v", err)
	}
	f.until("the application", func(w *watch) bool { return len(w.apps) == 1 })
	if err := f.store.Delete(f.Context(), cloud.KindApp, "shop", cloud.DeleteOptions{}); err != nil {
		f.Fatalf("Delete: %v", err)
	}
	f.until("it no longer exists", func(w *watch) bool { return len(w.apps) == 0 })
}

func watchAnew(f *fixture) {
	d := f.create()
	if _, err := f.store.CreateApp(f.Context(), cloud.NewApp("shop")); err != nil {
		f.Fatalf("CreateApp: %v", err)
	}
	end := f.watch()
	second := f.watched
	f.until("the current state is reported to a second watch", func(w *watch) bool { return w.synced > 0 })
	second.mu.Lock()
	if got := slices.Sorted(maps.Keys(second.jobs)); second.resets != 1 || !slices.Equal(got, []string{"settlement"}) || len(second.apps) != 1 {
		f.Errorf("reported were %d resets, jobs %v, applications %v", second.resets, got, second.apps)
	}
	second.mu.Unlock()
	f.reported(d)
	end()
}

func unknownNames(f *fixture) {
	if _, err := f.store.Change(f.Context(), "nobody", func(*cloud.Definition) error { return nil }); !errors.Is(err, cloud.ErrNotFound) {
		f.Errorf("Change: %v; want ErrNotFound", err)
	}
	if _, err := f.store.ChangeApp(f.Context(), "nobody", func(*cloud.App) error { return nil }); !errors.Is(err, cloud.ErrNotFound) {
		f.Errorf("ChangeApp: %v; want ErrNotFound", err)
	}
	for _, kind := range []cloud.Kind{cloud.KindJob, cloud.KindApp} {
		if err := f.store.Delete(f.Context(), kind, "nobody", cloud.DeleteOptions{}); !errors.Is(err, cloud.ErrNotFound) {
			f.Errorf("Delete of a %s: %v; want ErrNotFound", kind, err)
		}
	}
}
