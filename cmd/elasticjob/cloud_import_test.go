package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestCloudImportReadsATree from this machine, sends it, prints what became of it, and fails
// if something was left out; each reason why it cannot be read is told apart.
func TestCloudImportReadsATree(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		name := strings.ReplaceAll(zktest.Namespace(t), "/", "-")
		ns, err := jobtree.NewNamespace(name)
		if err != nil {
			t.Fatal(err)
		}
		client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{srv.Addr}, Digest: "ops:secret", Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		at := jobtree.NewCloud(ns)
		for path, text := range map[string]string{
			at.App("shop"): "appName: shop\n", at.App("other"): "appName: other\n", at.Job("settle"): "appName: shop\n", at.Job("more"): "appName: other\n",
			at.DisabledJob("settle"): "settle",
		} {
			if _, err := client.CreateAll(t.Context(), path, []byte(text), zk.Persistent); err != nil {
				t.Fatal(err)
			}
		}
		d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"dryRun":true,"scheduler":true,"documents":[{"kind":"app","name":"shop","action":"refused","fields":[],"refused":[{"field":"appSHA256","value":"","want":"the sum"}],"reason":"x","notes":[]},`+
				`{"kind":"job","name":"settle","action":"changed","fields":["cron"],"refused":[],"notes":[{"field":"jobClass","value":"A","note":"it is kept"}]}]}`)
		})
		from := []string{"import", "--zookeeper", srv.Addr, "--namespace", name}
		stdout := d.cloud(t, cli.ExitFailure, []string{"1 of 2 are not what would be imported"}, append(from, "--digest", "ops:secret", "--app", "shop", "--dry-run", "--disabled")...)
		const want = "app shop refused job settle changed cron app shop: appSHA256: want the sum job settle: jobClass \"A\": it is kept A scheduler takes part in the election in the tree: stop it before jobs are enabled here."
		if got := strings.Join(strings.Fields(stdout), " "); got != want {
			t.Errorf("printed %q", got)
		}
		asked := d.requests()
		if len(asked) != 1 || asked[0].URI != "/api/cloud/import" {
			t.Fatalf("asked %+v", asked)
		}
		var sent api.CloudImportRequest
		if err := json.Unmarshal([]byte(asked[0].Body), &sent); err != nil {
			t.Fatal(err)
		}
		if sent.Tree == nil || sent.Tree.Size() != 2 || len(sent.Tree.DisabledJobs) != 1 || sent.Registry+sent.Namespace != "" || !sent.DryRun || !sent.Disabled || sent.Apps != nil {
			t.Errorf("sent %s", asked[0].Body)
		}
		none := append([]string{"import", "--zookeeper", srv.Addr, "--namespace", name + "-none"}, "--dry-run")
		d.cloud(t, cli.ExitFailure, []string{"no ElasticJob-Cloud tree", "zk_namespace"}, none...)
		d.cloud(t, cli.ExitFailure, []string{"denies access to the tree", "--digest-file"}, from...)
		d.cloud(t, cli.ExitFailure, []string{"chroot", "zk_namespace"}, "import", "--zookeeper", srv.Addr+"/no-such-node")
		d.cloud(t, cli.ExitUsage, []string{"no application none"}, append(from, "--digest", "ops:secret", "--app", "none")...)
		if n := len(d.requests()); n != 1 {
			t.Errorf("%d requests for trees that cannot be read", n-1)
		}
	})
}

// TestCloudImportOfARegistry has the console read the tree; nothing else is sent.
func TestCloudImportOfARegistry(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"documents":[]}`) })
	d.cloud(t, cli.ExitOK, nil, "import", "--registry", "old", "--namespace", "x", "--app", "shop")
	if asked := d.requests(); len(asked) != 1 || asked[0].Body != `{"registry":"old","namespace":"x","apps":["shop"]}` {
		t.Errorf("asked %+v", asked)
	}
	for problem, args := range map[string][]string{
		"the place of the tree is missing": {"import"},
		"are both given":                   {"import", "--registry", "old", "--zookeeper", "zk1:2181"},
		"--zookeeper: ":                    {"import", "--zookeeper", "zk1:x"},
		"--namespace: ":                    {"import", "--zookeeper", "zk1:2181", "--namespace", "/x"},
	} {
		d.cloud(t, cli.ExitUsage, []string{problem}, args...)
	}
}
