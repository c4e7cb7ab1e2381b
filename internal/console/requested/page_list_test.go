package requested

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestRequestedRunsAreFiltered by a form that works without a script: what is asked for is in
// the address, in the form and in the links of the states.
func TestRequestedRunsAreFiltered(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	list := app.RequestedPath("invoices")
	for query, want := range map[string]string{
		"":                               consoletest.SampleActive + " " + consoletest.SampleRequest + " " + consoletest.SampleEnded + " " + consoletest.SampleOld,
		"key=" + consoletest.SampleKey:   consoletest.SampleRequest,
		"key=" + consoletest.SampleEnded: consoletest.SampleEnded,
		"key=+" + consoletest.SampleOld:  consoletest.SampleOld,
		"origin=page&state=scheduled":    consoletest.SampleRequest,
		"origin=code&state=":             consoletest.SampleActive + " " + consoletest.SampleOld,
		"from=2026-11-21T11:00:00&to=2026-11-21T11:30": consoletest.SampleEnded,
		"key=nobody": "",
	} {
		r := b.As(t, auth.RoleGuest, http.MethodGet, list+"?"+query, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		doc := r.Doc(t)
		var got []string
		doc.Find(`[data-testid="requested-run"]`).Each(func(_ int, s *goquery.Selection) { got = append(got, s.AttrOr("data-row", "")) })
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
		asked, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		form := consoletest.Fields(t, r, "filter")
		form.Set("origin", doc.Find(`[data-testid="filter"] option[selected]`).AttrOr("value", ""))
		for _, name := range []string{"state", "key", "origin", "from", "to"} {
			given := strings.TrimSuffix(strings.TrimSpace(asked.Get(name)), ":00:00")
			if !strings.HasPrefix(form.Get(name), given) || given == "" && form.Get(name) != "" {
				t.Errorf("%s: the form has %q as %s", query, form.Get(name), name)
			}
		}
		if narrow := len(asked) > 0; narrow != (doc.Find(`[data-testid="filter-reset"]`).Length() == 1) {
			t.Errorf("%s: the filter can be cleared: %t", query, !narrow)
		}
		if href := doc.Find(`[data-testid="state-failed"]`).AttrOr("href", ""); !strings.Contains(href, "state=failed") || asked.Get("origin") != "" && !strings.Contains(href, "origin="+asked.Get("origin")) {
			t.Errorf("%s: the view of another state is %s", query, href)
		}
	}
	empty := b.As(t, auth.RoleGuest, http.MethodGet, list+"?key=nobody", nil, func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") })
	if got := empty.Text(t, "requested-empty"); !strings.Contains(got, "没有符合筛选条件的运行") || !strings.Contains(empty.Body, "键或 ID") {
		t.Errorf("in Chinese: %s", got)
	}
	if r := b.As(t, auth.RoleGuest, http.MethodGet, list+"?origin=moon", nil); !strings.Contains(r.Body, "moon") || r.Doc(t).Find(`[data-testid="requested-run"]`).Length() != 4 {
		t.Error("an origin that there is not is not ignored, or not said")
	}
}
