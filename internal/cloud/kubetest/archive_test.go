//go:build kubernetes

package kubetest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestCL30ArchiveRefused: the API server and the policies accept the console's pod with its init container. A
// refused archive fails its shard at once, even with failover, and the cause is the init container's message.
func TestCL30ArchiveRefused(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	namespace := fmt.Sprintf("test-%d", namespaces.Add(1))
	if err := cluster.Namespace(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	f := openAs(t, namespace, console(t, namespace), kube.Config{Policy: kube.Policy{Archives: kube.Archives{
		Hosts: archive.Hosts{"repo.example"}, FetchImage: "registry.example/elasticjob-console:1", RuntimeImage: "registry.example/runtime:1",
	}}}).watch()
	r := f.launch(plays("PLAY", kubetest.PlayWell, "PLAY_1", kubetest.PlayRefused), func(r *cloud.Run) {
		r.Job.Failover = true
		r.App.Image, r.App.BootstrapScript = "", "bin/start.sh"
		r.App.URL, r.App.SHA256 = "https://repo.example/shop.tar.gz", strings.Repeat("0a", 32)
	})
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "shards 1 failed" {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(0) + " " + f.states(1) + " " + f.states(2); got != "FINISHED FAILED FINISHED" {
		t.Errorf("states are %s: one attempt, want no other one", got)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, task := range f.tasks {
		if task.Shard == 1 && (task.State != tracing.StateFailed || !strings.HasSuffix(task.Message, "exit code 78 (Error): "+kubetest.RefusedLine) || !strings.HasPrefix(task.Message, "the archive was not fetched") || !task.Started.IsZero()) {
			t.Errorf("the cause is %+v", task)
		}
	}
}
