package console_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestPagesOfManyJobs measures the pages about 10,000 jobs at the server; the bound is
// loose, for machines that do other things, too.
func TestPagesOfManyJobs(t *testing.T) {
	bench := consoletest.New(t, func(o *console.Options) { o.Logger = slog.New(slog.DiscardHandler) })
	bench.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List = nil
		for i := range 10_000 {
			f.List = append(f.List, statistics.JobDetail{Job: statistics.Job{
				Name: fmt.Sprintf("job-%05d", i), Status: statistics.StatusOK, Cron: fmt.Sprintf("%d 0/%d * * * ?", i%60, i%29+1),
				TimeZone: "GMT+8:00", Shards: i%12 + 1, Instances: 3, Servers: 3, ReadySince: consoletest.Noon.Add(-time.Hour),
			}})
		}
	})
	cookie := &http.Cookie{Name: "elasticjob_session", Value: bench.Token(t, auth.RoleRoot, auth.ForPages)}
	for _, target := range []string{"/", "/jobs", "/jobs?q=state%3Afailing"} {
		var took []time.Duration
		for range 21 {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
			r.AddCookie(cookie)
			w := httptest.NewRecorder()
			began := time.Now()
			bench.Console.ServeHTTP(w, r)
			took = append(took, time.Since(began))
			if w.Code != http.StatusOK {
				t.Fatalf("status %d", w.Code)
			}
		}
		slices.Sort(took)
		t.Logf("%s: median %s, p95 %s", target, took[10], took[19])
		if took[10] > 500*time.Millisecond {
			t.Errorf("%s takes %s", target, took[10])
		}
	}
}
