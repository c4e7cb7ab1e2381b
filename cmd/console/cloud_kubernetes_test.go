//go:build kubernetes

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestServeOnKubernetes: an application and a job that are entered by upstream's bodies run
// as pods of a cluster, with the rights of a scheduler and no more. Their rows are in the
// history, their logs come through the console, and the resources are there for kubectl.
// Without the resources the console serves and says how they are installed.
func TestServeOnKubernetes(t *testing.T) {
	cluster, err := kubetest.StartChosen(t.Context(), t.TempDir(), t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	const namespace = "jobs"
	if err := cluster.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
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
	p, site := startServe(t, "--zookeeper="+registry.String(), "--namespace=agents", "--cloud=kubernetes", "--allow-command-changes", "--cloud-kubeconfig="+kubeconfigOf(t, cluster, namespace))
	f := fleet{site: site}
	a := f.signIn(t, "root")
	becomesReady(t, a, cluster)
	for _, step := range []struct{ path, body string }{
		{"/api/app", fmt.Sprintf(`{"appName":"shop","image":%q,"env":{"PLAY":%q},"cpuCount":0.05,"memoryMB":16.0}`, kubetest.PlayImage, kubetest.PlayWell)},
		{"/api/job/register", `{"appName":"shop","jobName":"settlement","jobExecutionType":"TRANSIENT","cron":"0/5 * * * * ?","shardingTotalCount":2,"shardingItemParameters":"0=A,1=B","cpuCount":0.05,"memoryMB":16.0,"failover":true,"misfire":true}`},
	} {
		if status := a.call(t, http.MethodPost, step.path, json.RawMessage(step.body), nil); status != http.StatusOK {
			t.Fatalf("%s: status %d", step.path, status)
		}
	}
	runsOnTheCluster(t, a)
	if code := p.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, p.stderr.String())
	}
}

// kubeconfigOf is a file by which the scheduler of a namespace finds the cluster.
func kubeconfigOf(t *testing.T, cluster *kubetest.Cluster, namespace string) string {
	t.Helper()
	config := clientapi.NewConfig()
	config.Clusters["c"] = &clientapi.Cluster{Server: cluster.Scheduler.Host, CertificateAuthorityData: cluster.Scheduler.CAData}
	config.AuthInfos["u"] = &clientapi.AuthInfo{Token: cluster.Scheduler.BearerToken}
	config.Contexts["c"] = &clientapi.Context{Cluster: "c", AuthInfo: "u", Namespace: namespace}
	config.CurrentContext = "c"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// becomesReady: without the custom resources the console says how they are installed, and
// it schedules once they are.
func becomesReady(t *testing.T, a api, cluster *kubetest.Cluster) {
	t.Helper()
	var overview struct {
		Engine, Trouble string
		Leader, Synced  bool
	}
	eventually(t, time.Minute, "the console says how the resources are installed", func() bool {
		a.call(t, http.MethodGet, "/api/cloud", nil, &overview)
		return overview.Engine == "kubernetes" && !overview.Synced && strings.Contains(overview.Trouble, installResources)
	})
	if err := cluster.Install(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, "the console schedules once they are", func() bool {
		overview.Trouble = ""
		a.call(t, http.MethodGet, "/api/cloud", nil, &overview)
		return overview.Leader && overview.Synced && overview.Trouble == ""
	})
}

// runsOnTheCluster waits for a run of two shards, and looks for its rows and its log.
func runsOnTheCluster(t *testing.T, a api) {
	t.Helper()
	var runs []struct{ Name, State string }
	eventually(t, 2*time.Minute, "a run has succeeded", func() bool {
		a.call(t, http.MethodGet, "/api/cloud/runs?state=succeeded&job=settlement", nil, &runs)
		return len(runs) > 0
	})
	var page struct{ Rows []struct{ Success bool } }
	eventually(t, time.Minute, "the rows of two shards are in the history", func() bool {
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
}
