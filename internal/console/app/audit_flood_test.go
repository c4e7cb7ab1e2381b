package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestV19NothingChangedNothingRecorded: what anybody can do as often as he likes,
// and what changes nothing here, leaves no record.
func TestV19NothingChangedNothingRecorded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for range 50 {
		consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/theme", url.Values{"theme": {"dark"}}), http.StatusSeeOther)
		consoletest.WantStatus(t, b.As(t, "", http.MethodPost, "/logout", url.Values{}), http.StatusSeeOther)
	}
	if rows := b.Recorded(0); len(rows) > 0 {
		t.Errorf("%d records, such as %+v", len(rows), rows[0])
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodPost, "/logout", url.Values{}), http.StatusSeeOther)
	if rows := b.Recorded(0); len(rows) != 1 || rows[0].User != "guest" {
		t.Errorf("signing out: %+v", rows)
	}
}

// TestV19RefusalsCannotFillTheAudit: from one address, from many, and from a
// guest, refusals are recorded up to a bound; what was left out is counted, and
// root's actions are recorded always.
func TestV19RefusalsCannotFillTheAudit(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) {
		proxies, err := app.ParseProxies([]string{"127.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		o.Proxies = proxies
	})
	attack := func(n int, role auth.Role, address string) {
		for range n {
			b.As(t, role, http.MethodPost, "/api/jobs/invoices/trigger", nil, func(r *http.Request) { r.Header.Set("X-Forwarded-For", address) })
		}
	}
	attack(2*app.RefusedBurst, "", "203.0.113.1")
	if rows := len(b.Recorded(0)); rows != app.RefusedBurst {
		t.Errorf("one address fills %d rows, want %d", rows, app.RefusedBurst)
	}
	for i := range 10 {
		attack(app.RefusedBurst, "", fmt.Sprintf("2001:db8:%d::1", i))
	}
	if rows := len(b.Recorded(0)); rows != app.StrangersBurst {
		t.Errorf("strangers fill %d rows, want %d", rows, app.StrangersBurst)
	}
	attack(2*app.RefusedBurst, auth.RoleGuest, "203.0.113.2")
	from := app.StrangersBurst + app.RefusedBurst
	if rows := len(b.Recorded(0)); rows != from {
		t.Errorf("with a guest %d rows, want %d", rows, from)
	}
	attack(100, auth.RoleRoot, "203.0.113.3")
	if rows := len(b.Recorded(from)); rows != 100 {
		t.Errorf("%d of 100 actions of root are on record", rows)
	}
	b.Pass(app.StrangersRefill)
	attack(1, "", "203.0.113.9")
	last := b.Recorded(from + 100)
	// The guest's first record counted what strangers had left out until then.
	if len(last) != 1 || last[0].Detail != fmt.Sprintf("unrecorded_before=%d", app.RefusedBurst) {
		t.Errorf("the last records are %+v", last)
	}
}

// TestV19ActionsThatCannotBeRecorded are refused, the readiness probe and a
// metric say so, and when the disk has room again a record says what is missing.
func TestV19ActionsThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.FailAudit(errors.New("database or disk is full"))
	for _, r := range []consoletest.Reply{
		b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""),
		b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"invoices","cron":"0 0 1 * * ?"}`),
		b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/disable", url.Values{}),
	} {
		consoletest.WantStatus(t, r, http.StatusServiceUnavailable)
		if strings.Contains(r.Body, "disk is full") || !strings.Contains(r.Body, "was not carried out") {
			t.Errorf("%s: %s", r.Request.URL.Path, view.Clip(r.Body, 400))
		}
	}
	if given := b.Registry.Given(); len(given) > 0 {
		t.Errorf("carried out without a record: %q", given)
	}
	var ready app.ReadyBody
	probe := b.As(t, "", http.MethodGet, "/readyz", nil)
	consoletest.WantStatus(t, probe, http.StatusOK)
	if probe.Into(t, &ready); ready.Status != "degraded" || ready.Checks["audit"].Status != "failed" || ready.Checks["settings"].Status != "ok" {
		t.Errorf("readiness %+v", ready)
	}
	metrics := httptest.NewRecorder()
	b.Console.Options().Metrics.Handler(b.Console.Log).ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(metrics.Body)
	if err != nil || !strings.Contains(string(text), "elasticjob_console_audit_failures_total 4\n") {
		t.Errorf("metrics, %v:\n%s", err, text)
	}
	if n := strings.Count(b.Log.String(), "disk is full"); n != 2 { // the record, and the request
		t.Errorf("the log says it %d times", n)
	}

	b.Settings.FailAudit(nil)
	b.Pass(2 * app.ReadyFor)
	consoletest.WantStatus(t, b.As(t, "", http.MethodGet, "/readyz", nil), http.StatusOK)
	if r := b.LastRecord(t); r.Action != "audit resumed" || r.Detail != "in_the_log_only=3" {
		t.Errorf("record %+v", r)
	}
	consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""), http.StatusOK)
}

// watchingOperator looks at the audit while it carries an action out.
type watchingOperator struct {
	*consoletest.FakeRegistry
	audit *consoletest.FakeSettings
	seen  []settings.Record
}

func (o *watchingOperator) look() {
	o.audit.Mu.Lock()
	defer o.audit.Mu.Unlock()
	o.seen = append(o.seen, o.audit.Written...)
}

func (o *watchingOperator) Trigger(ctx context.Context, job string) (lifecycle.Outcome, error) {
	o.look()
	return o.FakeRegistry.Trigger(ctx, job)
}

func (o *watchingOperator) EditConfig(ctx context.Context, job, revision string, edit func(*jobconfig.Config) error) (before, after lifecycle.StoredConfig, err error) {
	o.look()
	return o.FakeRegistry.EditConfig(ctx, job, revision, edit)
}

// TestV29IntentComesFirst: whoever kills the console while it changes something
// finds on record who wanted to change what.
func TestV29IntentComesFirst(t *testing.T) {
	t.Parallel()
	for _, action := range []struct {
		give   func(b *consoletest.Bench) consoletest.Reply
		target string
	}{
		{func(b *consoletest.Bench) consoletest.Reply {
			return b.Call(t, http.MethodPost, "/api/jobs/invoices/trigger", "")
		}, "invoices"},
		{func(b *consoletest.Bench) consoletest.Reply {
			return b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{})
		}, "invoices"},
		{func(b *consoletest.Bench) consoletest.Reply {
			return b.Call(t, http.MethodPut, "/api/jobs/config", `{"jobName":"invoices","cron":"0 0 1 * * ?"}`)
		}, "invoices"},
		{func(b *consoletest.Bench) consoletest.Reply {
			return b.Call(t, http.MethodPost, "/api/bulk", `{"order":"trigger","jobs":["invoices"],"preview":false}`)
		}, "invoices"},
	} {
		var operator *watchingOperator
		b := consoletest.New(t, func(o *app.Options) {
			operator = &watchingOperator{FakeRegistry: o.Operator.(*consoletest.FakeRegistry), audit: o.Settings.(*consoletest.FakeSettings)}
			o.Operator = operator
		})
		if r := action.give(b); r.StatusCode >= 400 {
			t.Fatalf("%s: %d %s", r.Request.URL.Path, r.StatusCode, r.Body)
		}
		if len(operator.seen) != 1 || operator.seen[0].Outcome != settings.OutcomeBegun || operator.seen[0].Target != action.target || operator.seen[0].User != "root" {
			t.Errorf("while it was carried out the audit had %+v", operator.seen)
		}
		if rows := b.Recorded(0); len(rows) != 1 || rows[0].Outcome != "done" || rows[0].Status == 0 {
			t.Errorf("afterwards it has %+v", rows)
		}
	}
}

// TestV29OutageIsLoggedOnce: while ZooKeeper is away the log says so once, and
// then once a minute with the number of requests that failed.
func TestV29OutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Down()
	for range 100 {
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/jobs", ""), http.StatusServiceUnavailable)
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/jobs", nil), http.StatusServiceUnavailable)
	}
	errorLines := func() (lines []string) {
		for line := range strings.Lines(b.Log.String()) {
			if strings.Contains(line, "level=ERROR") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if lines := errorLines(); len(lines) != 1 || !strings.Contains(lines[0], "ZooKeeper is unavailable") {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	b.Pass(time.Minute)
	b.Call(t, http.MethodGet, "/api/jobs", "")
	if lines := errorLines(); len(lines) != 2 || !strings.Contains(lines[1], "not_logged_before=199") {
		t.Errorf("a minute later: %q", lines)
	}
}
