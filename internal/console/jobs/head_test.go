package jobs

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestHeadOfAJob: what stops a job or starts it again stands beside the main button, and
// the menu has the rest; a guest has neither.
func TestHeadOfAJob(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for job, want := range map[string][]string{
		"invoices":       {"do-disable", "do-run", "menu", "ask-backfill", "ask-hold", "as-yaml", "do-shutdown"},
		"mail-digest":    {"do-enable", "do-run", "menu", "ask-backfill", "ask-hold", "as-yaml", "do-shutdown"},
		"warehouse-sync": {"do-disable", "do-run", "menu", "ask-backfill", "ask-hold", "as-yaml", "do-remove"},
		"geo-update":     {"do-disable", "do-enable", "do-run", "menu", "ask-backfill", "ask-hold", "as-yaml", "do-shutdown"}, // one of its servers is disabled
	} {
		head := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/"+job, nil).Doc(t).Find("header.head")
		if diff := cmp.Diff(want, buttons(head)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", job, diff)
		}
		if head.Find(`.btn-main, [data-testid="do-run"]`).Length() != 1 || head.Find("[data-testid] .ic").Length() < 2 {
			t.Errorf("%s: one button is the main one, and each has its shape", job)
		}
		if got := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/"+job, nil).Doc(t).Find("header.head"); len(buttons(got)) > 0 {
			t.Errorf("a guest has %q at %s", buttons(got), job)
		}
	}
}

// TestW17Title is shown before the description, on the job's page and in the list.
func TestW17Title(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List[0].Title, f.List[0].Description = "夜间清理", "old invoices"
	})
	job := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices", nil)
	list := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
	for name, page := range map[string]consoletest.Reply{"job": job, "list": list} {
		if !strings.Contains(page.Body, "夜间清理 · old invoices") {
			t.Errorf("the page of the %s has no title", name)
		}
	}
}

// TestTabOfExplainHasItsFinding: its tab has the shape of what is wrong, and none for a
// job that is well.
func TestTabOfExplainHasItsFinding(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for job, want := range map[string]string{"warehouse-sync": "st-bad", "settlement.daily": "st-warn", "reindex": ""} {
		for _, page := range []string{"", "/explain", "/shards"} {
			glyph := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/"+job+page, nil).Doc(t).Find(`[data-testid="tab-explain"] .glyph`)
			if glyph.Length() > 1 || !strings.HasSuffix(glyph.AttrOr("class", ""), want) || (want == "") != (glyph.Length() == 0) {
				t.Errorf("%s%s: %q, want %q", job, page, glyph.AttrOr("class", ""), want)
			}
		}
	}
}

// TestWhoFiresTogetherWithAJob: the card says which of the next fires many other jobs have,
// with the way to them; of a job that fires alone it says nothing.
func TestWhoFiresTogetherWithAJob(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for i := range 12 {
			f.List = append(f.List, statistics.JobDetail{Job: statistics.Job{Name: fmt.Sprint("herd-", i), Cron: "0 0/20 * * * ?", TimeZone: "GMT", Status: statistics.StatusOK, Servers: 1, Instances: 1, Shards: 1}})
		}
		f.List[0].Cron, f.List[0].TimeZone = "0 0/10 * * * ?", "GMT+01:00"
	})
	page := func(path, language string) consoletest.Reply {
		return b.As(t, auth.RoleGuest, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("Accept-Language", language) })
	}
	en := page("/jobs/invoices", "en")
	if got := en.Text(t, "schedule-herd"); !strings.Contains(got, "12:20:00 UTC fires together with 12 other jobs.") {
		t.Errorf("herd: %q", got)
	}
	way := en.Doc(t).Find(`[data-testid="herd-open"]`).AttrOr("href", "")
	if list := names(page(way, "en").Doc(t)); len(list) < 13 || !slices.Contains(list, "herd-3") {
		t.Errorf("%s leads to %q", way, list)
	}
	if got := page("/jobs/invoices", "zh-CN").Text(t, "schedule-herd"); !strings.Contains(got, "12:20:00 UTC 与另外 12 个作业同时触发。") {
		t.Errorf("herd in Chinese: %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Cron = "0 7 9 * * ?" })
	if alone := page("/jobs/invoices", "en"); alone.Doc(t).Find(`[data-testid="schedule-herd"]`).Length() != 0 {
		t.Errorf("alone: %q", alone.Text(t, "schedule"))
	}
}
