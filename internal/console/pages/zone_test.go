package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestZoneOfPages: times follow the reader's choice, UTC without one and without sense.
func TestZoneOfPages(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, c := range []struct{ chosen, kept, path, suffix string }{
		{"", "", "/jobs/invoices", " UTC"},
		{"Asia/Kathmandu", "Asia/Kathmandu", "/jobs/invoices", " +0545"},
		{"Asia/Shanghai", "Asia/Shanghai", "/jobs", " CST"},
		{"job", "job", "/jobs/settlement.daily", " GMT+08:00"},
		{"job", "job", "/jobs", " UTC"},
		{"UTC", "", "/jobs/invoices", " UTC"},
		{"Local", "", "/jobs/invoices", " UTC"},
		{"../../etc/passwd", "", "/jobs/invoices", " UTC"},
		{"Mars/" + strings.Repeat("x", 100), "", "/jobs/invoices", " UTC"},
	} {
		answer := b.As(t, "", http.MethodPost, app.ZoneRoute, url.Values{"zone": {c.chosen}, "return": {"/jobs?q=x"}})
		consoletest.WantStatus(t, answer, http.StatusSeeOther)
		kept := answer.Cookie(app.ZoneCookie)
		if kept.Value != c.kept || answer.Header.Get("Location") != "/jobs?q=x" {
			t.Errorf("%q: kept %q, back to %q", c.chosen, kept.Value, answer.Header.Get("Location"))
		}
		// The cookie may also be one that this console never set.
		doc := b.As(t, auth.RoleGuest, http.MethodGet, c.path, nil, func(r *http.Request) {
			r.AddCookie(&http.Cookie{Name: app.ZoneCookie, Value: c.chosen})
		}).Doc(t)
		times := 0
		for _, at := range doc.Find("time[title]").EachIter() {
			if title := at.AttrOr("title", ""); !strings.HasSuffix(title, c.suffix) {
				t.Errorf("%q: %s says %q, want %q", c.chosen, c.path, title, c.suffix)
			}
			times++
		}
		if times == 0 {
			t.Errorf("%s shows no time", c.path)
		}
		if pressed := doc.Find(`[data-testid="zone"] [aria-pressed="true"]`); pressed.AttrOr("value", "") != c.kept && (c.kept != "" || pressed.AttrOr("value", "") != "UTC") {
			t.Errorf("%q: the switch says %q", c.chosen, pressed.AttrOr("value", ""))
		}
	}
}
