package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// TestFillFromLastRun: a link fills the fields in as the newest run with parameters was
// requested, and nothing else; without one the form says so.
func TestFillFromLastRun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	form := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil)
	link := form.Doc(t).Find(`[data-testid="fill-last"]`).AttrOr("href", "")
	filled := b.As(t, auth.RoleRoot, http.MethodGet, link, nil)
	consoletest.WantStatus(t, filled, http.StatusOK)
	if !strings.HasPrefix(filled.Text(t, "request-filled"), "Parameters Filled in as run ") {
		t.Errorf("%q", filled.Text(t, "request-filled"))
	}
	if fields := fieldsOf(t, filled, "request-form"); fields.Get("p.month") == "" && fields.Get("params") == "" || fields.Get("again") != "" || fields.Get("note") != "" {
		t.Errorf("filled in: %v", fields)
	}
	none := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/settlement.daily/run?fill=last", nil)
	if got := none.Text(t, "request-filled"); !strings.Contains(got, "No requested run with parameters is kept.") {
		t.Errorf("without a run: %q", got)
	}
}

// TestChipsOfAList: the values of a list that are chosen have boxes, which make the same
// list; one that they cannot say is shown as JSON.
func TestChipsOfAList(t *testing.T) {
	t.Parallel()
	schema, err := runparams.Parse([]byte(`{"type":"object","properties":{"cities":{"type":"array","items":{"type":"string","enum":["Munich","Paris","Oslo"]},"default":["Paris"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	f := newParamForm(schema)
	if chips := chipsOf(f.fields[0], f.fresh.Get("p.cities")); len(chips) != 3 || chips[0].Selected || !chips[1].Selected {
		t.Errorf("fresh: %+v", chips)
	}
	for _, c := range []struct {
		sent []string
		want string
	}{{[]string{"Munich", "Oslo"}, `{"cities":["Munich","Oslo"]}`}, {nil, `{"cities":[]}`}, {[]string{"Paris"}, `{"cities":["Paris"]}`}} {
		if params, broken := f.build(f.keep(url.Values{"p.cities": c.sent})); string(params) != c.want || len(broken) > 0 {
			t.Errorf("%q make %s", c.sent, params)
		}
	}
	for params, want := range map[string]bool{`{"cities":["Munich","Oslo"]}`: true, `{}`: true, `{"cities":["Oslo","Munich"]}`: false, `{"cities":["Oslo","Oslo"]}`: false, `{"cities":["Rome"]}`: false} {
		if typed, fits := f.fill([]byte(params)); fits != want {
			t.Errorf("%s fits: %v (%q)", params, fits, typed.Get("p.cities"))
		}
	}
}
