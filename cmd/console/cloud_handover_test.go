//go:build linux

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestW44HandOverOfDaemons: when the console that leads gets SIGTERM while another one waits, the
// processes of its DAEMON jobs end before the other's begin, also if they take their time. The
// last console leaves its processes to its successor.
func TestW44HandOverOfDaemons(t *testing.T) {
	t.Parallel()
	server := zkfake.New(zkfake.Options{TickTime: demoTick})
	registry, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	apps := t.TempDir()
	journal := filepath.Join(apps, "journal")
	// It ends a second after SIGTERM: a console that doesn't wait starts the next ones before.
	script := "#!/bin/sh\ntrap 'sleep 1; echo end >>" + journal + "; exit 0' TERM\necho begin >>" + journal + "\nwhile :; do sleep 0.05; done\n"
	if err := os.WriteFile(filepath.Join(apps, "feed.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	begun := func() (begin, end int) {
		text, err := os.ReadFile(journal)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.Count(string(text), "begin\n"), strings.Count(string(text), "end\n")
	}
	serve := func() (*clitest.Running, restClient) {
		p, site := startServe(t, "--zookeeper="+registry.String(), "--namespace=agents", "--cloud=local", "--allow-command-changes",
			"--cloud-local-apps="+apps, "--cloud-local-user="+strconv.Itoa(os.Geteuid()), "--cloud-local-cpu=2", "--cloud-local-memory=512")
		f := fleet{site: site}
		return p, f.signIn(t, "root")
	}
	first, root := serve()
	for _, step := range [][2]string{
		{"/api/cloud/apps", `{"appName":"feed","command":["feed.sh"],"cpuCount":0.05,"memoryMB":16}`},
		{"/api/cloud/jobs", `{"jobName":"feed","appName":"feed","jobExecutionType":"DAEMON","cron":"0/10 * * * * ?","shardingTotalCount":2,"cpuCount":0.05,"memoryMB":16}`},
	} {
		if status := root.call(t, http.MethodPost, step[0], json.RawMessage(step[1]), nil); status != http.StatusCreated {
			t.Errorf("%s: status %d", step[1], status)
		}
	}
	eventually(t, "both shards have a process", func() bool { n, _ := begun(); return n == 2 })
	second, root := serve()
	client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{registry.String()}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	namespace, err := jobtree.NewNamespace(zkstore.Namespace)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "two consoles stand for election", func() bool {
		names, _, err := client.Children(t.Context(), jobtree.NewCloud(namespace).Election())
		return err == nil && len(names) == 2
	})
	if code := first.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, first.Stderr.String())
	}
	if begin, end := begun(); end != 2 {
		t.Errorf("the first console has ended with %d of its processes, and %d have begun", end, begin)
	}
	eventually(t, "both shards have a process again", func() bool { n, _ := begun(); return n == 4 })
	text, err := os.ReadFile(journal)
	if want := strings.Repeat("begin\n", 2) + strings.Repeat("end\n", 2) + strings.Repeat("begin\n", 2); err != nil || string(text) != want {
		t.Errorf("processes began and ended so, %v:\n%s", err, text)
	}
	if status := root.call(t, http.MethodPost, "/api/cloud/jobs/feed/disable", nil, nil); status >= http.StatusBadRequest {
		t.Errorf("disable: status %d", status)
	}
	eventually(t, "all processes have ended", func() bool { _, n := begun(); return n == 4 })
	if code := second.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, second.Stderr.String())
	}
}
