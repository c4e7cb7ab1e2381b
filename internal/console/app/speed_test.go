package app_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestPagesOfManyJobs: a page makes at most two allocations for a job that it does not
// show. `make bench ONLY=pages` measures how long the pages about 10,000 jobs take.
func TestPagesOfManyJobs(t *testing.T) {
	bench := consoletest.New(t, func(o *app.Options) { o.Logger = slog.New(slog.DiscardHandler) })
	cookie := &http.Cookie{Name: "elasticjob_session", Value: bench.Token(t, auth.RoleRoot, auth.ForPages)}
	allocations := func(jobs int, target string) float64 {
		bench.Registry.Set(func(f *consoletest.FakeRegistry) {
			f.List = nil
			for i := range jobs {
				f.List = append(f.List, statistics.JobDetail{Job: statistics.Job{
					Name: fmt.Sprintf("job-%05d", i), Status: statistics.StatusOK, Cron: fmt.Sprintf("%d 0/%d * * * ?", i%60, i%29+1),
					TimeZone: "GMT+8:00", Shards: i%12 + 1, Instances: 3, Servers: 3, ReadySince: consoletest.Noon.Add(-time.Hour),
				}})
			}
		})
		return testing.AllocsPerRun(5, func() {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
			r.AddCookie(cookie)
			w := httptest.NewRecorder()
			if bench.Console.ServeHTTP(w, r); w.Code != http.StatusOK {
				t.Fatalf("status %d", w.Code)
			}
		})
	}
	for _, target := range []string{"/", "/jobs", "/jobs?q=state%3Afailing"} {
		few, many := allocations(1000, target), allocations(10_000, target)
		if many-few > 2*9000 {
			t.Errorf("%s: %.0f allocations with 1,000 jobs, %.0f with 10,000", target, few, many)
		}
	}
}
