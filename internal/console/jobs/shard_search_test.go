package jobs

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestSearchShards: of many shards those are listed that the address looks for, by
// number, range, parameter, instance and state; a state that there is not is a hint, and
// the parts of the search survive one another and the pages.
func TestSearchShards(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	consoletest.ManyShards(b)
	get := func(query string) consoletest.Reply {
		r := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards?"+query, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		return r
	}
	for asked, want := range map[string]string{
		"q=7": "1 shard found", "q=10-12": "3 shards found", "q=region-00": "10 shards found", "q=Region-999": "1 shard found",
		"q=10.2.0.15": "333 shards found", "state=running": "1 shard found", "state=lost": "1 shard found", "state=idle": "998 shards found",
		"state=idle&q=0-9": "8 shards found", "q=%20%2042%20": "1 shard found", "owner=10.2.0.15@-@918&q=0-999": "333 shards found",
	} {
		r := get(asked)
		if got := consoletest.Words(r.Doc(t).Find("#h-shards")); got != want+" Show all shards" {
			t.Errorf("%s: %q", asked, got)
		}
	}
	if r := get("q=nothing"); r.Text(t, "shards-none") == "" || r.Doc(t).Find(`[data-testid="shard"]`).Length() != 0 {
		t.Error("no match is not said")
	}
	bad := get("state=odd")
	if hint := bad.Text(t, "query-hint"); !strings.Contains(hint, `no state "odd"`) || !strings.Contains(hint, "failed-over") || bad.Doc(t).Find(`[data-testid="shard"]`).Length() != tableShards {
		t.Errorf("hint %q", hint)
	}
	page := get("order=number&owner=10.2.0.15@-@918&q=0-999&state=idle")
	form, chosen := consoletest.Fields(t, page, "shard-search"), page.Doc(t).Find(`[data-testid="shard-search"] option[selected]`).Text()
	if want := (url.Values{"order": {"number"}, "owner": {"10.2.0.15@-@918"}, "q": {"0-999"}, "state": {"idle"}}); form.Encode() != want.Encode() || chosen != "idle (998)" {
		t.Errorf("the form has %v, %q", form, chosen)
	}
	if next := get("q=region&page=2").Doc(t).Find(`a[rel="next"]`).AttrOr("href", ""); !strings.Contains(next, "q=region") || !strings.Contains(next, "page=3") {
		t.Errorf("the next page is at %q", next)
	}
	few := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/reindex/shards", nil)
	if few.Doc(t).Find(`[data-testid="shard-search"]`).Length() != 0 {
		t.Error("few shards are searched")
	}
}
