package audit

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TestAuditSaysWhatWasDone: every route with recorded requests has a name in both languages, and
// each of the names belongs to a route.
func TestAuditSaysWhatWasDone(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	used := map[string]bool{}
	for _, r := range b.Console.Routes() {
		reads := r.Method == http.MethodGet && r.Path != app.OIDCCallback || strings.HasPrefix(r.Path, "/api/event-trace/") || strings.HasPrefix(r.Path, "/api/job/events/")
		if reads || r.Path == event.Path || r.Path == "/theme" || r.Path == app.LanguageRoute || r.Path == app.ZoneRoute {
			continue
		}
		for _, l := range i18n.Languages {
			words := query.ActionWords(r.Method+" "+r.Path, l)
			if words == "" {
				t.Errorf("%s %s has no words in %s", r.Method, r.Path, l.Name())
			}
			used[words] = true
		}
	}
	for _, known := range query.AuditActions() {
		if !used[known.Words(i18n.English)] {
			t.Errorf("%s is the end of no route", known.Action)
		}
	}
	if got := query.ActionWords("POST /jobs/:job/disable", i18n.Chinese); got != "禁用" {
		t.Errorf("disabling a job is %q", got)
	}
	if got := query.ActionWords("PATCH /unheard", i18n.English); got != "" {
		t.Errorf("an unknown request is %q", got)
	}
}
