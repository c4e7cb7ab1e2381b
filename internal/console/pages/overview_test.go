package pages

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TestOverviewCards: the first page says how many jobs there are and need attention,
// what ended and what fires, who serves, and to operators what was changed.
func TestOverviewCards(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/disable", map[string][]string{})
	doc := b.As(t, auth.RoleRoot, http.MethodGet, "/", nil).Doc(t)
	if got := consoletest.Words(doc.Find(`[data-testid="summary"]`)); !strings.HasPrefix(got, "29 jobs.") || !strings.Contains(got, "need attention.") {
		t.Errorf("summary %q", got)
	}
	bars := doc.Find(`[data-testid="bars"]`)
	if bars.Length() != 2 || bars.Eq(0).Find(`rect[fill="url(#hatch)"]`).Length() != 2 || bars.Eq(0).Find(".f-bad").Length() != 1 {
		t.Errorf("%d charts; the results have %d gaps", bars.Length(), bars.Eq(0).Find(`rect[fill="url(#hatch)"]`).Length())
	}
	if label, _ := bars.Eq(1).Attr("aria-label"); !strings.HasPrefix(label, "Fires of the next 24 hours: ") || bars.Eq(1).Find("rect.hit").Length() != 96 {
		t.Errorf("fires: %q", label)
	}
	if boxes := doc.Find(".box"); boxes.Length() != 6 || doc.Find(".box-lost").Length() != 2 || doc.Find(".box-off").Length() != 1 {
		t.Errorf("%d boxes, %d offline, %d disabled", boxes.Length(), doc.Find(".box-lost").Length(), doc.Find(".box-off").Length())
	}
	if got := consoletest.Words(doc.Find(`[data-testid="registries"]`)); !strings.Contains(got, "shop/billing") || !strings.Contains(got, "29 jobs") {
		t.Errorf("registries %q", got)
	}
	if got := consoletest.Words(doc.Find(`[data-testid="happened"]`)); !strings.Contains(got, "root: Disabled invoices") {
		t.Errorf("changes %q", got)
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/", nil)
	if strings.Contains(guest.Body, "h-changes") || strings.Contains(guest.Body, "root:") {
		t.Error("a guest sees who changed what")
	}
	b.History.Err = http.ErrServerClosed
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/", nil), http.StatusOK)
}

// TestLostInstancesNeedAttention: an instance that left with what it was running is one
// line, with all of its jobs; one that left with nothing is none.
func TestLostInstancesNeedAttention(t *testing.T) {
	t.Parallel()
	at := consoletest.Noon.Add(-time.Minute)
	events := []members.Event{
		{At: at, Kind: members.Left, Job: "mail", Instance: "10.0.0.1@-@7", Shards: []int{1, 2}, Lost: []int{2}},
		{At: at, Kind: members.Left, Job: "ledger", Instance: "10.0.0.1@-@7", Shards: []int{0}},
		{At: at, Kind: members.Left, Job: "mail", Instance: "10.0.0.2@-@7", Shards: []int{3}},
		{At: at, Kind: members.Joined, Job: "mail", Instance: "10.0.0.3@-@7"},
	}
	departed := func(job string) []members.Departed {
		if job == "ledger" {
			return []members.Departed{{Instance: "10.0.0.1@-@7", At: at, Shards: []int{0}, Open: []int{0}}}
		}
		return nil
	}
	lines := lostLines(i18n.English, events, departed, consoletest.Noon)
	if len(lines) != 1 || lines[0].Name != "10.0.0.1@-@7" || lines[0].Reason != "it was running 1 shard; 1 shard waits for an owner" || lines[0].Jobs != "ledger, mail" {
		t.Errorf("%+v", lines)
	}
	if !slices.Contains([]string{"/jobs?q=server%3A10.0.0.1"}, lines[0].Href) {
		t.Errorf("leads to %q", lines[0].Href)
	}
}
