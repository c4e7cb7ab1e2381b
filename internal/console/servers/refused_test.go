package servers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestServerActionWithAForbiddenJob: ZooKeeper doesn't let the console touch one of a server's jobs. The action
// is carried out for the others, and the page, the API and the audit name the job that refused.
func TestServerActionWithAForbiddenJob(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		tree := treetest.New(t, srv.Addr)
		tree.Plant(t, consoletest.Plain("invoices")+consoletest.Plain("mail"))
		digest, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}, Digest: "user:pw"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := digest.Close(); err != nil {
				t.Error(err)
			}
		})
		(&treetest.Bundle{Client: digest, NS: tree.NS}).Plant(t, consoletest.Plain("payroll"))
		b := consoletest.New(t, func(o *app.Options) {
			o.Jobs, o.Operator = statistics.NewReader(tree.Registry()), lifecycle.NewOperator(tree.Registry())
		})
		r := b.Call(t, http.MethodPost, "/api/servers/10.0.0.1/disable", "")
		consoletest.WantStatus(t, r, http.StatusOK)
		for _, part := range []string{`"affected":["invoices","mail"]`, `"payroll"`, "not permitted by ZooKeeper"} {
			if !strings.Contains(r.Body, part) {
				t.Errorf("%s isn't in %s", part, r.Body)
			}
		}
		if got := b.LastRecord(t); got.Outcome != "done" || !strings.Contains(got.Detail, "affected=2 skipped=1 refused=1") {
			t.Errorf("the audit has %+v", got)
		}
		for language, words := range map[string]string{
			"en": "ZooKeeper does not let the console touch this job", "zh": "ZooKeeper 不允许控制台操作此作业",
		} {
			posted := b.As(t, auth.RoleRoot, http.MethodPost, "/servers/10.0.0.1/enable", url.Values{"confirm": {"yes"}}, func(r *http.Request) {
				r.Header.Set("Accept-Language", language)
			})
			consoletest.WantStatus(t, posted, http.StatusSeeOther)
			page := b.As(t, auth.RoleRoot, http.MethodGet, "/servers", nil, func(r *http.Request) {
				for _, cookie := range posted.Cookies() {
					r.AddCookie(cookie)
				}
			})
			if got := page.Text(t, "flash"); !strings.Contains(got, "payroll") || !strings.Contains(got, words) {
				t.Errorf("in %s the page says %q", language, got)
			}
		}
	})
}
