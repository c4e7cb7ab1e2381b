package runs

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestW29ACancelledRun: all pages and REST call a cancelled run cancelled, as its requested run, and not failed.
// A run of which another shard failed stays failed.
func TestW29ACancelledRun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = nil
	const eof = tracing.CauseCancelled + ": EOF"
	for i, run := range [][]string{{"", eof}, {"refused", tracing.CauseCancelled}} {
		for item, cause := range run {
			start := consoletest.Noon.Add(-time.Duration(i+1) * time.Minute)
			b.History.Rows = append(b.History.Rows, tracing.Execution{
				ID: fmt.Sprint(i, item), JobName: "invoices", Item: item, RunID: fmt.Sprint("R", i), IP: "10.0.1.1",
				Attempt: 1, Trigger: tracing.TriggerAPI, StartTime: start, CompleteTime: start.Add(10 * time.Second),
				FailureCause: cause, Success: cause == "",
			})
		}
	}
	for path, want := range map[string]string{
		"/jobs/invoices/runs/R0":         `header [data-testid="health"]:contains("1 of 2 shards cancelled")`,
		"/jobs/invoices/runs/R0?shard=1": `[data-testid="shard"]:contains("Cancelled"):contains("the run was cancelled: EOF")`,
		"/jobs/invoices/runs/R1":         `header [data-testid="health"]:contains("Failed"):contains("1 of 2 shards failed")`,
		"/runs?state=cancelled":          `[data-testid="facets"] a:contains("Cancelled") .st-off`,
		"/runs?state=failed":             `[data-testid="runs-table"] svg title:contains("1 failed, 0 lost, 0 running · 1 cancelled")`,
		"/executions?state=cancelled":    `tbody:contains("the run was cancelled: EOF") tr:contains("Cancelled") .st-off`,
		"/jobs/invoices":                 `[data-testid="run-grid"] a title:contains("Cancelled"):contains("1 cancelled")`,
		"/jobs":                          `.strip[title*="1 failed"][title*="1 cancelled"] .f-off`,
	} {
		doc := b.As(t, auth.RoleRoot, http.MethodGet, path, nil).Doc(t)
		if doc.Find(want).Length() == 0 {
			t.Errorf("%s has no %s: %s", path, want, consoletest.Fold(doc.Find("main").Text()))
		}
	}
	doc := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/runs/R0", nil).Doc(t)
	if doc.Find(".plot .mark-off").Length() != 1 || doc.Find(`.mark-bad, [data-testid="rerun-failed"]`).Length() != 0 {
		t.Error("the timeline draws a failure, or the page offers to run failed shards again")
	}
	chinese := func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") }
	zh := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/runs/R0", nil, chinese).Doc(t)
	if head := zh.Find("header").Text(); !strings.Contains(head, "已取消") || strings.Contains(head, "失败") {
		t.Errorf("in Chinese: %s", consoletest.Fold(head))
	}

	type runsOf struct {
		Rows []struct {
			ID, State                            string
			Shards, Succeeded, Failed, Cancelled int
		}
	}
	for state, want := range map[string]string{
		"cancelled": "[{R0 cancelled 2 1 0 1}]", "failed": "[{R1 failed 2 0 1 1}]", "success": "[]",
	} {
		var list runsOf
		b.Call(t, http.MethodGet, "/api/runs?state="+state, "").Into(t, &list)
		if got := fmt.Sprint(list.Rows); got != want {
			t.Errorf("%s: %s, want %s", state, got, want)
		}
	}
}
