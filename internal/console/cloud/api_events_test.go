package cloud

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// asProcess is the header of the process of a shard of the sample's job.
func asProcess(shard int) string {
	return "Authorization: Bearer " + cloudfake.Token("invoices", shard)
}

// reported is a run of the first shard that has ended, changed.
func reported(number int, change ...func(*event.Execution)) event.Execution {
	ended := consoletest.Noon.Add(-time.Second)
	e := event.Execution{
		ID: fmt.Sprintf("2b0f62d4-4f0a-4c1e-9c49-%012d", number), TaskID: "invoices@-@0@-@READY@-@node@-@uid-9", Host: "node", IP: "10.0.0.1",
		Scheduled: consoletest.Noon.Add(-7 * time.Second), Started: consoletest.Noon.Add(-6 * time.Second), Ended: &ended,
	}
	for _, ch := range change {
		ch(&e)
	}
	return e
}

func reportText(list ...event.Execution) string {
	text, err := json.Marshal(event.Report{Executions: list})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func manyReported(n int) (list []event.Execution) {
	for i := range n {
		list = append(list, reported(i))
	}
	return list
}

// TestCloudReports: what a process reports becomes one row of the history, however often it
// comes, and nothing of the audit.
func TestCloudReports(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	begun := reported(1, func(e *event.Execution) { e.Ended = nil })
	failed := reported(2, func(e *event.Execution) { e.Cause = "no stock" })
	for _, body := range []string{reportText(begun), reportText(begun, failed), reportText(reported(1), failed), reportText(reported(1)), reportText(begun), reportText(), "{}"} {
		r := b.Call(t, http.MethodPost, event.Path, body, asProcess(0))
		consoletest.WantStatus(t, r, http.StatusAccepted)
		if r.Body != "" || len(r.Cookies()) > 0 {
			t.Errorf("answered with %q and cookies %v", r.Body, r.Cookies())
		}
	}
	rows := b.Cloud.Rows()
	if len(rows) != 2 {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	for _, row := range rows {
		want := tracing.Execution{
			ID: row.ID, JobName: "invoices", TaskID: failed.TaskID, Hostname: "node", IP: "10.0.0.1", Source: tracing.SourceNormal, Trigger: tracing.TriggerSchedule,
			StartTime: failed.Started, CompleteTime: *failed.Ended, Success: row.FailureCause == "", FailureCause: row.FailureCause,
			RunID: fmt.Sprintf("cloud-%d", failed.Scheduled.Unix()), Attempt: 1, ScheduledAt: failed.Scheduled,
		}
		if row != want || row.Running() || len(row.ID) > 40 {
			t.Errorf("row %+v, want %+v", row, want)
		}
	}
	if rows[0].Success == rows[1].Success {
		t.Errorf("rows %+v", rows)
	}
	if len(b.Settings.Written) != 0 {
		t.Errorf("the audit has %+v", b.Settings.Written)
	}
	// Another job's process, and that of another shard, reports the same id: a row of its own.
	for _, token := range []string{cloudfake.Token("invoices", 1), cloudfake.Token("feed", 0)} {
		job, shard := "invoices", 1
		if strings.HasSuffix(token, "feed") {
			job, shard = "feed", 0
		}
		other := reported(1, func(e *event.Execution) {
			e.Item, e.TaskID = shard, fmt.Sprintf("%s@-@%d@-@READY@-@node@-@uid-9", job, shard)
		})
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, reportText(other), "Authorization: Bearer "+token), http.StatusAccepted)
	}
	// The process of a job whose processes share its shards may report of each.
	shared := reported(1, func(e *event.Execution) { e.Item, e.TaskID = 7, "invoices@-@6,7@-@READY@-@10.0.0.1@-@invoices-0" })
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, reportText(shared), asProcess(cloud.AnyShard)), http.StatusAccepted)
	for _, change := range []func(*event.Execution){
		func(e *event.Execution) { e.Item = -1 }, func(e *event.Execution) { e.Item = cloud.MaxShards },
		func(e *event.Execution) { e.TaskID = "other@-@7@-@READY@-@10.0.0.1@-@invoices-0" },
	} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, reportText(reported(1, change)), asProcess(cloud.AnyShard)), http.StatusForbidden)
	}
	if rows := b.Cloud.Rows(); len(rows) != 5 {
		t.Errorf("%d rows: %+v", len(rows), rows)
	}
}

// refusedReport is a report of which nothing may be taken, with the status and a part of the
// answer. Without a body it is a right one, without a header that of the first shard.
type refusedReport struct {
	body, header string
	status       int
	want         string
}

// refusedReports are attacks and mistakes.
func refusedReports(session string) map[string]refusedReport {
	with := func(change func(*event.Execution)) string { return reportText(reported(1), reported(2, change)) }
	late := consoletest.Noon.Add(-7 * time.Second)
	list := map[string]refusedReport{
		"no token":               {header: "Authorization: ", status: 401, want: "token_missing"},
		"a blank token":          {header: "Authorization: Bearer  ", status: 401, want: "token_missing"},
		"another scheme":         {header: "Authorization: Basic " + cloudfake.Token("invoices", 0), status: 401, want: "token_missing"},
		"the token of a session": {header: "Authorization: Bearer " + session, status: 401, want: "token_invalid"},
		"a token that is none":   {header: "Authorization: Bearer secret", status: 401, want: "token_invalid"},
		"a token of another job": {header: "Authorization: Bearer " + cloudfake.Token("feed", 0), status: 403, want: "executions[0].taskId"},
		"of another shard":       {header: asProcess(1), status: 403, want: "executions[0].item"},
		"another shard among":    {body: with(func(e *event.Execution) { e.Item = 1 }), status: 403, want: "executions[1].item"},
		"a negative shard":       {body: with(func(e *event.Execution) { e.Item = -1 }), status: 403, want: "executions[1].item"},
		"another job's task":     {body: with(func(e *event.Execution) { e.TaskID = "feed@-@0@-@READY@-@node@-@uid" }), status: 403, want: "executions[1].taskId"},
		"another shard's task":   {body: with(func(e *event.Execution) { e.TaskID = "invoices@-@1@-@READY@-@node@-@uid" }), status: 403, want: "executions[1].taskId"},
		"no body":                {body: " ", status: 400, want: "malformed"},
		"no JSON":                {body: "executions", status: 400, want: "malformed"},
		"a list":                 {body: "[]", status: 400, want: "malformed"},
		"two values":             {body: "{}{}", status: 400, want: "more than one"},
		"a number as id":         {body: `{"executions":[{"id":7}]}`, status: 400, want: "malformed"},
		"half a shard":           {body: `{"executions":[{"item":1.5}]}`, status: 400, want: "malformed"},
		"nothing said":           {body: `{"executions":[{}]}`, status: 400, want: "executions[0].startTime"},
	}
	maps.Copy(list, refusedValues(with, late))
	return list
}

// refusedValues are reports with values that cannot be.
func refusedValues(with func(func(*event.Execution)) string, late time.Time) map[string]refusedReport {
	return map[string]refusedReport{
		"no UUID":                 {body: with(func(e *event.Execution) { e.ID = "1' OR '1'='1" }), status: 400, want: "executions[1].id"},
		"a long id":               {body: with(func(e *event.Execution) { e.ID += "0" }), status: 400, want: "executions[1].id"},
		"no task":                 {body: with(func(e *event.Execution) { e.TaskID = "" }), status: 400, want: "executions[1].taskId"},
		"four parts":              {body: with(func(e *event.Execution) { e.TaskID = "invoices@-@0@-@READY@-@node" }), status: 400, want: "executions[1].taskId"},
		"a long task":             {body: with(func(e *event.Execution) { e.TaskID += strings.Repeat("x", 255) }), status: 400, want: "executions[1].taskId"},
		"a long host":             {body: with(func(e *event.Execution) { e.Host = strings.Repeat("x", 256) }), status: 400, want: "executions[1].hostname"},
		"a long address":          {body: with(func(e *event.Execution) { e.IP = strings.Repeat("1", 51) }), status: 400, want: "executions[1].ip"},
		"a long cause":            {body: with(func(e *event.Execution) { e.Cause = strings.Repeat("x", event.MaxCause+1) }), status: 400, want: "executions[1].failureCause"},
		"a cause before the end":  {body: with(func(e *event.Execution) { e.Ended, e.Cause = nil, "x" }), status: 400, want: "executions[1].failureCause"},
		"ended before it began":   {body: with(func(e *event.Execution) { e.Ended = &late }), status: 400, want: "executions[1].completeTime"},
		"fired in another year":   {body: with(func(e *event.Execution) { e.Scheduled = e.Scheduled.AddDate(-1, 0, 0) }), status: 400, want: "executions[1].scheduledAt"},
		"begins tomorrow":         {body: with(func(e *event.Execution) { e.Started = e.Started.AddDate(0, 0, 1) }), status: 400, want: "executions[1].startTime"},
		"no time":                 {body: strings.Replace(reportText(reported(1)), "2026-11-21T12:00:01Z", "noon", 1), status: 400, want: "executions[0].startTime"},
		"too many":                {body: reportText(manyReported(event.MaxExecutions + 1)...), status: 413, want: "more than 500 executions"},
		"too large":               {body: `{"x":"` + strings.Repeat("x", event.MaxBytes) + `"}`, status: 413, want: "too_large"},
		"deep":                    {body: strings.Repeat(`{"executions":[`, 15_000), status: 400, want: "malformed"},
		"another site's browser":  {header: "Sec-Fetch-Site: cross-site", status: 403, want: "cross_origin"},
		"a reader's query string": {body: reportText(manyReported(499)...)[:1000], status: 400, want: "malformed"},
	}
}

// TestCloudReportsRefused: nothing of a report is taken that is not wholly right.
func TestCloudReportsRefused(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for name, c := range refusedReports(b.Token(t, auth.RoleRoot, auth.ForAPI)) {
		if c.body == "" {
			c.body = reportText(reported(1))
		}
		if c.header == "" {
			c.header = asProcess(0)
		}
		r := b.Call(t, http.MethodPost, event.Path, c.body, c.header)
		if r.StatusCode != c.status || !strings.Contains(r.Body, c.want) {
			t.Errorf("%s: status %d, want %d, and %s: %s", name, r.StatusCode, c.status, c.want, r.Body)
		}
	}
	if rows := b.Cloud.Rows(); len(rows) != 0 {
		t.Errorf("rows %+v", rows)
	}
	if len(b.Settings.Written) != 0 {
		t.Errorf("the audit has %+v", b.Settings.Written)
	}
	if r := b.Call(t, http.MethodGet, event.Path, "", asProcess(0)); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: status %d", r.StatusCode)
	}
	// Other addresses do not know such a token.
	consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/cloud/jobs", "", asProcess(0)), http.StatusUnauthorized)
	// The cookie of a page is none either.
	r := b.As(t, "", http.MethodPost, event.Path, nil, func(r *http.Request) {
		r.AddCookie(&http.Cookie{Name: "elasticjob_session", Value: b.Token(t, auth.RoleRoot, auth.ForPages)})
	})
	consoletest.WantStatus(t, r, http.StatusUnauthorized)
}

// TestCloudReportsBounded: a job that reports too much is asked to wait, and others are not.
func TestCloudReportsBounded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	full := reportText(manyReported(event.MaxExecutions)...)
	for range eventBurst / event.MaxExecutions {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, full, asProcess(0)), http.StatusAccepted)
	}
	r := b.Call(t, http.MethodPost, event.Path, full, asProcess(0))
	consoletest.WantStatus(t, r, http.StatusTooManyRequests)
	if r.Header.Get("Retry-After") != "5" || !strings.Contains(r.Body, "eventTraceSamplingCount") {
		t.Errorf("Retry-After %q: %s", r.Header.Get("Retry-After"), r.Body)
	}
	// An empty one is bounded as well, and so is another shard of the job.
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, "{}", asProcess(1)), http.StatusTooManyRequests)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, "{}", "Authorization: Bearer "+cloudfake.Token("feed", 0)), http.StatusAccepted)
	b.Pass(5 * time.Second)
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, event.Path, full, asProcess(0)), http.StatusAccepted)
	// A database that is away is no reason to drop anything.
	b.Pass(time.Minute)
	away := error(&app.Problem{Kind: app.KindUnavailable, Code: "database_unavailable", Message: "away", Retry: 5})
	b.Cloud.RecordErr.Store(&away)
	r = b.Call(t, http.MethodPost, event.Path, full, asProcess(0))
	consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
	if r.Header.Get("Retry-After") != "5" {
		t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
	}
}
