//go:build linux

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// text is an answer that is no JSON.
func (a restClient) text(t *testing.T, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.site+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v: %s", path, resp.StatusCode, err, text)
	}
	return string(text)
}

// chat is what messages about failed runs are sent to.
type chat struct {
	*httptest.Server
	texts chan string
}

func newChat(t *testing.T) chat {
	t.Helper()
	c := chat{texts: make(chan string, 10)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.texts <- string(body)
	}))
	t.Cleanup(c.Close)
	return c
}

// heard waits for a message with some parts.
func (c chat) heard(t *testing.T, parts ...string) {
	t.Helper()
	select {
	case text := <-c.texts:
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s is not in %s", part, text)
			}
		}
	case <-time.After(waittest.Patience):
		t.Error("no notification was sent for the failed run")
	}
}

// TestServeWithCloud: with --cloud local a console for a real registry runs programs below a
// folder, and `elasticjob cloud` runs a job, waits for it and reads its log. No other program is
// started, and the failed run causes a notification (CL31).
func TestServeWithCloud(t *testing.T) {
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
	if err := os.WriteFile(filepath.Join(apps, "hello.sh"), []byte("#!/bin/sh\necho \"hello $ELASTICJOB_ITEM: $ELASTICJOB_RUN_PARAMETERS\"\n[ \"$ELASTICJOB_RUN_PARAMETERS\" != '{\"fail\":\"yes\"}' ]\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	chat := newChat(t)
	p, site := startServe(t, "--zookeeper="+registry.String(), "--namespace=agents", "--cloud=local", "--cloud-notify-hosts=127.0.0.1", "--allow-command-changes", "--cloud-local-apps="+apps, "--cloud-local-user="+strconv.Itoa(os.Geteuid()), "--cloud-local-cpu=2", "--cloud-local-memory=512")
	f := fleet{site: site}
	a := f.signIn(t, "root")
	for _, step := range []struct {
		path, body string
		want       int
	}{
		{"/api/cloud/apps", `{"appName":"hello","command":["hello.sh"],"cpuCount":0.05,"memoryMB":16}`, http.StatusCreated},
		{"/api/cloud/jobs", `{"jobName":"hello","appName":"hello","shardingTotalCount":2,"cpuCount":0.05,"memoryMB":16,"jobErrorHandlerType":"WEBHOOK","props":{"webhook.url":"` + chat.URL + `"}}`, http.StatusCreated},
		{"/api/cloud/apps", `{"appName":"outside","command":["/bin/ls"]}`, http.StatusCreated},
		{"/api/cloud/jobs", `{"jobName":"outside","appName":"outside","shardingTotalCount":1,"cpuCount":0.05,"memoryMB":16}`, http.StatusCreated},
	} {
		if status := a.call(t, http.MethodPost, step.path, json.RawMessage(step.body), nil); status != step.want {
			t.Errorf("%s: status %d, want %d", step.body, status, step.want)
		}
	}
	as := func(code int, args ...string) string {
		t.Helper()
		stdout, _ := f.elasticjob(t, "cloud", "root", code, args...)
		return stdout
	}
	run := strings.TrimSpace(as(cli.ExitOK, "trigger", "hello", "--param=month=2026-10", "--wait", "--timeout=1m"))
	if text := as(cli.ExitOK, "logs", run); !strings.Contains(text, `[1] hello 1: {"month":"2026-10"}`) {
		t.Errorf("logs:\n%s", text)
	}
	as(cli.ExitUsage, "logs", run, "--follow")
	if text := as(cli.ExitOK, "logs", run, "1", "--follow"); text != "hello 1: {\"month\":\"2026-10\"}\n" {
		t.Errorf("followed to the end:\n%s", text)
	}
	as(3, "trigger", "hello", "--param=fail=yes", "--wait", "--timeout=1m")
	chat.heard(t, `"jobName":"hello"`, `"failedCount":2`, "exit code 1")
	if text := as(cli.ExitOK, "runs", "hello", "--state=failed"); !strings.Contains(text, "manual") || strings.Contains(text, run) {
		t.Errorf("runs:\n%s", text)
	}
	as(cli.ExitOK, "trigger", "outside")
	eventually(t, "the program outside the folder is refused", func() bool {
		return strings.Contains(a.text(t, "/api/cloud/jobs/outside"), "only programs there may be started")
	})
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
}
