package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// ofProcesses is an engine without manifests.
type ofProcesses struct{ cloud.Engine }

// TestCloudManifest: the next run of each kind of job, by the name that it will have; guests
// see no values of variables, and an engine of processes has none.
func TestCloudManifest(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, body := range []string{
		`{"jobName":"asked","appName":"billing","shardingTotalCount":1}`,
		`{"jobName":"feed","appName":"billing","jobExecutionType":"DAEMON","cron":"0/5 * * * * ?","shardingTotalCount":2}`,
	} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, "/api/cloud/jobs", body), http.StatusCreated)
	}
	d, _ := b.Cloud.Store.Definition("invoices")
	for job, name := range map[string]string{
		"invoices": cloud.RunName("invoices", consoletest.Noon.AddDate(0, 0, 1).Truncate(24*60*60e9).Add(2*60*60e9)),
		"asked":    cloud.ManualRunName("asked", "manifest"), "feed": cloud.DaemonRunName("feed"),
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/cloud/jobs/"+job+"/manifest", nil)
		if r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Body, "name: "+name+"\n") || !strings.Contains(r.Body, consoletest.CloudSecret) {
			t.Errorf("%s: %d %s, want %s", job, r.StatusCode, r.Body, name)
		}
		if job == "invoices" && !strings.Contains(r.Body, "owner: "+d.UID+"\n") {
			t.Errorf("%s of another owner than %s", r.Body, d.UID)
		}
		guest := b.As(t, auth.RoleGuest, http.MethodGet, "/api/cloud/jobs/"+job+"/manifest", nil)
		if guest.StatusCode != http.StatusOK || strings.Contains(guest.Body, consoletest.CloudSecret) || !strings.Contains(guest.Body, "API_KEY:"+mask.Hidden) {
			t.Errorf("a guest gets %d %s", guest.StatusCode, guest.Body)
		}
	}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/cloud/jobs/none/manifest", nil); r.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown job: %d %s", r.StatusCode, r.Body)
	}
	at := b.Console.Options().Cloud
	at.Engine = ofProcesses{at.Engine}
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/cloud/jobs/invoices/manifest", nil); r.StatusCode != http.StatusNotImplemented || !strings.Contains(r.Body, "no_manifest") {
		t.Errorf("an engine of processes: %d %s", r.StatusCode, r.Body)
	}
}
