package settings_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestPruneAudit: what is older, or beyond a number, goes in small steps, on
// every kind of database and from two consoles at once; that it went is on
// record, once, and what was not there to go leaves no record.
func TestPruneAudit(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		for i := range 100 {
			r := settings.Record{At: noon.Add(-time.Duration(100-i) * time.Hour), User: "root", Action: "x", Outcome: "done", RequestID: fmt.Sprint(i)}
			if _, err := one.AddRecord(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		records := func() []settings.Record {
			t.Helper()
			page, err := other.Records(t.Context(), settings.AuditFilter{Limit: 200})
			if err != nil {
				t.Fatal(err)
			}
			return page.Records
		}
		prune := func(keep settings.AuditRetention, want, left int, newest string) {
			t.Helper()
			keep.Batch, keep.Pause = 7, -1
			n, err := one.PruneAudit(t.Context(), keep, noon)
			if got := records(); err != nil || n != want || len(got) != left || !strings.Contains(got[0].Action+" "+got[0].Detail, newest) {
				t.Fatalf("%+v: %d deleted, %v; %d left, the newest %+v", keep, n, err, len(got), got[0])
			}
		}
		prune(settings.AuditRetention{}, 0, 100, "x")
		prune(settings.AuditRetention{Age: 1000 * time.Hour, Rows: 100}, 0, 100, "x")
		prune(settings.AuditRetention{Age: 90 * time.Hour}, 10, 91, "prune audit deleted=10 keep_age=90h0m0s") // what is exactly that old stays
		prune(settings.AuditRetention{Age: 90 * time.Hour}, 0, 91, "deleted=10")
		prune(settings.AuditRetention{Rows: 80}, 12, 80, "deleted=12 keep_rows=80")
		prune(settings.AuditRetention{Rows: 80}, 0, 80, "deleted=12")
		prune(settings.AuditRetention{Rows: 60, Age: 50 * time.Hour}, 28, 53, "deleted=28") // whichever deletes more

		pruneAtOnce(t, one, other, records)
		prune(settings.AuditRetention{Rows: 1}, len(records()), 1, "prune audit")
		prune(settings.AuditRetention{Rows: 1}, 0, 1, "prune audit")

		if _, err := one.PruneAudit(t.Context(), settings.AuditRetention{Rows: -1}, noon); err == nil {
			t.Error("a negative number is taken")
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := one.PruneAudit(gone, settings.AuditRetention{Rows: 1}, noon); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// pruneAtOnce: two that prune at once record each deleted one once.
func pruneAtOnce(t *testing.T, one *settings.Store, other *settings.Store, records func() []settings.Record) {
	var group sync.WaitGroup
	for _, s := range []*settings.Store{one, other} {
		group.Go(func() {
			if _, err := s.PruneAudit(t.Context(), settings.AuditRetention{Age: 10 * time.Hour, Batch: 3, Pause: -1}, noon); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	total := 0
	for _, r := range records() {
		var n int
		if _, err := fmt.Sscanf(r.Detail, "deleted=%d keep_age=10h", &n); err == nil {
			total += n
		} else if r.At.Before(noon.Add(-10 * time.Hour)) {
			t.Errorf("%+v is left", r)
		}
	}
	if total != 40 {
		t.Errorf("two at once: %d are on record", total)
	}
}

// TestV19StrangersGoFirst: what strangers fill the audit with pushes nobody
// else's records out, and is bounded by itself.
func TestV19StrangersGoFirst(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		add := func(n int, r settings.Record) {
			t.Helper()
			for range n {
				r.At = noon
				if _, err := one.AddRecord(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
		}
		left := func(keep settings.AuditRetention) map[string]int {
			t.Helper()
			keep.Batch, keep.Pause = 7, -1
			if _, err := one.PruneAudit(t.Context(), keep, noon); err != nil {
				t.Fatal(err)
			}
			page, err := other.Records(t.Context(), settings.AuditFilter{Limit: 200})
			if err != nil {
				t.Fatal(err)
			}
			count := make(map[string]int)
			for _, r := range page.Records {
				if r.Action != settings.PruneAction {
					count[r.Detail]++
				}
			}
			return count
		}
		root := settings.Record{User: "root", Role: "root", Action: "x", Outcome: "done", Detail: "root"}
		add(10, root) // the oldest
		add(3, settings.Record{Action: "POST /login", Outcome: "done", Detail: "sign-in"})
		add(40, settings.Record{User: "guest", Role: "guest", Action: "x", Outcome: "forbidden", Detail: "guest"})
		add(100, settings.Record{Action: "x", Outcome: "token_missing", Detail: "stranger"})
		for _, step := range []struct {
			keep settings.AuditRetention
			want map[string]int
		}{
			{settings.AuditRetention{Strangers: 60}, map[string]int{"root": 10, "sign-in": 3, "guest": 40, "stranger": 60}},
			{settings.AuditRetention{Rows: 80}, map[string]int{"root": 10, "sign-in": 3, "guest": 40, "stranger": 25}},
			{settings.AuditRetention{Rows: 30}, map[string]int{"root": 10, "sign-in": 3, "guest": 14}},
			{settings.AuditRetention{Rows: 8}, map[string]int{"root": 1, "sign-in": 3}},
		} {
			if got := left(step.keep); !maps.Equal(got, step.want) {
				t.Errorf("%+v leaves %v, want %v", step.keep, got, step.want)
			}
		}
	})
}

// TestV29RecordsAreFinished: what came of an action is written to the record of
// its beginning.
func TestV29RecordsAreFinished(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		begun := settings.Record{At: noon, User: "root", Role: "root", Action: "x", Target: "j", Outcome: settings.OutcomeBegun, RequestID: "r1"}
		id, err := one.AddRecord(t.Context(), begun)
		if err != nil || id == 0 {
			t.Fatal(id, err)
		}
		end := settings.Record{ID: id, Target: "j on 10.0.0.1", Outcome: "done", Status: 204, Detail: "affected=1"}
		if err := other.FinishRecord(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		want := begun
		want.ID, want.Target, want.Outcome, want.Status, want.Detail = id, end.Target, end.Outcome, end.Status, end.Detail
		page, err := one.Records(t.Context(), settings.AuditFilter{})
		if err != nil || len(page.Records) != 1 || page.Records[0] != want {
			t.Errorf("%+v, %v", page.Records, err)
		}
		end.ID = id + 1
		if err := one.FinishRecord(t.Context(), end); !errors.Is(err, settings.ErrNotFound) {
			t.Errorf("a record that was deleted: %v", err)
		}
	})
}
