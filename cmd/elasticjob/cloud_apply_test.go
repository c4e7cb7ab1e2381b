package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestCloudApplySendsDocuments of all files in their order, and prints what became of them.
func TestCloudApplySendsDocuments(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"dryRun":true,"documents":[{"kind":"app","name":"shelves","action":"created","fields":[]},{"kind":"job","name":"nightly","action":"changed","fields":["cron","memoryMB"],"warnings":["EMAIL needs a host."]}]}`)
	})
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	jobs := file("jobs.yaml", "---\n# A comment alone is no document.\n---\napiVersion: cloud.elasticjob.dev/v1\nkind: ElasticJob\nspec:\n  jobName: nightly\n  cron: 0 0 2 * * ?\n  shardingTotalCount: 3\n")
	app := file("app.json", `{"appName":"shelves","cpuCount":0.1,"env":{"WAREHOUSE":"Turin"}}`)
	stdout := d.cloud(t, cli.ExitOK, nil, "apply", jobs, app, "--dry-run")
	if got := strings.Join(strings.Fields(stdout), " "); got != "app shelves created job nightly changed cron, memoryMB nightly: EMAIL needs a host." {
		t.Errorf("printed %q", stdout)
	}
	const want = `{"documents":[{"apiVersion":"cloud.elasticjob.dev/v1","kind":"ElasticJob","spec":{"cron":"0 0 2 * * ?","jobName":"nightly","shardingTotalCount":3}},{"appName":"shelves","cpuCount":0.1,"env":{"WAREHOUSE":"Turin"}}],"dryRun":true}`
	asked := d.requests()
	if len(asked) != 1 || asked[0].URI != "/api/cloud/apply" || asked[0].Body != want {
		t.Errorf("asked %+v", asked)
	}
	for text, problem := range map[string]string{
		"":               "it has no document",
		"jobName: [":     "document 1: yaml: line 1",
		"- jobName: one": "document 1: yaml: unmarshal errors",
	} {
		d.cloud(t, cli.ExitFailure, []string{"wrong.yaml", problem, "docs/cloud.md"}, "apply", file("wrong.yaml", text))
	}
	d.cloud(t, cli.ExitFailure, []string{"nothing.yaml"}, "apply", filepath.Join(folder, "nothing.yaml"))
	if n := len(d.requests()); n != 1 {
		t.Errorf("%d requests for files that cannot be read", n-1)
	}
}
