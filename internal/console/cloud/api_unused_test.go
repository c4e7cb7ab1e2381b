package cloud

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestW39NamesUnusedFields: registering, reading, applying and importing a document name the same
// fields without an effect.
func TestW39NamesUnusedFields(t *testing.T) {
	t.Parallel()
	const (
		rest = `"appName":"billing","shardingTotalCount":1,"cpuCount":0.1,"memoryMB":16,"cron":"0 0 3 * * ?","jobExecutionType":"TRANSIENT","overwrite":true`
		old  = `"jobClass":"","jobType":"SCRIPT","scriptCommandLine":"bill.sh a","streamingProcess":false`
		want = "Kept, but without effect here: overwrite, streamingProcess."
	)
	b := consoletest.New(t)
	named := func(what, got string) {
		t.Helper()
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s", what, got)
		}
	}
	r := asUpstream(t, b, http.MethodPost, "/api/job/register", `{"jobName":"old",`+rest+`,`+old+`}`)
	if consoletest.WantStatus(t, r, http.StatusOK); strings.TrimSpace(r.Body) != "true" {
		t.Errorf("registered: %s", r.Body)
	}
	named("register", r.Header.Get("Warning"))
	named("update", asUpstream(t, b, http.MethodPut, "/api/job/update", `{"jobName":"old","jobParameter":"p"}`).Header.Get("Warning"))
	named("GET", b.Call(t, http.MethodGet, "/api/cloud/jobs/old", "").Body)
	compat := `"compat":{"jobClass":"","jobType":"SCRIPT","scriptCommandLine":"bill.sh","streamingProcess":"false"}`
	named("apply", b.Call(t, http.MethodPost, "/api/cloud/apply", `{"dryRun":true,"documents":[{"jobName":"new",`+rest+`,`+compat+`}]}`).Body)
	body := imports(t, b, map[string]any{"dryRun": true, "tree": zkstore.Tree{
		Apps: map[string]zkstore.TreeNode{"billing": {Document: `{"appName":"billing","bootstrapScript":"x.sh"}`}},
		Jobs: map[string]zkstore.TreeNode{"tree": {Document: `{` + rest + `,` + old + `}`}},
	}})
	var fields []string
	for _, n := range importedDocument(t, body, "tree").Notes {
		fields = append(fields, n.Field)
	}
	if got := strings.Join(fields, ", "); got != "overwrite, streamingProcess" {
		t.Errorf("import: %s", got)
	}
	app := asUpstream(t, b, http.MethodPost, "/api/app", strings.Replace(anUpstreamApp, `"foo"`, `"lone"`, 1))
	if got := app.Header.Get("Warning"); got != `299 - "Kept, but without effect here: appURL."` {
		t.Errorf("an application: %s", got)
	}
	bad := asUpstream(t, b, http.MethodPost, "/api/job/register", `{"jobName":"bad",`+rest+`,"props":{"script.command.line":"sh -c 'x"}}`)
	if bad.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(bad.Body, "props.script.command.line") || !strings.Contains(bad.Body, "unbalanced '") {
		t.Errorf("a line that can't be split: %d %s", bad.StatusCode, bad.Body)
	}
}
