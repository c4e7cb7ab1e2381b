package cloud

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/notices"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
)

// TestCloudApply: documents of both forms are created, changed and left alone, applications
// first; a dry run changes nothing, and neither do documents of which one is wrong.
func TestCloudApply(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.CommandChanges = true })
	const (
		job      = `{"apiVersion":"cloud.elasticjob.dev/v1","kind":"ElasticJob","metadata":{"name":"nightly"},"spec":{"jobName":"nightly","appName":"shelves","jobExecutionType":"TRANSIENT","cron":"0 0 2 * * ?","shardingTotalCount":3,"cpuCount":0.1,"memoryMB":16}}`
		app      = `{"appName":"shelves","command":["stocktake.sh"],"env":{"WAREHOUSE":"Turin"}}`
		created  = `{"kind":"app","name":"shelves","action":"created","fields":[]},{"kind":"job","name":"nightly","action":"created","fields":[]}`
		resource = `{"apiVersion":"cloud.elasticjob.dev/v1","kind":"ElasticJob"`
	)
	changed := strings.Replace(job, "0 0 2", "0 30 3", 1)
	changed = strings.Replace(changed, `"memoryMB":16`, `"memoryMB":32,"disabled":true`, 1)
	for i, step := range []struct {
		body   string
		status int
		want   string
	}{
		{`{"dryRun":true,"documents":[` + job + `,` + app + `]}`, 200, created},
		{`{"documents":[` + job + `,` + app + `]}`, 200, created}, // The dry run has made nothing.
		{`{"documents":[` + job + `,` + app + `]}`, 200, `"name":"shelves","action":"unchanged","fields":[]},{"kind":"job","name":"nightly","action":"unchanged"`},
		{`{"documents":[` + changed + `]}`, 200, `"action":"changed","fields":["cron","disabled","memoryMB"]`},
		{`{"documents":[{"appName":"shelves","command":["stocktake.sh"],"disabled":true}]}`, 200, `"action":"changed","fields":["disabled","env"]`},
		{`{"documents":[{"appName":"other","command":["x"]},{"jobName":"nightly","appName":"none"}]}`, 422, `documents[1].`},
		{`{"documents":[` + app + `,` + app + `]}`, 422, "each one once; document 1 has the same"},
		{`{"documents":[{"name":"x"}]}`, 422, "without it a document has jobName or appName"},
		{`{"documents":[` + resource + `,"spec":{"jobName":"x","cronn":"y"}}]}`, 422, "documents[0].cronn"},
		{`{"documents":[{"apiVersion":"batch/v1","kind":"Job","spec":{}}]}`, 422, "cloud.elasticjob.dev/v1"},
		{`{"documents":[` + resource + `}]}`, 422, "documents[0].spec"},
		{`{"documents":[` + strings.Replace(changed, "TRANSIENT", "DAEMON", 1) + `]}`, 200, `"fields":["jobExecutionType"]`}, // It is disabled.
		{`{"documents":[` + job + `]}`, 200, `"fields":["cron","disabled","jobExecutionType","memoryMB"]`},
	} {
		r := b.Call(t, http.MethodPost, "/api/cloud/apply", step.body)
		if got := strings.TrimSpace(r.Body); r.StatusCode != step.status || !strings.Contains(got, step.want) {
			t.Errorf("step %d: %d %s, want %d %s", i, r.StatusCode, got, step.status, step.want)
		}
	}
	d, _ := b.Cloud.Store.Definition("nightly")
	if d.Job.Cron != "0 0 2 * * ?" || d.Job.Disabled || d.Job.Type != cloud.TypeTransient {
		t.Errorf("the job is %+v", d.Job)
	}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/cloud/apps/other", nil); r.StatusCode != http.StatusNotFound {
		t.Errorf("an application was made beside a wrong job: %d", r.StatusCode)
	}
}

// TestCloudApplyHasItsOwnTime: many documents may take longer than what else is asked for.
func TestCloudApplyHasItsOwnTime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.CommandChanges, o.ReadTimeout, o.Settings = true, time.Nanosecond, nil })
	if r := b.Call(t, http.MethodPost, "/api/cloud/apply", `{"documents":[{"appName":"shelves","command":["stocktake.sh"]}]}`); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, `"action":"created"`) {
		t.Errorf("%d %s", r.StatusCode, r.Body)
	}
}

// TestCL31WarnsOfNobodyNotified: a job that asks for notifications which this console does not
// send is taken, and every answer says so; whoever only looks reads neither host nor secret.
func TestCL31WarnsOfNobodyNotified(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) {
		allow, err := outbound.Parse([]string{"mail.example.com"})
		if err != nil {
			t.Error(err)
		}
		o.Cloud.Unnotified = notices.New(notices.Config{Allow: allow}).Check
	})
	const (
		job     = `{"jobName":"nightly","appName":"billing","shardingTotalCount":1,"cpuCount":0.1,"memoryMB":16,"jobErrorHandlerType":"WECHAT","props":{"wechat.webhook":"https://chat.example.com/send?key=wechat-key-1"}}`
		warning = `"warnings":["chat.example.com:443 is not allowed. Add it to --cloud-notify-hosts of the console if jobs may send messages to it."]`
	)
	for _, step := range []struct{ method, path, body string }{
		{http.MethodPost, "/api/cloud/apply", `{"dryRun":true,"documents":[` + job + `]}`},
		{http.MethodPost, "/api/cloud/jobs", job},
		{http.MethodGet, "/api/cloud/jobs/nightly", ""},
	} {
		if r := b.Call(t, step.method, step.path, step.body); !strings.Contains(r.Body, warning) {
			t.Errorf("%s %s: %d %s", step.method, step.path, r.StatusCode, r.Body)
		}
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/api/cloud/jobs/nightly", nil)
	if !strings.Contains(guest.Body, `"warnings":["*** is not allowed`) || strings.Contains(guest.Body, "chat.example") || strings.Contains(guest.Body, "wechat-key-1") {
		t.Errorf("a guest reads %s", guest.Body)
	}
	if r := b.Call(t, http.MethodPut, "/api/cloud/jobs/nightly", `{"jobErrorHandlerType":"LOG"}`); strings.Contains(r.Body, "warnings") {
		t.Errorf("of LOG there is nothing to say: %s", r.Body)
	}
}
