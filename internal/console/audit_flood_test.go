package console

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

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// recorded are the records of the audit from one on.
func (b *bench) recorded(from int) []settings.Record {
	b.settings.mu.Lock()
	defer b.settings.mu.Unlock()
	return append([]settings.Record(nil), b.settings.records[from:]...)
}

// TestV19NothingChangedNothingRecorded: what anybody can do as often as he likes,
// and what changes nothing here, leaves no record.
func TestV19NothingChangedNothingRecorded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for range 50 {
		wantStatus(t, b.as(t, "", http.MethodPost, "/theme", url.Values{"theme": {"dark"}}), http.StatusSeeOther)
		wantStatus(t, b.as(t, "", http.MethodPost, "/logout", url.Values{}), http.StatusSeeOther)
	}
	if rows := b.recorded(0); len(rows) > 0 {
		t.Errorf("%d records, such as %+v", len(rows), rows[0])
	}
	wantStatus(t, b.as(t, auth.RoleGuest, http.MethodPost, "/logout", url.Values{}), http.StatusSeeOther)
	if rows := b.recorded(0); len(rows) != 1 || rows[0].User != "guest" {
		t.Errorf("signing out: %+v", rows)
	}
}

// TestV19RefusalsCannotFillTheAudit: from one address, from many, and from a
// guest, refusals are recorded up to a bound; what was left out is counted, and
// root's actions are recorded always.
func TestV19RefusalsCannotFillTheAudit(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(o *Options) {
		proxies, err := ParseProxies([]string{"127.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		o.Proxies = proxies
	})
	attack := func(n int, role auth.Role, address string) {
		for range n {
			b.as(t, role, http.MethodPost, "/api/jobs/invoices/trigger", nil, func(r *http.Request) { r.Header.Set("X-Forwarded-For", address) })
		}
	}
	attack(2*refusedBurst, "", "203.0.113.1")
	if rows := len(b.recorded(0)); rows != refusedBurst {
		t.Errorf("one address fills %d rows, want %d", rows, refusedBurst)
	}
	for i := range 10 {
		attack(refusedBurst, "", fmt.Sprintf("2001:db8:%d::1", i))
	}
	if rows := len(b.recorded(0)); rows != strangersBurst {
		t.Errorf("strangers fill %d rows, want %d", rows, strangersBurst)
	}
	attack(2*refusedBurst, auth.RoleGuest, "203.0.113.2")
	from := strangersBurst + refusedBurst
	if rows := len(b.recorded(0)); rows != from {
		t.Errorf("with a guest %d rows, want %d", rows, from)
	}
	attack(100, auth.RoleRoot, "203.0.113.3")
	if rows := len(b.recorded(from)); rows != 100 {
		t.Errorf("%d of 100 actions of root are on record", rows)
	}
	b.pass(strangersRefill)
	attack(1, "", "203.0.113.9")
	last := b.recorded(from + 100)
	// The guest's first record counted what strangers had left out until then.
	if len(last) != 1 || last[0].Detail != fmt.Sprintf("unrecorded_before=%d", refusedBurst) {
		t.Errorf("the last records are %+v", last)
	}
}

// TestV19ActionsThatCannotBeRecorded are refused, the readiness probe and a
// metric say so, and when the disk has room again a record says what is missing.
func TestV19ActionsThatCannotBeRecorded(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.settings.failAudit(errors.New("database or disk is full"))
	for _, r := range []reply{
		b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""),
		b.call(t, http.MethodPut, configRoute, `{"jobName":"invoices","cron":"0 0 1 * * ?"}`),
		b.as(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/disable", url.Values{}),
	} {
		wantStatus(t, r, http.StatusServiceUnavailable)
		if strings.Contains(r.body, "disk is full") || !strings.Contains(r.body, "was not carried out") {
			t.Errorf("%s: %s", r.Request.URL.Path, view.Clip(r.body, 400))
		}
	}
	if given := b.registry.given(); len(given) > 0 {
		t.Errorf("carried out without a record: %q", given)
	}
	var ready readyBody
	probe := b.as(t, "", http.MethodGet, "/readyz", nil)
	wantStatus(t, probe, http.StatusServiceUnavailable)
	if probe.into(t, &ready); ready.Checks["audit"].Status != "failed" || ready.Checks["settings"].Status != "ok" {
		t.Errorf("readiness %+v", ready)
	}
	metrics := httptest.NewRecorder()
	b.console.opts.Metrics.Handler(b.console.log).ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(metrics.Body)
	if err != nil || !strings.Contains(string(text), "elasticjob_console_audit_failures_total 4\n") {
		t.Errorf("metrics, %v:\n%s", err, text)
	}
	if n := strings.Count(b.log.String(), "disk is full"); n != 2 { // the record, and the request
		t.Errorf("the log says it %d times", n)
	}

	b.settings.failAudit(nil)
	b.pass(2 * readyFor)
	wantStatus(t, b.as(t, "", http.MethodGet, "/readyz", nil), http.StatusOK)
	if r := b.lastRecord(t); r.Action != "audit resumed" || r.Detail != "in_the_log_only=3" {
		t.Errorf("record %+v", r)
	}
	wantStatus(t, b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", ""), http.StatusOK)
}

// watchingOperator looks at the audit while it carries an action out.
type watchingOperator struct {
	*fakeRegistry
	audit *fakeSettings
	seen  []settings.Record
}

func (o *watchingOperator) look() {
	o.audit.mu.Lock()
	defer o.audit.mu.Unlock()
	o.seen = append(o.seen, o.audit.records...)
}

func (o *watchingOperator) Trigger(ctx context.Context, job string) (lifecycle.Outcome, error) {
	o.look()
	return o.fakeRegistry.Trigger(ctx, job)
}

func (o *watchingOperator) EditConfig(ctx context.Context, job, revision string, edit func(*jobtree.Config) error) (before, after lifecycle.StoredConfig, err error) {
	o.look()
	return o.fakeRegistry.EditConfig(ctx, job, revision, edit)
}

// TestV29IntentComesFirst: whoever kills the console while it changes something
// finds on record who wanted to change what.
func TestV29IntentComesFirst(t *testing.T) {
	t.Parallel()
	for _, action := range []struct {
		give   func(b *bench) reply
		target string
	}{
		{func(b *bench) reply { return b.call(t, http.MethodPost, "/api/jobs/invoices/trigger", "") }, "invoices"},
		{func(b *bench) reply {
			return b.as(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", url.Values{})
		}, "invoices"},
		{func(b *bench) reply {
			return b.call(t, http.MethodPut, configRoute, `{"jobName":"invoices","cron":"0 0 1 * * ?"}`)
		}, "invoices"},
		{func(b *bench) reply {
			return b.call(t, http.MethodPost, "/api/bulk", `{"order":"trigger","jobs":["invoices"],"preview":false}`)
		}, "invoices"},
	} {
		var operator *watchingOperator
		b := newBench(t, func(o *Options) {
			operator = &watchingOperator{fakeRegistry: o.Operator.(*fakeRegistry), audit: o.Settings.(*fakeSettings)}
			o.Operator = operator
		})
		if r := action.give(b); r.StatusCode >= 400 {
			t.Fatalf("%s: %d %s", r.Request.URL.Path, r.StatusCode, r.body)
		}
		if len(operator.seen) != 1 || operator.seen[0].Outcome != settings.OutcomeBegun || operator.seen[0].Target != action.target || operator.seen[0].User != "root" {
			t.Errorf("while it was carried out the audit had %+v", operator.seen)
		}
		if rows := b.recorded(0); len(rows) != 1 || rows[0].Outcome != "done" || rows[0].Status == 0 {
			t.Errorf("afterwards it has %+v", rows)
		}
	}
}

// TestV29OutageIsLoggedOnce: while ZooKeeper is away the log says so once, and
// then once a minute with the number of requests that failed.
func TestV29OutageIsLoggedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.down()
	for range 100 {
		wantStatus(t, b.call(t, http.MethodGet, "/api/jobs", ""), http.StatusServiceUnavailable)
		wantStatus(t, b.as(t, auth.RoleRoot, http.MethodGet, "/jobs", nil), http.StatusServiceUnavailable)
	}
	errorLines := func() (lines []string) {
		for line := range strings.Lines(b.log.String()) {
			if strings.Contains(line, "level=ERROR") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	if lines := errorLines(); len(lines) != 1 || !strings.Contains(lines[0], "ZooKeeper is unavailable") {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	b.pass(time.Minute)
	b.call(t, http.MethodGet, "/api/jobs", "")
	if lines := errorLines(); len(lines) != 2 || !strings.Contains(lines[1], "not_logged_before=199") {
		t.Errorf("a minute later: %q", lines)
	}
}
