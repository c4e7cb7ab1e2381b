package zkstore_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

const (
	appOf304 = "appCacheEnable: true\nappName: shop\nappURL: http://repo.example/shop.tar.gz\nbootstrapScript: bin/start.sh\ncpuCount: 0.5\neventTraceSamplingCount: 0\nmemoryMB: 128.0\n"
	jobOf304 = "appName: shop\ncpuCount: 0.1\ncron: 0 0 3 * * ?\ndisabled: false\nfailover: true\njobExecutionType: DAEMON\njobName: settle\n" +
		"maxTimeDiffSeconds: -1\nmemoryMB: 64.0\nmisfire: false\nmonitorExecution: true\noverwrite: false\nprops: {}\nreconcileIntervalMinutes: 10\nshardingTotalCount: 3\n"
	jobOf215 = `{"jobName":"old","jobClass":"org.example.Settle","jobType":"SIMPLE","cron":"0 0 3 * * ?","shardingTotalCount":2,"jobProperties":{"job_exception_handler":"x"},` +
		`"appName":"shop","cpuCount":0.001,"memoryMB":1.0,"jobExecutionType":"TRANSIENT","beanName":"b"}`
)

// TestTreeOfUpstream: documents of 3.0.4 and 2.1.5, operators' switches, and edits and deletions by
// upstream's separate console.
func TestTreeOfUpstream(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		f.put(t, f.tree.App("shop"), appOf304)
		f.put(t, f.tree.Job("settle"), jobOf304)
		f.put(t, f.tree.Job("old"), jobOf215)
		f.put(t, f.tree.DisabledJob("old"), "old")
		w := watch(t, f)
		app := cloud.NewApp("shop")
		app.URL, app.BootstrapScript, app.CPU = "http://repo.example/shop.tar.gz", "bin/start.sh", 0.5
		if diff := cmp.Diff(app, w.apps["shop"]); diff != "" {
			t.Error(diff)
		}
		if j := w.jobs["settle"].Job; j.Type != cloud.TypeDaemon || j.Misfire || !j.Failover || j.Disabled || j.CPU != 0.1 || j.Compat != nil {
			t.Errorf("%+v", j)
		}
		old := w.jobs["old"].Job
		if !old.Disabled || old.Shards != 2 || old.CPU != 0.001 || old.Misfire || old.Compat["jobClass"] != "org.example.Settle" || old.Compat["beanName"] != "b" {
			t.Errorf("%+v", old)
		}

		f.put(t, f.tree.DisabledApp("shop"), "shop")
		f.put(t, f.tree.Job("settle"), strings.Replace(jobOf304, "shardingTotalCount: 3", "shardingTotalCount: 5", 1))
		w.until(t, "the edits", func() bool { return w.apps["shop"].Disabled && w.jobs["settle"].Job.Shards == 5 })
		f.remove(t, f.tree.DisabledApp("shop"))
		f.remove(t, f.tree.Job("old"))
		w.until(t, "the deletions", func() bool { _, ok := w.jobs["old"]; return !ok && !w.apps["shop"].Disabled })
	})
}

// TestUpstreamReadsOurs: we only write upstream's keys, and keep upstream's fields that we don't know.
func TestUpstreamReadsOurs(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		if err := second(f.CreateApp(t.Context(), wholeApp("shop"))); err != nil {
			t.Fatal(err)
		}
		want := "appName: shop\nappURL: 'https://repo.example/shop.tar.gz'\nbootstrapScript: bin/start.sh\ncpuCount: 0.25\nmemoryMB: 128.0\nappCacheEnable: false\neventTraceSamplingCount: 3\n"
		if diff := cmp.Diff(want, f.get(t, f.tree.App("shop"))); diff != "" {
			t.Error(diff)
		}
		if err := second(f.Create(t.Context(), wholeJob("mine"))); err != nil {
			t.Fatal(err)
		}
		if doc := f.get(t, f.tree.Job("mine")); strings.Contains(doc, "timeZone") || strings.Contains(doc, "beanName") || strings.Contains(doc, "compat") || !strings.Contains(doc, "disabled: false") {
			t.Errorf("upstream's reader would refuse this, or miss something:\n%s", doc)
		}
		f.put(t, f.tree.Job("old"), jobOf215)
		f.put(t, f.tree.JobExtension("old"), `{"future":{"a":1}}`)
		after, err := f.Change(t.Context(), "old", func(d *cloud.Definition) error {
			d.Job.Cron, d.Job.TimeZone = "0 0 4 * * ?", "Europe/Berlin"
			d.Job.Compat["streamingProcess"] = "true"
			delete(d.Job.Compat, "beanName")
			return nil
		})
		if err != nil || after.Job.Compat["streamingProcess"] != "true" || after.Job.Compat["beanName"] != "" || after.Job.TimeZone != "Europe/Berlin" {
			t.Fatalf("%+v, %v", after, err)
		}
		wantOld := strings.Replace(strings.Replace(jobOf215, "0 0 3", "0 0 4", 1), `,"beanName":"b"`, "", 1)
		if diff := cmp.Diff(wantOld, f.get(t, f.tree.Job("old"))); diff != "" {
			t.Error(diff)
		}
		if ours := f.get(t, f.tree.JobExtension("old")); !strings.Contains(ours, `"future":{"a":1}`) {
			t.Errorf("what a later version has written is lost: %s", ours)
		}
	})
}

// TestSwitches: disabling creates upstream's node and keeps the document. Enabling removes it and
// corrects a document that disables the job.
func TestSwitches(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		f.put(t, f.tree.App("shop"), appOf304)
		f.put(t, f.tree.Job("settle"), strings.Replace(jobOf304, "disabled: false", "disabled: true", 1))
		w := watch(t, f)
		if !w.jobs["settle"].Job.Disabled {
			t.Error("the document's word does not count")
		}
		last := w.jobs["settle"].Revision
		for _, disabled := range []bool{true, false, true} {
			job, err := f.Change(t.Context(), "settle", func(d *cloud.Definition) error { d.Job.Disabled = disabled; return nil })
			if err != nil || job.Job.Disabled != disabled {
				t.Fatal(job.Job.Disabled, err)
			}
			app, err := f.ChangeApp(t.Context(), "shop", func(a *cloud.App) error { a.Disabled = disabled; return nil })
			if err != nil || app.Disabled != disabled || f.exists(t, f.tree.DisabledApp("shop")) != disabled {
				t.Fatal(app.Disabled, err)
			}
			if !disabled && job.Revision <= last {
				t.Errorf("revision %d after %d", job.Revision, last)
			}
			last = job.Revision
			w.until(t, "the switches", func() bool { return w.jobs["settle"].Job.Disabled == disabled && w.apps["shop"].Disabled == disabled })
		}
		if !f.exists(t, f.tree.DisabledJob("settle")) || f.get(t, f.tree.App("shop")) != appOf304 || f.get(t, f.tree.Job("settle")) != jobOf304 {
			t.Errorf("switch %t, documents\n%s\n%s", f.exists(t, f.tree.DisabledJob("settle")), f.get(t, f.tree.App("shop")), f.get(t, f.tree.Job("settle")))
		}
	})
}

// TestPartsOfAnEarlierJob: if upstream deletes the job and it's created again, our nodes of the
// earlier job don't count, and the next change replaces them.
func TestPartsOfAnEarlierJob(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		w := watch(t, f)
		before, err := f.Create(t.Context(), wholeJob("settle"))
		if err != nil {
			t.Fatal(err)
		}
		if err := second(f.Change(t.Context(), "settle", func(d *cloud.Definition) error { d.Status.Missed = 9; return nil })); err != nil {
			t.Fatal(err)
		}
		f.remove(t, f.tree.Job("settle"))
		f.put(t, f.tree.Job("settle"), jobOf304)
		w.until(t, "the new job", func() bool { d := w.jobs["settle"]; return d.UID != "" && d.UID != before.UID })
		if d := w.jobs["settle"]; d.Job.TimeZone != "" || d.Status.Missed != 0 || d.Job.Compat != nil {
			t.Errorf("%+v", d)
		}
		after, err := f.Change(t.Context(), "settle", func(d *cloud.Definition) error { d.Status.Merged = 1; return nil })
		if err != nil || after.Status.Missed != 0 || after.Status.Merged != 1 || after.Job.TimeZone != "" {
			t.Errorf("%+v, %v", after, err)
		}
		f.remove(t, f.tree.Job("settle"))
		made, err := f.Create(t.Context(), cloud.NewJob("settle", "shop", 1))
		if err != nil || made.Status.Merged != 0 || made.Job.TimeZone != "" {
			t.Errorf("%+v, %v", made, err)
		}
	})
}

// TestUnreadableDocuments: they are reported with their name and the problem, and the others normally.
func TestUnreadableDocuments(t *testing.T) {
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		f := newFixture(t, srv)
		f.put(t, f.tree.Job("bad"), "shardingTotalCount: many\n")
		f.put(t, f.tree.Job("worse"), "")
		f.put(t, f.tree.App("bad"), "- x\n")
		f.put(t, f.tree.App("fine"), appOf304)
		w := watch(t, f)
		for _, e := range w.events {
			if e.Event != cloud.EventChanged || e.Name == "fine" {
				continue
			}
			if e.Err == nil || !strings.Contains(e.Err.Error(), e.Name) || e.Kind == cloud.KindJob && e.Definition.Job.Name != e.Name || e.Kind == cloud.KindApp && e.App.Name != e.Name {
				t.Errorf("%+v", e)
			}
		}
		if w.errs["fine"] != nil || len(w.events) != 6 {
			t.Errorf("%v, %d events", w.errs, len(w.events))
		}
		if err := second(f.Change(t.Context(), "bad", func(*cloud.Definition) error { return nil })); err == nil || !strings.Contains(err.Error(), "shardingTotalCount") {
			t.Errorf("%v", err)
		}
		f.put(t, f.tree.Job("bad"), jobOf304)
		w.until(t, "the corrected document", func() bool { return w.errs["bad"] == nil && w.jobs["bad"].Job.Shards == 3 })
	})
}
