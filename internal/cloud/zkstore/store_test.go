package zkstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func wholeJob(name string) cloud.Job {
	j := cloud.NewJob(name, "shop", 3)
	j.Cron, j.ShardParameters, j.Parameter, j.CPU, j.MemoryMB = "0 0 3 * * ?", "0=a,1=b", "on", 0.5, 64
	j.Failover, j.Description = true, "two\nlines: ü"
	j.Props = map[string]string{cloud.PropTimeout: "1h", "n": "0x1F", "empty": ""}
	j.TimeZone, j.StartTime, j.ClockChange = "Europe/Berlin", "2026-01-01T00:00:00Z", "once"
	j.Compat = map[string]string{"beanName": "settle"}
	return j
}

func wholeApp(name string) cloud.App {
	a := cloud.NewApp(name)
	a.URL, a.SHA256, a.BootstrapScript = "https://repo.example/shop.tar.gz", strings.Repeat("ab", 32), "bin/start.sh"
	a.Command, a.Args, a.Env = []string{"settle"}, []string{"-v", ""}, map[string]string{"A": "b"}
	a.Shell, a.CPU, a.CacheEnable, a.GraceSeconds, a.EventSampling = true, 0.25, false, 7, 3
	return a
}

// TestStoreKeepsEverything: created objects should be read unchanged, by the call and by a watch.
func TestStoreKeepsEverything(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		w := watch(t, f)
		app, err := f.CreateApp(t.Context(), wholeApp("shop"))
		if diff := cmp.Diff(wholeApp("shop"), app); err != nil || diff != "" {
			t.Fatalf("%v %s", err, diff)
		}
		made, err := f.Create(t.Context(), wholeJob("settle"))
		if diff := cmp.Diff(wholeJob("settle"), made.Job); err != nil || diff != "" {
			t.Fatalf("%v %s", err, diff)
		}
		if made.UID == "" || made.Version == "" || made.Created.IsZero() || made.Changed.IsZero() {
			t.Errorf("%+v", made)
		}
		status := cloud.Status{
			LastFire: noon, Schedule: "s", Pending: []time.Time{noon.Add(time.Hour)}, Missed: 7, Merged: 2,
			Requests:   []cloud.Request{{Key: "k", Asked: noon, Shards: []int{1}, Parameters: []byte(`{"a":1}`), By: "root"}},
			LastRun:    cloud.LastRun{Name: "settle-1", State: cloud.RunFailed, Ended: noon},
			Conditions: []cloud.Condition{{Type: cloud.ConditionFires, OK: true, Since: noon}},
		}
		changed, err := f.Change(t.Context(), "settle", func(d *cloud.Definition) error {
			d.Status = status.Clone()
			return nil
		})
		want := made
		want.Status, want.Revision, want.Version = status, changed.Revision, changed.Version
		if diff := cmp.Diff(want, changed); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		w.until(t, "the watch has all of it", func() bool {
			return cmp.Equal(w.apps["shop"], app) && cmp.Equal(w.jobs["settle"], changed)
		})
		for _, err := range []error{
			second(f.Create(t.Context(), wholeJob("settle"))), second(f.CreateApp(t.Context(), wholeApp("shop"))),
		} {
			if !errors.Is(err, cloud.ErrExists) {
				t.Errorf("made twice: %v", err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

// TestStoreErrors: missing names, foreign names, an invalid name, an old version, and an error of f.
func TestStoreErrors(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		ctx := t.Context()
		boom := errors.New("boom")
		if err := second(f.Create(ctx, wholeJob("j"))); err != nil {
			t.Fatal(err)
		}
		if err := second(f.CreateApp(ctx, wholeApp("a"))); err != nil {
			t.Fatal(err)
		}
		big := wholeJob("big")
		big.Parameter = strings.Repeat("x", 2<<20)
		for what, c := range map[string]struct{ err, want error }{
			"change an absent job":      {second(f.Change(ctx, "x", func(*cloud.Definition) error { return nil })), cloud.ErrNotFound},
			"change an absent app":      {second(f.ChangeApp(ctx, "x", func(*cloud.App) error { return nil })), cloud.ErrNotFound},
			"delete an absent job":      {f.Delete(ctx, cloud.KindJob, "x", cloud.DeleteOptions{}), cloud.ErrNotFound},
			"delete an absent app":      {f.Delete(ctx, cloud.KindApp, "x", cloud.DeleteOptions{}), cloud.ErrNotFound},
			"an old version":            {f.Delete(ctx, cloud.KindJob, "j", cloud.DeleteOptions{Version: "1"}), cloud.ErrConflict},
			"a wrong kind":              {f.Delete(ctx, "x", "j", cloud.DeleteOptions{}), cloud.ErrRefused},
			"a path":                    {second(f.Create(ctx, wholeJob("a/b"))), cloud.ErrRefused},
			"no name":                   {second(f.CreateApp(ctx, cloud.NewApp(""))), cloud.ErrRefused},
			"too big":                   {second(f.Create(ctx, big)), cloud.ErrRefused},
			"the error of f":            {second(f.Change(ctx, "j", func(*cloud.Definition) error { return boom })), boom},
			"the error of f for an app": {second(f.ChangeApp(ctx, "a", func(*cloud.App) error { return boom })), boom},
			"a new name":                {second(f.Change(ctx, "j", func(d *cloud.Definition) error { d.Job.Name = "k"; return nil })), cloud.ErrRefused},
			"a new name of an app":      {second(f.ChangeApp(ctx, "a", func(a *cloud.App) error { a.Name = "k"; return nil })), cloud.ErrRefused},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("%s: %v, want %v", what, c.err, c.want)
			}
		}
		if f.exists(t, f.tree.Job("big")) {
			t.Error("half of a job was made")
		}
	})
}

// TestChangesAtOnce: concurrent changes should not be lost, and a change without an effect should write nothing.
func TestChangesAtOnce(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		before, err := f.Create(t.Context(), wholeJob("j"))
		if err != nil {
			t.Fatal(err)
		}
		const writers, each = 4, 5
		var group sync.WaitGroup
		for range writers {
			group.Go(func() {
				for range each {
					_, err := f.Change(t.Context(), "j", func(d *cloud.Definition) error { d.Status.Missed++; return nil })
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		_, stat, err := f.other.Get(t.Context(), f.tree.Status("j"))
		if err != nil {
			t.Fatal(err)
		}
		after, err := f.Change(t.Context(), "j", func(*cloud.Definition) error { return nil })
		if err != nil || after.Status.Missed != writers*each {
			t.Errorf("%d changes counted, %v", after.Status.Missed, err)
		}
		if _, now, err := f.other.Get(t.Context(), f.tree.Status("j")); err != nil || now.Mzxid != stat.Mzxid {
			t.Errorf("a change of nothing was written: %v", err)
		}
		if after.Revision <= before.Revision {
			t.Errorf("revision %d after %d", after.Revision, before.Revision)
		}
		if after.Version == before.Version || after.UID != before.UID || !after.Changed.Equal(before.Changed) {
			t.Errorf("%+v became %+v", before, after)
		}
	})
}

// TestDeleteAndMakeAgain: the new job has nothing of the earlier one.
func TestDeleteAndMakeAgain(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		w := watch(t, f)
		first := wholeJob("j")
		first.Disabled = true
		before, err := f.Create(t.Context(), first)
		if err != nil || !before.Job.Disabled {
			t.Fatal(before.Job.Disabled, err)
		}
		if before, err = f.Change(t.Context(), "j", func(d *cloud.Definition) error { d.Status.Missed = 3; return nil }); err != nil {
			t.Fatal(err)
		}
		w.until(t, "the watch has it", func() bool { return w.jobs["j"].Status.Missed == 3 })
		if err := f.Delete(t.Context(), cloud.KindJob, "j", cloud.DeleteOptions{Version: before.Version}); err != nil {
			t.Fatal(err)
		}
		w.until(t, "the watch has lost it", func() bool { _, ok := w.jobs["j"]; return !ok })
		for _, path := range []string{f.tree.Job("j"), f.tree.JobExtension("j"), f.tree.Status("j"), f.tree.DisabledJob("j")} {
			if f.exists(t, path) {
				t.Errorf("%s is left", path)
			}
		}
		after, err := f.Create(t.Context(), cloud.NewJob("j", "shop", 1))
		if err != nil || after.UID == before.UID || after.Revision <= before.Revision || after.Job.Disabled || after.Job.TimeZone != "" || after.Status.Missed != 0 {
			t.Errorf("%+v, %v", after, err)
		}
	})
}

// TestChangeNeverReachesALaterJob: if the job is deleted and recreated during a change, the change
// is computed again.
func TestChangeNeverReachesALaterJob(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		if err := second(f.Create(t.Context(), wholeJob("j"))); err != nil {
			t.Fatal(err)
		}
		var seen []string
		after, err := f.Change(t.Context(), "j", func(d *cloud.Definition) error {
			if seen = append(seen, d.UID); len(seen) == 1 {
				if err := f.Delete(t.Context(), cloud.KindJob, "j", cloud.DeleteOptions{}); err != nil {
					return err
				}
				if err := second(f.Create(t.Context(), wholeJob("j"))); err != nil {
					return err
				}
			}
			d.Status.Schedule = d.UID
			return nil
		})
		if err != nil || len(seen) != 2 || seen[0] == seen[1] || after.Status.Schedule != after.UID {
			t.Errorf("seen %q, %+v, %v", seen, after, err)
		}
	})
}

// TestWatchesSideBySide: each watch begins with the current state, and ends with its context.
func TestWatchesSideBySide(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		first := watch(t, f)
		for i := range 5 {
			if err := second(f.CreateApp(t.Context(), cloud.NewApp(fmt.Sprint("a", i)))); err != nil {
				t.Fatal(err)
			}
		}
		if err := second(f.Create(t.Context(), wholeJob("j"))); err != nil {
			t.Fatal(err)
		}
		late := watch(t, f)
		if e := late.events; e[0].Event != cloud.EventReset || len(e) != 8 || e[6].Kind != cloud.KindJob || e[7].Event != cloud.EventSynced {
			t.Errorf("%+v", e)
		}
		first.until(t, "the first watch has all", func() bool { return len(first.apps) == 5 && len(first.jobs) == 1 })
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stop")
		if err := f.Watch(ctx, func(cloud.StoreEvent) { cancel(stop) }); !errors.Is(err, stop) {
			t.Errorf("a watch ended with %v", err)
		}
	})
}
