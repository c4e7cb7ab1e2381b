package cloud

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// imports asks for an import of a tree and reads the answer.
func imports(t *testing.T, b *consoletest.Bench, request map[string]any) (body api.CloudImportAnswer) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	r := b.Call(t, http.MethodPost, "/api/cloud/import", string(text))
	consoletest.WantStatus(t, r, http.StatusOK)
	if err := json.Unmarshal([]byte(r.Body), &body); err != nil {
		t.Fatal(err)
	}
	return body
}

// actionsOf tells what became of what a tree has.
func actionsOf(body api.CloudImportAnswer) string {
	var words []string
	for _, d := range body.Documents {
		words = append(words, d.Name+" "+d.Action)
	}
	return strings.Join(words, ", ")
}

// importedDocument is what an answer says of one name.
func importedDocument(t *testing.T, body api.CloudImportAnswer, name string) api.CloudImported {
	t.Helper()
	i := slices.IndexFunc(body.Documents, func(d api.CloudImported) bool { return d.Name == name })
	if i < 0 {
		t.Fatalf("nothing is said of %s: %+v", name, body.Documents)
	}
	return body.Documents[i]
}

// treeOfTest has what upstream's trees have: what can be imported, what cannot, and what
// has no effect here.
func treeOfTest() zkstore.Tree {
	const small = "\ncpuCount: 0.1\nmemoryMB: 64.0\nshardingTotalCount: 2\njobExecutionType: TRANSIENT\ncron: 0 0 3 * * ?\n"
	return zkstore.Tree{
		Apps: map[string]zkstore.TreeNode{
			"local":  {Document: "appName: local\nappURL: file:///srv/local.tar.gz\nbootstrapScript: bin/start.sh\ncpuCount: 0.5\n"},
			"remote": {Document: "appName: remote\nappURL: http://repo.example/remote.tar.gz\nbootstrapScript: bin/start.sh\n"},
		},
		Jobs: map[string]zkstore.TreeNode{
			"fine":   {Document: "appName: local\njobExecutorServiceHandlerType: SINGLE_THREAD\njobShardingStrategyType: ODEVITY" + small},
			"off":    {Document: "appName: local" + small},
			"orphan": {Document: "appName: remote" + small},
			"odd":    {Document: `{"appName":"local","shardingTotalCount":0,"cpuCount":0,"memoryMB":64,"cron":"whenever"}`},
			"broken": {Document: "shardingTotalCount: many\n"},
			"big":    {Problem: "it has 300000 bytes; at most 262144 can be read"},
			"old":    {Document: `{"appName":"local","shardingTotalCount":1,"cpuCount":0.1,"memoryMB":1,"cron":"0 0 3 * * ?","jobClass":"org.example.Settle","jobProperties":{"a":"b"},"scriptCommandLine":"x.sh"}`},
		},
		DisabledJobs: []string{"off"},
	}
}

// TestCloudImport: what can be imported is, what cannot be is named with its fields and
// left out, and what has no effect here is named.
func TestCloudImport(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tree := treeOfTest()
	const want = "local created, remote refused, big refused, broken refused, fine created, odd refused, off created, old created, orphan refused"
	for _, dryRun := range []bool{true, false} {
		body := imports(t, b, map[string]any{"tree": tree, "dryRun": dryRun})
		if got := actionsOf(body); got != want || body.DryRun != dryRun {
			t.Fatalf("dry run %t: %s", dryRun, got)
		}
		for name, fields := range map[string]string{"remote": "appSHA256", "big": "document", "broken": "document", "odd": "cpuCount cron shardingTotalCount", "orphan": "appName"} {
			d := importedDocument(t, body, name)
			var refused []string
			for _, f := range d.Refused {
				refused = append(refused, f.Field)
			}
			slices.Sort(refused)
			if strings.Join(refused, " ") != fields || d.Reason == "" {
				t.Errorf("%s is refused for %v: %s", name, refused, d.Reason)
			}
		}
		for name, fields := range map[string]string{"local": "appURL", "fine": "jobShardingStrategyType jobExecutorServiceHandlerType", "off": "", "old": "jobProperties jobClass"} {
			var noted []string
			for _, n := range importedDocument(t, body, name).Notes {
				noted = append(noted, n.Field)
			}
			if strings.Join(noted, " ") != fields {
				t.Errorf("%s has notes about %v, want %s", name, noted, fields)
			}
		}
	}
	if d, _ := b.Cloud.Store.Definition("off"); !d.Job.Disabled || d.Job.Shards != 2 {
		t.Errorf("%+v", d.Job)
	}
	if d, _ := b.Cloud.Store.Definition("old"); d.Job.Disabled || d.Job.Compat["jobClass"] != "org.example.Settle" {
		t.Errorf("%+v", d.Job)
	}
	if got := actionsOf(imports(t, b, map[string]any{"tree": tree})); got != strings.ReplaceAll(want, "created", "unchanged") {
		t.Errorf("again: %s", got)
	}
}

// TestCloudImportKeepsWhatIsHere: an application that is here keeps what its processes are
// made of, and a job the fields that the tree does not know.
func TestCloudImportKeepsWhatIsHere(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, body := range map[string]string{
		"/api/cloud/apps": `{"appName":"remote","image":"registry.example/remote:1","command":["run"],"env":{"A":"b"}}`,
		"/api/cloud/jobs": `{"jobName":"invoices2","appName":"billing","shardingTotalCount":1,"timeZone":"Europe/Berlin","props":{"cloud.timeout":"30m","own":"gone"}}`,
	} {
		consoletest.WantStatus(t, b.Call(t, http.MethodPost, path, body), http.StatusCreated)
	}
	tree := treeOfTest()
	tree.Jobs["invoices2"] = zkstore.TreeNode{Document: `{"appName":"billing","shardingTotalCount":4,"cpuCount":0.1,"memoryMB":16,"props":{"theirs":"x"}}`}
	body := imports(t, b, map[string]any{"tree": tree, "apps": []string{"remote"}, "disabled": true})
	if got := actionsOf(body); got != "remote unchanged, big refused, broken refused, orphan created" {
		t.Errorf("%s", got)
	}
	if notes := importedDocument(t, body, "remote").Notes; len(notes) != 2 || notes[0].Field != "appURL" || notes[1].Field != "bootstrapScript" {
		t.Errorf("%+v", notes)
	}
	if d, _ := b.Cloud.Store.Definition("orphan"); !d.Job.Disabled {
		t.Error("the job was made enabled")
	}
	tree.Apps = nil
	imports(t, b, map[string]any{"tree": tree})
	d, _ := b.Cloud.Store.Definition("invoices2")
	if j := d.Job; j.Shards != 4 || j.TimeZone != "Europe/Berlin" || j.Props["cloud.timeout"] != "30m" || j.Props["theirs"] != "x" || j.Props["own"] != "" {
		t.Errorf("%+v", j)
	}
	application, err := b.Cloud.Store.ChangeApp(t.Context(), "remote", func(*cloud.App) error { return nil })
	if err != nil || application.Image != "registry.example/remote:1" || application.URL != "" || application.Env["A"] != "b" {
		t.Errorf("%+v, %v", application, err)
	}
}

// TestCloudImportBesideAScheduler: jobs that another scheduler fires are not enabled here as
// well, and a dry run says that there is one.
func TestCloudImportBesideAScheduler(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tree := consoletest.CloudTree()
	tree.Scheduler = true
	if body := imports(t, b, map[string]any{"tree": tree, "dryRun": true}); !body.Scheduler || actionsOf(body) != "shop created, settle created" {
		t.Errorf("%+v", body)
	}
	text, err := json.Marshal(map[string]any{"tree": tree})
	if err != nil {
		t.Fatal(err)
	}
	r := b.Call(t, http.MethodPost, "/api/cloud/import", string(text))
	consoletest.WantStatus(t, r, http.StatusConflict)
	if !strings.Contains(r.Body, "scheduler_alive") || !strings.Contains(r.Body, "settle") {
		t.Error(r.Body)
	}
	if _, made := b.Cloud.Store.Definition("settle"); made {
		t.Error("the job was made")
	}
	if body := imports(t, b, map[string]any{"tree": tree, "disabled": true}); actionsOf(body) != "shop created, settle created" {
		t.Errorf("%+v", body)
	}
}

// TestCloudImportAsks: what is asked for wrongly, and three reasons why a tree cannot be read.
func TestCloudImportAsks(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tree := func(err error) func() { return func() { b.Cloud.TreeErr.Store(&err) } }
	for _, c := range []struct {
		before func()
		body   string
		status int
		want   string
	}{
		{nil, `{}`, 422, `"field":"registry"`},
		{nil, `{"registry":"default"}`, 422, `"field":"namespace"`},
		{nil, `{"registry":"default","namespace":"/x"}`, 422, `"field":"namespace"`},
		{nil, `{"registry":"nowhere"}`, 404, "no_such_registry"},
		{nil, `{"registry":"billing","tree":{"apps":{},"jobs":{}}}`, 422, `"field":"tree"`},
		{nil, `{"zookeeper":"10.0.0.1:2181","namespace":"x"}`, 422, `"field":"registry"`},
		{nil, `{"registry":"billing","apps":["other"]}`, 422, "names of applications that the tree has"},
		{nil, `{"registry":"billing","dryRun":true}`, 200, `"name":"settle","action":"created"`},
		{tree(fmt.Errorf("%w: neither exists", zkstore.ErrNoTree)), `{"registry":"billing"}`, 404, "no_such_tree"},
		{tree(app.ErrNoSuchChroot), `{"registry":"billing"}`, 404, "no_such_tree"},
		{tree(zkstore.ErrTreeForbidden), `{"registry":"billing"}`, 403, "registry_forbidden"},
		{tree(errors.New("connection refused")), `{"registry":"billing"}`, 503, "registry_unavailable"},
		{tree(zkstore.ErrTreeTooLarge), `{"registry":"billing"}`, 422, "too large"},
	} {
		if c.before != nil {
			c.before()
		}
		if r := b.Call(t, http.MethodPost, "/api/cloud/import", c.body); r.StatusCode != c.status || !strings.Contains(r.Body, c.want) {
			t.Errorf("%s: %d %s, want %d %s", c.body, r.StatusCode, r.Body, c.status, c.want)
		}
	}
}
