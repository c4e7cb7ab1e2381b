package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// configured is a command line against a console with two jobs in its registry.
type configured struct {
	t       *testing.T
	tree    *treetest.Bundle
	address string // of the console
	flags   []string
	folder  string
}

func configuredConsole(t *testing.T, more ...func(*app.Options)) *configured {
	t.Helper()
	registry := treetest.New(t, zktest.Fake(t).Addr)
	for _, job := range []string{"invoices", "orders"} {
		registry.Plant(t, consoletest.PlantedJob(job, fmt.Sprintf(consoletest.PlainConfig, job)))
	}
	b := consoletest.New(t, append(more, consoletest.OwnDatabase(t, storetest.SQLiteDSN(t)), func(o *app.Options) {
		o.Jobs, o.Operator = statistics.NewReader(registry.Registry()), lifecycle.NewOperator(registry.Registry())
	})...)
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("r00t-Canary-7"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &configured{t: t, tree: registry, address: b.URL, flags: []string{"--console=" + b.URL, "--user=root", "--password-file=" + password}, folder: filepath.Join(t.TempDir(), "jobs")}
}

// does runs `elasticjob config`, and wants an exit code and texts.
func (c *configured) does(code int, want []string, args ...string) string {
	c.t.Helper()
	return c.runs(noEnv, code, want, append([]string{"config"}, args...)...)
}

// runs runs a command, and wants an exit code and texts.
func (c *configured) runs(env cli.Lookup, code int, want []string, args ...string) string {
	c.t.Helper()
	p := start(c.t, env, append(args, c.flags...)...)
	got, said := p.Wait(), p.Stdout.String()+p.Stderr.String()
	if got != code {
		c.t.Errorf("%v: exit code %d, want %d:\n%s", args, got, code, said)
	}
	for _, text := range want {
		if !strings.Contains(said, text) {
			c.t.Errorf("%v: it did not print %q:\n%s", args, text, said)
		}
	}
	return said
}

// edit replaces a text in a file of the folder.
func (c *configured) edit(name, before, after string) {
	c.t.Helper()
	file := filepath.Join(c.folder, name)
	text, err := os.ReadFile(file)
	if err == nil && !strings.Contains(string(text), before) {
		err = fmt.Errorf("%s has no %q: %s", name, before, text)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(strings.Replace(string(text), before, after, 1)), 0o600)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *configured) add(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.folder, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// TestConfigAsCode: what export writes doesn't differ. A change, a new job and a job that no file
// declares are planned, applied, and gone at the second time.
func TestConfigAsCode(t *testing.T) {
	t.Parallel()
	c := configuredConsole(t)
	c.does(0, []string{"2 files"}, "export", c.folder)
	c.does(cli.ExitFailure, []string{"--overwrite"}, "export", c.folder)
	c.does(0, nil, "export", c.folder, "--overwrite")
	c.does(0, nil, "diff", c.folder)

	c.edit("invoices.yaml", "shardingTotalCount: 2", "shardingTotalCount: 5")
	c.add("new.yml", "elasticjob:\n  jobs:\n    reports: {elasticJobType: SCRIPT, shardingTotalCount: 2, cron: \"0 0 6 * * ?\"}\n")
	plan := []string{"change job invoices\n  shardingTotalCount: 2 → 5\n", "create job reports\n"}
	c.does(cli.ExitFailure, append(plan, "2 jobs not as declared"), "diff", c.folder)
	c.does(0, plan, "apply", c.folder, "--dry-run")
	c.does(cli.ExitFailure, nil, "diff", c.folder)
	c.does(0, append(plan, "2 jobs changed"), "apply", c.folder, "--reason=INC-1")
	if said := c.does(0, []string{"0 jobs changed"}, "apply", c.folder); strings.Contains(said, "change job") {
		t.Errorf("the second time: %s", said)
	}
	c.does(0, []string{"shardingTotalCount: 5"}, "get", "invoices")

	lines := strings.Split(strings.TrimSpace(c.does(0, []string{"REVISION", "root  INC-1"}, "history", "invoices")), "\n")
	first := strings.Fields(lines[len(lines)-1])[0]
	c.does(cli.ExitFailure, []string{"shardingTotalCount: 5 → 2", "nothing was changed"}, "rollback", "invoices", first)
	c.does(0, []string{"shardingTotalCount: 5 → 2", "has the configuration of revision " + first}, "rollback", "invoices", first, "--yes")
	c.does(0, []string{"already"}, "rollback", "invoices", first, "--yes")
	c.does(0, []string{"shardingTotalCount: 2"}, "get", "invoices")
	c.does(cli.ExitFailure, []string{"config history invoices"}, "rollback", "invoices", "nothing")
	c.does(0, []string{"change job invoices"}, "apply", c.folder)

	if err := os.Remove(filepath.Join(c.folder, "new.yml")); err != nil {
		t.Fatal(err)
	}
	c.does(0, nil, "diff", c.folder)
	c.does(cli.ExitFailure, []string{"remove job reports"}, "diff", c.folder, "--prune")
	c.does(cli.ExitFailure, []string{"Remove 1 job that no file declares? [yes/no]", "nothing was changed"}, "apply", c.folder, "--prune")
	c.does(0, []string{"1 job changed"}, "apply", c.folder, "--prune", "--yes")
	c.does(0, nil, "diff", c.folder, "--prune")
	c.does(cli.ExitUsage, []string{"--prune would remove all jobs"}, "apply", t.TempDir(), "--prune", "--yes")
}

// TestConfigMistakes: all mistakes are reported with file and line, and nothing is written.
func TestConfigMistakes(t *testing.T) {
	t.Parallel()
	c := configuredConsole(t)
	c.does(0, nil, "export", c.folder)
	c.edit("invoices.yaml", "shardingTotalCount: 2", "shardingTotalCount: 5")
	c.add("broken.yaml", "elasticjob:\n  jobs:\n   - [\n")
	c.add("other.yaml", "jobs: {}\n")
	c.add("typo.yaml", "elasticjob:\n  jobs:\n    a:\n      shardingTotalCount: 1\n      corn: x\n    orders: {shardingTotalCount: 1}\n    a/b: {}\n    c: {}\n    d: 7\n")
	if err := os.Symlink("/etc/hostname", filepath.Join(c.folder, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	c.does(cli.ExitUsage, []string{
		"/broken.yaml:", "/other.yaml:1: elasticjob.jobs is missing", `/typo.yaml:5: job "a": the key "corn" can't be stored; did you mean cron?`,
		`/typo.yaml:6: job "orders" is declared in`, `/typo.yaml:7: job "a/b"`, `/typo.yaml:8: job "c": shardingTotalCount is missing`, `/typo.yaml:9: job "d" is no object`,
		"/link.yaml:1: ", "path escapes", "Nothing was written",
	}, "apply", c.folder)
	for _, name := range []string{"broken.yaml", "other.yaml", "link.yaml"} {
		if err := os.Remove(filepath.Join(c.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	c.add("typo.yaml", "elasticjob:\n  jobs:\n    a:\n      shardingTotalCount: 1\n      cron: every day\n")
	c.edit("orders.yaml", "shardingTotalCount: 2", "shardingTotalCount: 0")
	c.does(cli.ExitFailure, []string{"/orders.yaml:", `job "orders": shardingTotalCount: "0": want`, "Nothing was written"}, "apply", c.folder)
	c.does(0, []string{"shardingTotalCount: 2"}, "get", "invoices")
	c.does(cli.ExitUsage, []string{"no such file"}, "diff", c.folder+"/nothing")
}

// TestTenThousandFiles: jobs that are as declared cost one request each, and no file stays open.
func TestTenThousandFiles(t *testing.T) {
	t.Parallel()
	const files = 10_000
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		fmt.Fprint(w, `{"cron":"0 0 3 * * ?","timeZone":"","shardingTotalCount":2,"shardingItemParameters":"","jobParameter":"","monitorExecution":true,"failover":false,"misfire":true,`+
			`"maxTimeDiffSeconds":-1,"reconcileIntervalMinutes":10,"jobShardingStrategyType":"","jobExecutorServiceHandlerType":"","jobErrorHandlerType":"","jobListenerTypes":[],"description":"",`+
			`"props":{"http.uri":"http://x"},"disabled":false,"overwrite":false,"staticSharding":false,"jobName":"`+strings.TrimPrefix(r.URL.Path, "/api/jobs/config/")+`"}`)
	})
	folder := t.TempDir()
	for i := range files {
		text := fmt.Sprintf("elasticjob: {jobs: {job-%05d: {cron: \"0 0 3 * * ?\", shardingTotalCount: 2, props: {http: {uri: \"http://x\"}}}}}\n", i)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.yaml", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.asks(t, 0, "", "config", "diff", folder)
	if n := len(d.requests()); n != files {
		t.Errorf("%d requests for %d files", n, files)
	}
}

// TestTokenExpiresDuringApply: apply stops, and prints how many jobs it changed.
func TestTokenExpiresDuringApply(t *testing.T) {
	t.Parallel()
	stored := 0
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/preview"):
			fmt.Fprint(w, `{"changed":["cron"],"revision":"1-a"}`)
		case r.Method == http.MethodPut && r.Header.Get("If-Match") == `"1-a"`:
			if stored++; stored == 1 {
				return
			}
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"code":"no_token","message":"The token has expired.","requestId":"r"}`)
		default:
			fmt.Fprint(w, `{}`)
		}
	})
	file := filepath.Join(t.TempDir(), "jobs.yaml")
	if err := os.WriteFile(file, []byte("elasticjob: {jobs: {a: {shardingTotalCount: 1}, b: {shardingTotalCount: 1}, c: {shardingTotalCount: 1}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said := d.asks(t, cli.ExitFailure, "", "config", "apply", file)
	for _, want := range []string{"1 job changed\n", `job "b": not signed in: The token has expired`, "Write a new token", "Run the command again"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, `job "c": `) {
		t.Error("it went on with the next job")
	}
}
