//go:build interop

package interop

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// cloudJava is the example of a job for ElasticJob-Cloud.
var cloudJava = javaagent.Program{Dir: filepath.Join("..", "examples", "cloud-java")}

// startJavaScript is what an application names, below the folder of programs.
const startJavaScript = "cloud-java/bin/start.sh"

// installCloudJava puts the example into a folder of programs.
func installCloudJava(t *testing.T, apps string) {
	t.Helper()
	for from, to := range map[string]string{"bin": "bin", filepath.Join("target", "lib"): "lib"} {
		if err := os.CopyFS(filepath.Join(apps, "cloud-java", to), os.DirFS(filepath.Join(cloudJava.Dir, from))); err != nil {
			t.Fatal(err)
		}
	}
}

// cloudBench is a console whose local engine runs the example.
type cloudBench struct {
	*fleet
	*site
	apps string
}

func (b *cloudBench) register(job, body string, app ...string) {
	b.fleet.t.Helper()
	b.ask(http.MethodPost, "/api/cloud/apps", nil, map[string]any{"appName": job, "command": app, "cpuCount": 0.1, "memoryMB": 64}, http.StatusCreated, nil)
	text := fmt.Sprintf(`{"appName":%q,"jobName":%q,"cpuCount":0.1,"memoryMB":64.0,"failover":false,"misfire":false,"props":{},%s}`, job, job, body)
	b.ask(http.MethodPost, "/api/job/register", nil, raw(text), http.StatusOK, nil)
}

// raw is JSON as it is.
type raw string

// MarshalJSON implements json.Marshaler.
func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// cloudRun is what the tests look at of a run.
type cloudRun struct {
	Name, State, Message string
	Tasks                []struct {
		UID, State, Message string
		ShardingItem        int
	}
}

// trigger has a job run, with upstream's request, and returns its first run.
func (b *cloudBench) trigger(job string) string {
	b.fleet.t.Helper()
	b.ask(http.MethodPost, "/api/job/trigger", nil, job, http.StatusOK, nil)
	var runs []cloudRun
	b.until(patience, func(context.Context) error {
		if b.ask(http.MethodGet, "/api/cloud/runs?job="+job, nil, nil, http.StatusOK, &runs); len(runs) == 0 {
			return errors.New(job + " has no run")
		}
		return nil
	})
	return runs[0].Name
}

// look returns a run once it is in a state.
func (b *cloudBench) look(run, state string) (found cloudRun) {
	b.fleet.t.Helper()
	b.until(patience, func(context.Context) error {
		if b.ask(http.MethodGet, "/api/cloud/runs/"+run, nil, nil, http.StatusOK, &found); found.State != state {
			return fmt.Errorf("run %s is not %s: %+v", run, state, found)
		}
		return nil
	})
	return found
}

// written is the log of the last attempt at a shard.
func (b *cloudBench) written(run string, shard int) string {
	b.fleet.t.Helper()
	var found cloudRun
	b.ask(http.MethodGet, "/api/cloud/runs/"+run, nil, nil, http.StatusOK, &found)
	for _, task := range found.Tasks {
		if task.ShardingItem == shard {
			if status, _, text := b.call(http.MethodGet, "/api/cloud/tasks/"+task.UID+"/log", nil, nil); status == http.StatusOK {
				return string(text)
			}
		}
	}
	return ""
}

// end removes a job, and with it the processes that are there.
func (b *cloudBench) end(job string) {
	b.fleet.t.Helper()
	b.ask(http.MethodDelete, "/api/job/"+job+"/deregister", nil, nil, http.StatusOK, nil)
	b.until(patience, func(context.Context) error {
		var runs []cloudRun
		b.ask(http.MethodGet, "/api/cloud/runs?state=running&job="+job, nil, nil, http.StatusOK, &runs)
		if len(runs) > 0 {
			return fmt.Errorf("%s still runs: %+v", job, runs)
		}
		return nil
	})
}

// TestAJavaJobOfTheCloud runs the example examples/cloud-java, whose job class was written
// for ElasticJob, on the local engine of a real console: by the commands of its README, with
// a failure, to its end by SIGTERM, and fired by cloudrun as a DAEMON.
func TestAJavaJobOfTheCloud(t *testing.T) {
	t.Parallel()
	// The namespace of ElasticJob-Cloud has one name: no other test may have it.
	f := newFleetAt(t, newest, place{addr: zktest.StartZooKeeper(t).Addr()})
	b := &cloudBench{fleet: f, apps: t.TempDir()}
	b.site = f.startConsole("--cloud=local", "--allow-command-changes", "--cloud-local-apps="+b.apps, "--cloud-local-user="+strconv.Itoa(os.Geteuid()), "--cloud-local-cpu=8", "--cloud-local-memory=4096")
	f.processes[0].mayComplain = true // Causes of failures have names of exceptions.
	installCloudJava(t, b.apps)
	b.readme(t)
	b.fails(t)
	b.killed(t)
	b.daemon(t)
}

func (b *cloudBench) readme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(cloudJava.Dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, part := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, closed := strings.Cut(part, "```")
		if !closed {
			t.Fatal("a block of commands has no end")
		}
		script.WriteString(block)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-eu", "-c", script.String())
	cmd.Dir, cmd.Env = cloudJava.Dir, append(os.Environ(), "CONSOLE="+b.url, "APPS="+b.apps, "no_proxy=*")
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"settling 上海: shard 1 of 2\n", "上海: invoice 3\n", "上海 is settled: 3 invoices\n"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("the README's commands (%v) did not print %q:\n%s", err, want, out)
		}
	}
	var runs []cloudRun
	b.ask(http.MethodGet, "/api/cloud/runs?state=succeeded&job=settlement", nil, nil, http.StatusOK, &runs)
	if log := b.written(runs[0].Name, 0); !strings.Contains(log, "settling Beijing: shard 0 of 2\n") {
		t.Errorf("the first shard wrote\n%s", log)
	}
	b.row("settlement", true, "")
}

func (b *cloudBench) fails(t *testing.T) {
	b.register("fails", `"jobExecutionType":"TRANSIENT","shardingTotalCount":2,"shardingItemParameters":"0=Turin","jobParameter":"1"`,
		startJavaScript, "elasticjob.cloud.Main", "shop.SettlementJob")
	run := b.look(b.trigger("fails"), "failed")
	const cause = "job fails, shard 1: java.lang.IllegalStateException: shard 1 has no region"
	if log := strings.TrimSpace(b.written(run.Name, 1)); !strings.HasSuffix(log, "\n"+cause) || !strings.Contains(log, "at shop.SettlementJob.execute(") {
		t.Errorf("the last line is not %q:\n%s", cause, log)
	}
	for _, task := range run.Tasks {
		switch {
		case task.ShardingItem == 0 && task.State != "TASK_FINISHED",
			task.ShardingItem == 1 && (task.State != "TASK_FAILED" || !strings.HasPrefix(task.Message, "exit code 1 ") || !strings.HasSuffix(task.Message, cause)):
			t.Errorf("%+v", task)
		}
	}
	b.row("fails", false, cause)
}

// row waits for an execution in the history.
func (b *cloudBench) row(job string, success bool, cause string) {
	b.fleet.t.Helper()
	b.until(patience, func(context.Context) error {
		var page struct {
			Rows []struct {
				Success      bool
				CompleteTime string
				FailureCause string
			}
		}
		b.ask(http.MethodGet, "/api/event-trace/execution?jobName="+url.QueryEscape(job), nil, nil, http.StatusOK, &page)
		for _, r := range page.Rows {
			if r.Success == success && r.CompleteTime != "" && strings.HasSuffix(r.FailureCause, cause) {
				return nil
			}
		}
		return fmt.Errorf("the history of %s has %+v", job, page.Rows)
	})
}

func (b *cloudBench) killed(t *testing.T) {
	// By the main class that a program for Mesos has.
	b.register("slow", `"jobExecutionType":"TRANSIENT","shardingTotalCount":2,"shardingItemParameters":"0=Turin,1=Beijing","jobParameter":"36000"`,
		startJavaScript, "shop.CloudMain")
	defer b.end("slow")
	run := b.trigger("slow")
	for shard, line := range []string{"Turin: invoice 1\n", "Beijing: invoice 1\n"} {
		b.until(patience, func(context.Context) error {
			if log := b.written(run, shard); !strings.Contains(log, line) {
				return fmt.Errorf("shard %d has not begun: %s", shard, log)
			}
			return nil
		})
	}
	b.ask(http.MethodPost, "/api/cloud/runs/"+run+"/kill", nil, nil, http.StatusNoContent, nil)
	b.look(run, "killed")
	for shard := range 2 {
		log := strings.TrimSpace(b.written(run, shard))
		if last := log[strings.LastIndexByte(log, '\n')+1:]; !strings.HasPrefix(last, fmt.Sprintf("job slow, shard %d: ended by SIGTERM: ", shard)) {
			t.Errorf("the last line of shard %d is %q", shard, last)
		}
	}
}

func (b *cloudBench) daemon(t *testing.T) {
	build := exec.Command("go", "build", "-o", filepath.Join(b.apps, "cloudrun"), "../cmd/cloudrun")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build cloudrun: %v\n%s", err, out)
	}
	b.register("feed", `"jobExecutionType":"DAEMON","cron":"0/1 * * * * ?","shardingTotalCount":1,"shardingItemParameters":"0=Turin","jobParameter":"1"`,
		"cloudrun", filepath.Join(b.apps, startJavaScript), "elasticjob.cloud.Main", "shop.SettlementJob")
	defer b.end("feed")
	b.row("feed", true, "")
}

// TestHowAJavaProcessOfTheCloudEnds looks at each exit code of the example.
func TestHowAJavaProcessOfTheCloudEnds(t *testing.T) {
	t.Parallel()
	apps := t.TempDir()
	installCloudJava(t, apps)
	byName := []string{"elasticjob.cloud.Main", "shop.SettlementJob"}
	for name, c := range map[string]struct {
		words   []string
		changes []string
		code    int
		says    string
	}{
		"by a main class of its own": {[]string{"shop.CloudMain"}, nil, 0, "上海 is settled: 1 invoices\n"},
		"by the name of its class":   {append(byName, `{"jobName":"of cloudrun"}`), nil, 0, "settling 上海: shard 1 of 3\n"},
		"some of the shards":         {byName, []string{"ITEM=", "ITEMS=0,2", "INDEX=0", "TASK_ID=", "NODE=n", "POD_UID=u"}, 0, "settling Turin: shard 0 of 3\n"},
		"an exception":               {byName, []string{"JOB_PARAMETER=many"}, 1, `job settlement, shard 1: java.lang.NumberFormatException: For input string: "many"` + "\n"},
		"no shard":                   {byName, []string{"ITEM=3", "TASK_ID="}, 64, "ELASTICJOB_ITEM is \"3\", want a whole number from 0 to 2\nELASTICJOB_TASK_ID is not set; "},
		"no parameters":              {byName, []string{"SHARDING_ITEM_PARAMETERS=Turin"}, 78, "correct shardingItemParameters of the job\n"},
		"no class":                   {[]string{"elasticjob.cloud.Main", "shop.Nothing"}, nil, 78, "job settlement, shard 1: there is no class shop.Nothing in the class path; "},
		"no job":                     {[]string{"elasticjob.cloud.Main", "shop.CloudMain"}, nil, 78, "shop.CloudMain is no job: "},
		"a DAEMON":                   {byName, []string{"EXECUTION_TYPE=DAEMON"}, 78, "put cloudrun before it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, code := endOf(t, javaShard(t, apps, c.words, c.changes...))
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, c.code, c.says, out)
			}
		})
	}
	t.Run("SIGTERM", func(t *testing.T) {
		t.Parallel()
		cmd := javaShard(t, apps, byName, "JOB_PARAMETER=36000")
		stdout, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		// What it wrote shows that the job has begun.
		if n, err := stdout.Read(make([]byte, 1)); n != 1 {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 143 {
			t.Errorf("%v, want the exit code 143", err)
		}
	})
}

// javaShard is a process of the example, with the environment of a shard.
func javaShard(t *testing.T, apps string, words []string, changes ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(apps, startJavaScript), words...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "JAVA_HOME=" + os.Getenv("JAVA_HOME"), "JAVA_OPTS=-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m",
		"ELASTICJOB_JOB_NAME=settlement", "ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3", "ELASTICJOB_SHARDING_ITEM_PARAMETERS=0=Turin,1=上海",
		"ELASTICJOB_JOB_PARAMETER=1", "ELASTICJOB_TASK_ID=settlement@-@1@-@READY@-@n@-@u", "ELASTICJOB_EXECUTION_TYPE=TRANSIENT",
	}
	for _, change := range changes {
		cmd.Env = append(cmd.Env, "ELASTICJOB_"+change)
	}
	return cmd
}

// endOf runs a process to its end.
func endOf(t *testing.T, cmd *exec.Cmd) (out string, code int) {
	t.Helper()
	text, err := cmd.CombinedOutput()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}
