package jobfile_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// starter has a file, and the configurations that Java's starter stored for it. The names of the
// other files are the jobs', with _ for a blank.
const starter = "testdata/starter-3.0.4"

// TestOneFileForJavaAndGo: for the same file our agent stores the same as Java's starter, job by
// job, in any spelling.
func TestOneFileForJavaAndGo(t *testing.T) {
	t.Parallel()
	file, err := jobfile.Options{Env: func(string) (string, bool) { return "", false }}.Load(filepath.Join(starter, "application.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if file.Config.Namespace != "shared-jobs" {
		t.Errorf("namespace %q", file.Config.Namespace)
	}
	server := coreagenttest.NewServer(t)
	config := file.Config
	config.ZooKeeper = server.ZooKeeper()
	agent, err := coreagent.New(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Add(agent, nil); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := agent.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := agent.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{server.Addr()}, Dial: server.Dial})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	namespace, err := jobtree.NewNamespace(config.Namespace)
	if err != nil {
		t.Fatal(err)
	}

	stored, err := filepath.Glob(filepath.Join(starter, "*.yaml"))
	if err != nil || len(stored) != 6 || len(file.Jobs) != len(stored) {
		t.Fatalf("%d jobs, and Java stored %d: %v", len(file.Jobs), len(stored), err)
	}
	for _, path := range stored {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		if name != "under_scores" {
			name = strings.ReplaceAll(name, "_", " ")
		}
		java, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ours, _, err := client.Get(ctx, namespace.Job(name).Config())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		sameConfig(t, java, ours, name)
	}
}

// sameConfig compares Java's stored configuration with ours.
func sameConfig(t *testing.T, java []byte, ours []byte, name string) {
	want, err := jobconfig.Decode(java)
	if err != nil {
		t.Fatal(err)
	}
	got, err := jobconfig.Decode(ours)
	if err != nil {
		t.Fatal(err)
	}
	// Zero and less both switch off the reconciler.
	got.ReconcileMinutes, want.ReconcileMinutes = max(got.ReconcileMinutes, 0), max(want.ReconcileMinutes, 0)
	if !got.Equal(want) {
		t.Errorf("%s: -Java +ours:\n%s", name, cmp.Diff(string(java), string(ours)))
	}
}
