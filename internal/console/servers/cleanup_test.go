package servers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestCleanUpDeadServers: from the list of servers three clicks remove the entries of dead servers in
// every job: the button, the ticks as they are, the confirmation. A live server can't be ticked, a
// disabled server isn't ticked, and both stay.
func TestCleanUpDeadServers(t *testing.T) {
	tree := consoletest.Plain("invoices") + consoletest.Plain("mail")
	for _, job := range []string{"invoices", "mail"} {
		tree += fmt.Sprintf("%[1]s/servers/10.0.0.8 = ENABLED\n%[1]s/servers/10.0.0.9 = ENABLED\n", job)
	}
	tree += "mail/servers/10.0.0.7 = DISABLED\n"
	consoletest.EachTree(t, tree, func(t *testing.T, b consoletest.TreeBench) {
		list := b.As(t, auth.RoleRoot, http.MethodGet, "/servers", nil)
		if got := list.Doc(t).Find(`[data-testid="server"] input`).Length(); got != 3 {
			t.Errorf("%d servers can be ticked", got)
		}
		button := list.Doc(t).Find(`[data-testid="cleanup-all"]`)
		if got := consoletest.Words(button); got != "Clean up 3 offline servers…" {
			t.Errorf("button %q", got)
		}
		r := b.As(t, auth.RoleRoot, http.MethodGet, button.AttrOr("href", ""), nil)
		ticked := r.Doc(t).Find(`[data-testid="cleanup-row"] input[checked]`).Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") })
		if strings.Join(ticked, " ") != "10.0.0.8 10.0.0.9" || !strings.Contains(r.Text(t, "effects"), "have 4 entries") {
			t.Errorf("ticked %q; %s", ticked, r.Text(t, "effects"))
		}
		if got := r.Text(t, "curl"); strings.Count(got, "DELETE") != 2 || !strings.Contains(got, "/api/servers/10.0.0.8?offline=true") {
			t.Errorf("requests %q", got)
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/servers/cleanup", nil), http.StatusForbidden)
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/servers/cleanup", url.Values{"confirm": {"yes"}}), http.StatusUnprocessableEntity)

		// One has rejoined since the page was read: its entries stay.
		b.Tree.Plant(t, "invoices/instances/10.0.0.9@-@1 [E] = \"jobInstanceId: 10.0.0.9@-@1\\nserverIp: 10.0.0.9\\n\"\n")
		_, page := b.Follow(t, "/servers/cleanup", url.Values{"confirm": {"yes"}, "ip": ticked, "reason": {"old machines"}})
		if got := page.Text(t, "flash"); !strings.HasPrefix(got, "Removed 3 entries of 2 servers.") || !strings.Contains(got, "10.0.0.9: 1 entry kept") {
			t.Errorf("outcome %q", got)
		}
		if rec := b.LastRecord(t); rec.Target != "10.0.0.8, 10.0.0.9" || !strings.Contains(rec.Detail, "old machines") || !strings.Contains(rec.Detail, "affected=3 skipped=1") {
			t.Errorf("record %+v", rec)
		}
		var left []string
		for _, job := range []string{"invoices", "mail"} {
			for _, line := range strings.Split(b.Tree.Dump(t, job+"/servers"), "\n") {
				if strings.Contains(line, "10.0.0.7") || strings.Contains(line, "10.0.0.8") || strings.Contains(line, "10.0.0.9") {
					left = append(left, line)
				}
			}
		}
		if len(left) != 2 || !strings.Contains(left[0], "10.0.0.9") || !strings.Contains(left[1], "10.0.0.7") {
			t.Errorf("left are %q", left)
		}
		one := b.As(t, auth.RoleRoot, http.MethodGet, "/servers/cleanup?ip=10.0.0.7", nil)
		if got := one.Doc(t).Find(`[data-testid="cleanup-row"] input[checked]`).Length(); got != 1 || !strings.Contains(one.Text(t, "cleanup-row"), "disabled in 1 job") {
			t.Errorf("asked for by name: %d ticked, %q", got, one.Text(t, "cleanup-row"))
		}
		if got := b.As(t, auth.RoleRoot, http.MethodGet, "/servers/cleanup?ip=10.0.0.1", nil).Text(t, "cleanup-empty"); !strings.Contains(got, "No server is offline") {
			t.Errorf("a live server: %q", got)
		}
	})
}
