package crdstore_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// TestCrashBetweenTheWrites: if a process ends after any write of a change of spec and status,
// readers, watches and the next change should see all of the change or nothing.
func TestCrashBetweenTheWrites(t *testing.T) {
	t.Parallel()
	for _, disable := range []bool{true, false} {
		for crash := range 4 {
			t.Run(fmt.Sprintf("disable %t, crash after %d writes", disable, crash), func(t *testing.T) {
				t.Parallel()
				crashBetweenTheWrites(t, disable, crash)
			})
		}
	}
}

func crashBetweenTheWrites(t *testing.T, disable bool, crash int) {
	d := newDouble(t)
	s := d.open(t)
	create(t, s)
	before, err := s.Change(t.Context(), "settlement", func(d *cloud.Definition) error {
		d.Status.LastFire, d.Status.Pending, d.Status.Missed = at(0), []time.Time{at(-2), at(-1)}, 3
		d.Status.Requests = []cloud.Request{{Key: "k", Asked: at(0), Parameters: []byte(`{"b": 1, "a": 12345678901234567890}`)}}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !disable {
		if before, err = s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Job.Disabled = true; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	after := before.Clone()
	after.SetDisabled(disable, cloud.EndKill, at(60))
	d.faults(failAfter(crash))
	_, err = s.Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.SetDisabled(disable, cloud.EndKill, at(60)); return nil })
	if committed := crash > 0; (err == nil) != committed {
		t.Fatalf("Change = %v", err)
	}
	want := before
	if crash > 0 {
		want = after
	}
	d.faults(nil)
	got := d.read(t)
	compare := func(what string, got cloud.Definition) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(cloud.Definition{}, "Version", "Revision", "Changed")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	compare("a reader", got)
	seen := follow(t, d.open(t))
	seen.job("settlement", func(reported cloud.Definition) bool { got = reported; return true })
	compare("a watch", got)
	// The next change starts from the whole.
	if got, err = d.open(t).Change(t.Context(), "settlement", func(d *cloud.Definition) error { d.Status.Missed++; return nil }); err != nil {
		t.Fatal(err)
	}
	want.Status.Missed++
	compare("the next change", got)
	o := d.object("elasticjobs", "settlement")
	if notes := asMap(metadata(o)["annotations"]); len(notes) > 0 {
		t.Errorf("annotations are left: %v", notes)
	}
	if pending := len(want.Status.Pending) + len(want.Status.Requests); asMap(o["status"])["pendingCount"] != float64(pending) {
		t.Errorf("pendingCount is %v, want %d", asMap(o["status"])["pendingCount"], pending)
	}
}

// failAfter refuses all writes after a number of them.
func failAfter(writes int) func(*http.Request) int {
	return func(r *http.Request) int {
		if r.Method != http.MethodPatch {
			return 0
		}
		if writes--; writes < 0 {
			return http.StatusInternalServerError
		}
		return 0
	}
}

// TestCopyOfAnObject: a pending change of an object has no effect on its copy.
func TestCopyOfAnObject(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	d.mu.Lock()
	d.put("elasticjobs", map[string]any{
		"metadata": map[string]any{"name": "settlement", "annotations": map[string]any{"cloud.elasticjob.dev/status-to-write": `{"uid":"another","status":{"missedTotal":9}}`}},
		"spec":     map[string]any{"jobName": "settlement", "appName": "shop", "shardingTotalCount": 3},
	}, "")
	d.mu.Unlock()
	if got := d.read(t); got.Status.Missed != 0 || got.Job.Type != cloud.TypeTransient || got.Job.Shards != 3 {
		t.Errorf("read is %+v", got)
	}
}
