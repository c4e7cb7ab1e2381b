package settings_test

import (
	"context"
	"errors"
	"fmt"
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
			if err := one.AddRecord(t.Context(), r); err != nil {
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
