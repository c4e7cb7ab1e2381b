package explain

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestExplainNamesTheShutdown: after an operator shut a job down, the first cause is the shutdown, with its
// user and time. Guests don't read the audit.
func TestExplainNamesTheShutdown(t *testing.T) {
	consoletest.EachTree(t, consoletest.PlantedJob("mail", fmt.Sprintf(consoletest.PlainConfig, "mail"))+`
		mail/instances/10.0.0.1@-@7 [E] = "jobInstanceId: 10.0.0.1@-@7\nserverIp: 10.0.0.1\n"
	`, func(t *testing.T, b consoletest.TreeBench) {
		const none = "No process serves the job"
		down := regexp.MustCompile(`The job was shut down at 2026-11-21 12:00:\d\d UTC, by root, and no process has registered since\.`).MatchString
		get := func(role auth.Role, change ...func(*http.Request)) string {
			return b.As(t, role, http.MethodGet, "/jobs/mail/explain", nil, change...).Text(t, "explanation")
		}
		consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/mail/shutdown", url.Values{"confirm": {"yes"}}), http.StatusSeeOther)
		if got := get(auth.RoleRoot); !down(got) || strings.Contains(got, none) {
			t.Errorf("an operator reads %q", got)
		}
		if got := get(auth.RoleGuest); down(got) || !strings.Contains(got, none) {
			t.Errorf("a guest reads %q", got)
		}
		if got := get(auth.RoleRoot, func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") }); !strings.Contains(got, "由 root 关闭") {
			t.Errorf("in Chinese: %q", got)
		}
		if got := b.Call(t, http.MethodGet, "/api/jobs/mail/explain", "").Body; !down(got) || !strings.Contains(got, "NO_INSTANCE") {
			t.Errorf("the API has %s", got)
		}
	})
}
