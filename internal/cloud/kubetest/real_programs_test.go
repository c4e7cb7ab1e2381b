//go:build kubernetes

package kubetest_test

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// The programs' images, with cloudrun as the entry point and without.
const (
	sdkImage     = "registry.example/sdk:1"
	wrapperImage = "registry.example/wrapper:1"
)

// built builds one of our programs, which needs nothing else in an image.
func built(t *testing.T, name, pkg string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "github.com/elasticjob-go/elasticjob/"+pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func programs(t *testing.T) {
	t.Helper()
	sdk := built(t, "program", "coreagent/cloudjob/testdata/program")
	text, err := os.ReadFile(sdk)
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.Image(t.Context(), sdkImage, sdk, nil); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Image(t.Context(), wrapperImage, built(t, "cloudrun", "cmd/cloudrun"), map[string][]byte{"/bin/program": text}); err != nil {
		t.Fatal(err)
	}
}

// log returns the log of a task.
func (f *fixture) log(task cloud.TaskRef) string {
	f.Helper()
	log, err := f.Logs(f.Context(), task, cloud.LogOptions{})
	if err != nil {
		f.Fatal(err)
	}
	defer log.Close()
	text, err := io.ReadAll(log)
	if err != nil {
		f.Fatal(err)
	}
	return string(text)
}

// TestRealPrograms runs programs of package cloudjob in pods of a node, alone and behind cloudrun:
// their environment, their output, how they end and why.
func TestRealPrograms(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	programs(t)
	for name, app := range map[string]cloud.App{"the program": {Image: sdkImage}, "behind cloudrun": {Image: wrapperImage, Args: []string{"--", "/bin/program"}}} {
		for word, want := range map[string]struct{ state, log, cause string }{
			"print":     {"FINISHED", `"item":1,"job":"settlement","jobParameter":"p","parameter":"Turin"`, ""},
			"fail":      {"FAILED", "the ledger of Turin is closed", "exit code 1 (Error): "},
			"permanent": {"FAILED", "no such month", "exit code 78 (Error): "},
		} {
			t.Run(name+"/"+word, func(t *testing.T) {
				t.Parallel()
				f := watched(t)
				r := f.launch(func(r *cloud.Run) {
					r.App.Image, r.App.Args = app.Image, slices.Concat(app.Args, []string{word})
					r.Job.Shards, r.Job.ShardParameters, r.Job.Parameter, r.Shards = 3, "1=Turin", "p", []int{1}
				})
				f.ended(patience, r.Name)
				if got := f.states(1); got != want.state {
					t.Errorf("states are %s", got)
				}
				f.mu.Lock()
				defer f.mu.Unlock()
				for _, task := range f.tasks {
					if text := f.log(task.TaskRef); !strings.Contains(text, want.log) || strings.Contains(text, "geheim") {
						t.Errorf("its log is %q; want %q", text, want.log)
					}
					if !strings.HasPrefix(task.Message, want.cause) || want.cause != "" && !strings.Contains(task.Message, want.log) {
						t.Errorf("the cause is %q; want %q with %q", task.Message, want.cause, want.log)
					}
				}
			})
		}
	}
}

// TestRealSharedShards: two pods of a program of package cloudjob share the shards of a DAEMON job
// by a ZooKeeper. One of them is ended. Its shards get another process at once, and both share them
// again when the pod is back.
func TestRealSharedShards(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	programs(t)
	server := zkfake.New(zkfake.Options{})
	defer server.Close()
	address, err := server.Listen("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(address.String())
	if err != nil {
		t.Fatal(err)
	}
	namespace := emptyNamespace(t)
	f := openAs(t, namespace, console(t, namespace), kube.Config{
		Registry: kube.Registry{Servers: net.JoinHostPort(kubetest.Gateway, port), Namespace: "shop"},
	}).watch()
	share := func(d *cloud.Daemon) {
		d.App.Image, d.App.Args, d.Job.Cron, d.Job.Shards, d.Count = sdkImage, []string{"print"}, "* * * * * ?", 4, 2
		d.Job.Props = map[string]string{cloud.PropDaemon: cloud.DaemonRegistry, cloud.PropProcesses: "2"}
	}
	f.keep(share)
	shards := func(task cloud.Task) (count int) {
		text := f.log(task.TaskRef)
		at := strings.LastIndex(text, `"at":`) // The newest fire time, with a line of each shard.
		if at < 0 {
			return 0
		}
		fire, _, _ := strings.Cut(text[at:], ",")
		return strings.Count(text, fire)
	}
	two := f.working(2)
	eventually(t, patience, "two processes share the shards", func() bool { return shards(two[0]) == 2 && shards(two[1]) == 2 })
	if err := f.End(t.Context(), feed, two[0].Shard, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, "the other one has had them all", func() bool {
		return strings.Contains(f.log(two[1].TaskRef), "moved=2 instances=1") || shards(two[1]) == 4
	})
	f.history(two[0].Shard, "KILLED RUNNING")
	two = f.working(2)
	eventually(t, patience, "two share them again", func() bool { return shards(two[0]) == 2 && shards(two[1]) == 2 })
	f.keep(share, none)
	f.until(patience, "the run has ended", func() bool { return len(f.runs) == 0 })
}
