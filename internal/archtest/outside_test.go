//go:build !race

package archtest

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// TestOutsidersOperateAJob builds examples/operator in a module of its own, where
// the toolchain refuses internal packages, and operates the job of an agent with
// it. So a user can name everything that such a program needs.
func TestOutsidersOperateAJob(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(root, "examples", "operator", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeModule(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "operator")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir, build.Env = dir, outside()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build outside the repository: %v\n%s", err, out)
	}

	server := coreagenttest.NewServer(t)
	ran := make(chan struct{}, 1)
	agent := serveInvoices(t, server, ran)
	var out, log bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run := exec.CommandContext(ctx, program, "--zookeeper", server.Addr(), "--namespace", "billing", "--job", "invoices", "--cron", "0 0 4 * * ?")
	run.Stdout, run.Stderr = &out, &log
	if err := run.Run(); err != nil {
		t.Fatalf("operate: %v\n%s%s", err, out.String(), log.String())
	}
	want := "The job is disabled: of its 1 server none is enabled. Enable the job.\ninvoices runs now on [10.0.0.1@-@7] and then at 0 0 4 * * ?\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	select {
	case <-ran:
	case <-ctx.Done():
		t.Error("the triggered job did not run")
	}
	if tree := server.Tree("/billing/invoices"); !strings.Contains(tree, "0 0 4 * * ?") || !strings.Contains(tree, "/servers/10.0.0.1 = ENABLED") {
		t.Errorf("no other schedule, or no enabled server, in\n%s", tree)
	}
	if err := agent.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// serveInvoices starts an agent with the job that is operated.
func serveInvoices(t *testing.T, server *coreagenttest.Server, ran chan<- struct{}) *coreagent.Agent {
	t.Helper()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "billing", ZooKeeper: server.ZooKeeper(), Address: "10.0.0.1", InstanceSuffix: "7", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	agent.HandleFunc(coreagent.Job{Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 0 3 1 1 ?"}, Shards: 1}, func(context.Context, *coreagent.Shard) error {
		select {
		case ran <- struct{}{}:
		default:
		}
		return nil
	})
	if err := agent.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = agent.Stop(context.Background()) }) // After a test that ended early; else it is stopped already.
	return agent
}

// outside is the environment of the go command in a module outside of the repository: what the
// repository is built with is there, compiled by the same flags, and nothing else is fetched.
func outside() []string {
	return append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOPROXY=off", "GOWORK=off")
}
