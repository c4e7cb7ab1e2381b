package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func TestAPIExplains(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	zone := time.FixedZone("GMT+08:00", 8*60*60)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Why = statistics.Explanation{
			At: consoletest.Noon, Summary: "A part of the job does not run.", NextFire: time.Date(2026, 11, 22, 1, 0, 0, 0, zone), Zone: "GMT+8:00",
			Findings: []statistics.Finding{{
				Code: statistics.CodeItemDisabled, Effect: statistics.EffectShards, Sentence: "Shard 1: switched off by an operator.", Advice: "Enable the shard.",
				Node: "/ns/invoices/sharding/1/disabled", Since: consoletest.Noon, Items: []int{1},
			}},
		}
	})
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/invoices/explain", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	var got explanationBody
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
		t.Fatal(err)
	}
	want := explanationBody{
		JobName: "invoices", At: "2026-11-21T12:00:07Z", Summary: "A part of the job does not run.", Obstacle: true, Cron: got.Cron,
		TimeZone: "GMT+8:00", NextFireTime: "2026-11-21T17:00:00Z", NextFireLocal: "2026-11-22T01:00:00+08:00",
		Findings: []findingBody{{
			Code: "ITEM_DISABLED", Effect: "ITEMS", Sentence: "Shard 1: switched off by an operator.", Advice: "Enable the shard.",
			Node: "/ns/invoices/sharding/1/disabled", Since: "2026-11-21T12:00:07Z", Items: []int{1}, ItemCount: 1,
		}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Why = statistics.Explanation{} })
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/invoices/explain", nil); !json.Valid([]byte(r.Body)) || !strings.Contains(r.Body, `"findings":[]`) {
		t.Errorf("without findings: %s", r.Body)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/nope/explain", nil), http.StatusNotFound)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("away") })
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/invoices/explain", nil), http.StatusServiceUnavailable)
}

func TestPageExplains(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	if doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices", nil).Doc(t); doc.Find("[data-testid=why]").AttrOr("href", "") != "/jobs/invoices/explain" {
		t.Error("the job's page does not lead to the explanation")
	}
	if got := consoletest.Words(b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t).Find("[data-testid=explanation]")); !strings.HasPrefix(got, "no obstacle") {
		t.Errorf("without findings: %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Why = statistics.Explanation{
			Summary: "The job does not run. <b>", Findings: []statistics.Finding{
				{Code: statistics.CodeConfigUnusable, Effect: statistics.EffectJob, Sentence: "The cron is <b>wrong</b>.", Advice: "Correct cron.", Node: "/ns/invoices/config", Field: "cron", Value: "<x>", Since: consoletest.Noon.Add(-time.Minute)},
				{Code: statistics.CodeMonitorOff, Effect: statistics.EffectNothing, Sentence: "Nothing is known.", Node: "/ns/invoices/config"},
			},
		}
	})
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t)
	if got := consoletest.Words(doc.Find("[data-testid=explanation]")); !strings.HasPrefix(got, "does not run") || !strings.HasSuffix(got, "The job does not run. <b>") {
		t.Errorf("explanation %q", got)
	}
	var rows []string
	for _, row := range doc.Find("[data-testid=finding]").EachIter() {
		rows = append(rows, row.AttrOr("data-code", "")+": "+consoletest.Words(row))
	}
	want := []string{
		"CONFIG_UNUSABLE: the job The cron is <b>wrong</b>. Correct cron. 1 min ago /ns/invoices/config cron: <x>",
		"MONITOR_OFF: nothing Nothing is known. – /ns/invoices/config",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/nope/explain", nil), http.StatusNotFound)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("away") })
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil), http.StatusServiceUnavailable)
}
