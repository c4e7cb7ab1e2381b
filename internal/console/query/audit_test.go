package query_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestAuditAddresses: what is asked of the audit comes back from its address.
func TestAuditAddresses(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)
	for _, address := range []string{
		"", "kind=all", "q=mail+503&kind=changes", "kind=sign-ins&last=7d", "action=POST+%2Ftrigger&kind=refused", "registry=prod&user=root",
		"outcome=forbidden&target=invoices", "from=2026-11-20T10%3A00&to=2026-11-20T11%3A00&cursor=a7",
	} {
		v, err := url.ParseQuery(address)
		if err != nil {
			t.Fatal(err)
		}
		asked, problems := query.ParseAudit(v, now, "local")
		if len(problems) > 0 {
			t.Errorf("%s: %q", address, problems.In(i18n.English))
		}
		again, _ := query.ParseAudit(query.AuditValues(asked), now, "local")
		if diff := cmp.Diff(asked, again); diff != "" {
			t.Errorf("%s (-first +again):\n%s", address, diff)
		}
	}
	asked, _ := query.ParseAudit(url.Values{"last": {"24h"}, "registry": {"local"}}, now, "local")
	if !asked.From.Equal(now.Add(-24*time.Hour)) || !asked.Here || asked.AuditFilter.Registry != "" {
		t.Errorf("the last day of the registry of the command line: %+v", asked)
	}
	_, problems := query.ParseAudit(url.Values{"kind": {"odd"}, "last": {"9w"}, "outcome": {"fine"}, "limit": {"x"}, "action": {"nonsense"}}, now, "local")
	if all := strings.Join(problems.In(i18n.English), "; "); len(problems) != 5 || !strings.Contains(all, "no action nonsense") || !strings.Contains(all, `kind "odd"`) || !strings.Contains(all, `last "9w"`) {
		t.Errorf("problems %q", all)
	}
}

// TestAuditActions: an action of the table stands for all with its words, one as it is
// recorded for itself.
func TestAuditActions(t *testing.T) {
	for name, want := range map[string][]settings.ActionLike{
		"POST /trigger":               {{Method: "POST", End: "/trigger"}, {Method: "POST", End: "/rerun"}},
		"POST /api/jobs/:job/trigger": {{Method: "POST", End: "/api/jobs/:job/trigger"}},
		"POST /login":                 {{Method: "POST", End: "/login"}, {Method: "GET", End: "/login/oidc/callback"}},
		"POST /unheard":               nil, "x": nil,
	} {
		asked, problems := query.ParseAudit(url.Values{"action": {name}, "kind": {"changes"}}, time.Now(), "local")
		if diff := cmp.Diff(want, asked.Actions); diff != "" || (want == nil) != (len(problems) == 1) || want != nil && asked.Except != nil {
			t.Errorf("%s: %s %q", name, diff, problems.In(i18n.English))
		}
	}
}
