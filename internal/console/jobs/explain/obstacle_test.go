package explain

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestW86TheAgentsReason: an agent announces why it doesn't run its shard. The list, the job's head,
// Explain and the shard agree, in both languages, and the other shard waits for its next run.
func TestW86TheAgentsReason(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		bundle := treetest.New(t, srv.Addr)
		bundle.Plant(t, consoletest.TakingRuns("mail")+`
			mail/extension/refused/10.0.0.10@-@8 [E] = "{\"code\":\"EXECUTOR_UNKNOWN\",\"text\":\"no executor TURBO\"}"
		`)
		reader := statistics.NewReader(bundle.Registry())
		b := consoletest.New(t, func(o *app.Options) { o.Jobs = reader })
		inChinese := func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") }
		for words, change := range map[string]func(*http.Request){
			"10.0.0.10@-@8 can't run the job: no executor TURBO": func(*http.Request) {},
			"10.0.0.10@-@8 不运行该作业：no executor TURBO":             inChinese,
		} {
			for _, path := range []string{"/jobs/mail/explain", "/jobs/mail/shards"} {
				if page := b.As(t, auth.RoleGuest, http.MethodGet, path, nil, change); !strings.Contains(consoletest.Fold(page.Doc(t).Text()), words) {
					t.Errorf("%s doesn't say %s", path, words)
				}
			}
		}
		list := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil).Doc(t)
		if got := consoletest.Words(list.Find(`[data-testid="jobs"] tbody`)); !strings.Contains(got, "Runs in part") {
			t.Errorf("the list says %q", got)
		}
		shards := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/mail/shards", nil).Doc(t).Find(`[data-testid="shard-status"]`)
		if got := consoletest.Words(shards); got != "Doesn't run Idle" && got != "Idle Doesn't run" {
			t.Errorf("the shards are %q", got)
		}
	})
}

// TestABlockedJobHasNoNextFire: the list shows no next fire of a job that can't run.
func TestABlockedJobHasNoNextFire(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		bundle := treetest.New(t, srv.Addr)
		refused := func(id string) string {
			return `
			mail/extension/refused/` + id + ` [E] = "{\"code\":\"EXECUTOR_UNKNOWN\",\"text\":\"no executor TURBO\"}"
			`
		}
		bundle.Plant(t, consoletest.TakingRuns("mail")+refused("10.0.0.10@-@8"))
		b := consoletest.New(t, func(o *app.Options) { o.Jobs = statistics.NewReader(bundle.Registry()) })
		shown := func() *goquery.Selection {
			list := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs", nil)
			return list.Doc(t).Find(`[data-testid="jobs"] tbody`)
		}
		if row := shown(); row.Find(".next time").Length() != 1 {
			t.Errorf("a job that runs in part has no next fire: %q", consoletest.Words(row))
		}
		bundle.Plant(t, refused("10.0.0.1@-@7"))
		if row := shown(); row.Find(".next time").Length() != 0 || strings.Count(consoletest.Words(row), "Blocked") != 2 {
			t.Errorf("the row of the list is %q", consoletest.Words(row))
		}
	})
}
