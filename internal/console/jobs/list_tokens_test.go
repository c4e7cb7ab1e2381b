package jobs

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestFiltersAreTakenOutOneByOne: each filter of the search is a link to the search without
// it, which keeps what else was chosen, but not the page.
func TestFiltersAreTakenOutOneByOne(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs?sort=name&page=2&q="+url.QueryEscape(`state:failing mail label:"night shift" colour:red`), nil).Doc(t)
	var got []string
	doc.Find(`[data-testid="tokens"] a`).Each(func(_ int, a *goquery.Selection) {
		u, err := url.Parse(a.AttrOr("href", ""))
		if err != nil || u.Query().Get("sort") != "name" || u.Query().Has("page") {
			t.Errorf("%q, %v", u, err)
		}
		got = append(got, a.Find(".mono").Text()+" > "+u.Query().Get("q")+" > "+a.AttrOr("aria-label", ""))
	})
	want := []string{
		`state:failing > mail label:"night shift" colour:red > Remove state:failing`,
		`label:"night shift" > state:failing mail colour:red > Remove label:"night shift"`,
		`colour:red > state:failing mail label:"night shift" > Remove colour:red`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs?q=mail", nil).Doc(t).Find(`[data-testid="tokens"]`).Length(); n != 0 {
		t.Error("a text alone is in the field")
	}
}
