//go:build kubernetes && linux

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestServeOnKubernetes: an application and a job that are entered by upstream's bodies run
// as pods of a cluster, with the rights of a scheduler and no more. Their rows are in the
// history, in SQLite and in MariaDB, their logs come through the console and into its page,
// and the resources are there for kubectl. Without the resources the console serves and says
// how they are installed.
func TestServeOnKubernetes(t *testing.T) {
	cluster, err := kubetest.StartChosen(t.Context(), t.TempDir(), t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	server := zkfake.New(zkfake.Options{TickTime: demoTick})
	registry, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}()
	database := storetest.StartMariaDB(t)
	for _, store := range []struct {
		name string
		args []string
	}{{"sqlite", nil}, {"mariadb", []string{"--dsn=" + database.DSN(database.NewDatabase(t))}}} {
		t.Run(store.name, func(t *testing.T) {
			if err := cluster.Namespace(t.Context(), store.name); err != nil {
				t.Fatal(err)
			}
			config, err := cluster.Kubeconfig(store.name)
			if err != nil {
				t.Fatal(err)
			}
			p, site := startServe(t, append(store.args, "--zookeeper="+registry.String(), "--namespace="+store.name, "--cloud=kubernetes", "--cloud-kubeconfig="+config)...)
			f := fleet{site: site}
			a := f.signIn(t, "root")
			becomesReady(t, a, cluster, store.args == nil)
			runsOnTheCluster(t, a, site)
			if code := p.Stop(); code != cli.ExitOK {
				t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
			}
		})
	}
}

// becomesReady: without the custom resources the console says how they are installed, and
// it schedules once they are.
func becomesReady(t *testing.T, a restClient, cluster *kubetest.Cluster, first bool) {
	t.Helper()
	var overview struct {
		Engine, Trouble string
		Leader, Synced  bool
	}
	if first {
		eventually(t, "the console says how the resources are installed", func() bool {
			a.call(t, http.MethodGet, "/api/cloud", nil, &overview)
			return overview.Engine == "kubernetes" && !overview.Synced && strings.Contains(overview.Trouble, installResources)
		})
		if err := cluster.Install(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the console schedules once they are", func() bool {
		overview.Trouble = ""
		a.call(t, http.MethodGet, "/api/cloud", nil, &overview)
		return overview.Leader && overview.Synced && overview.Trouble == ""
	})
}

// runsOnTheCluster has a job run two shards, and looks for its rows and its log.
func runsOnTheCluster(t *testing.T, a restClient, site string) {
	t.Helper()
	for _, step := range []struct{ path, body string }{
		{"/api/app", fmt.Sprintf(`{"appName":"shop","image":%q,"env":{"PLAY":%q},"cpuCount":0.05,"memoryMB":16.0}`, kubetest.PlayImage, kubetest.PlayWell)},
		{"/api/job/register", `{"appName":"shop","jobName":"settlement","jobExecutionType":"TRANSIENT","cron":"0/5 * * * * ?","shardingTotalCount":2,"shardingItemParameters":"0=A,1=B","cpuCount":0.05,"memoryMB":16.0,"failover":true,"misfire":true}`},
	} {
		if status := a.call(t, http.MethodPost, step.path, json.RawMessage(step.body), nil); status != http.StatusOK {
			t.Fatalf("%s: status %d", step.path, status)
		}
	}
	var runs []struct{ Name, State string }
	eventually(t, "a run has succeeded", func() bool {
		a.call(t, http.MethodGet, "/api/cloud/runs?state=succeeded&job=settlement", nil, &runs)
		return len(runs) > 0
	})
	var page struct{ Rows []struct{ Success bool } }
	eventually(t, "the rows of two shards are in the history", func() bool {
		a.call(t, http.MethodGet, "/api/event-trace/execution?jobName=settlement&isSuccess=true", nil, &page)
		return len(page.Rows) >= 2
	})
	var run struct{ Tasks []struct{ UID, Node string } }
	if a.call(t, http.MethodGet, "/api/cloud/runs/"+runs[0].Name, nil, &run); len(run.Tasks) != 2 || run.Tasks[0].Node == "" {
		t.Fatalf("tasks of %s: %+v", runs[0].Name, run.Tasks)
	}
	if text := a.text(t, "/api/cloud/tasks/"+run.Tasks[0].UID+"/log"); !strings.Contains(text, kubetest.LogLine) {
		t.Errorf("log %q", text)
	}
	tab := startBrowser(t)
	must(t, tab.Size(1440, 900), tab.SignIn(site, "root", "root"), tab.Open(site+"/cloud/runs/"+runs[0].Name), tab.Wait(`[data-testid="lane"]`))
	must(t, tab.Click(`[data-testid="lane"]:last-of-type`), tab.Wait(`[data-testid="log-text"]`))
	eventually(t, "the page has the log", func() bool {
		log, err := browser.Read[string](tab, `document.querySelector('[data-testid="log-text"]')?.innerText ?? ""`)
		must(t, err)
		return strings.Contains(log, kubetest.LogLine)
	})
}
