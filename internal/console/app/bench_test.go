package app_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// BenchmarkPages measures what a page costs beyond reading the registry and the
// database, in a namespace of 2,000 jobs.
func BenchmarkPages(b *testing.B) {
	bench := consoletest.New(b, func(o *app.Options) { o.Logger = slog.New(slog.DiscardHandler) })
	bench.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List = nil
		for i := range 2000 {
			f.List = append(f.List, statistics.JobDetail{Job: statistics.Job{
				Name: fmt.Sprintf("job-%04d", i), Status: statistics.StatusOK, Cron: fmt.Sprintf("%d 0/%d * * * ?", i%60, i%29+1),
				TimeZone: "GMT+8:00", Shards: i%12 + 1, Instances: 3, Servers: 3,
			}})
		}
	})
	cookie := &http.Cookie{Name: "elasticjob_session", Value: bench.Token(b, auth.RoleRoot, auth.ForPages)}
	for _, target := range []string{"/", "/jobs", "/jobs?sort=next&pageSize=200", "/jobs?q=99"} {
		b.Run(target, func(b *testing.B) {
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, target, nil)
				r.AddCookie(cookie)
				w := httptest.NewRecorder()
				bench.Console.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatalf("status %d", w.Code)
				}
			}
		})
	}
}
