package coreagent_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// kindJob is the job of the shards below.
var kindJob = coreagent.Job{Name: "job", Shards: 3, ShardParameters: "0=a,1=q'u\"o te", Parameter: "p q=1"}

// script writes an executable shell script, which finds the usual programs even if the tests' PATH only has Go.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.sh")
	// A process that another test starts now would inherit the open file, and the kernel doesn't
	// run a script that is open for writing.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\nPATH=$PATH:/usr/bin:/bin\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestK55ScriptArguments: words are grouped by quotes, nothing is expanded, and the last argument
// is the sharding context.
func TestK55ScriptArguments(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	path := script(t, `for word in "$@"; do printf '%s\n' "$word" >>`+out+`; done`)
	line := path + ` x  'a b' "c 'd'" "" $HOME 'e'f`
	if err := coreagenttest.RunShard(t, kindJob, coreagent.Script(line), 1); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if diff := cmp.Diff([]string{"x", "a b", "c 'd'", "", "$HOME", "ef"}, words[:len(words)-1]); diff != "" {
		t.Errorf("arguments (-want +got)\n%s", diff)
	}
	const want = `{"jobName":"job","taskId":"job@-@1@-@READY@-@127.0.0.1@-@1","shardingTotalCount":3,"jobParameter":"p q=1","shardingItem":1,"shardingParameter":"q'u\"o te"}`
	if diff := cmp.Diff(want, words[len(words)-1]); diff != "" {
		t.Errorf("context (-want +got)\n%s", diff)
	}
	// A shard without a parameter has no such key.
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := coreagenttest.RunShard(t, kindJob, coreagent.Script(path), 2); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(out); err != nil || strings.Contains(string(text), "shardingParameter") {
		t.Errorf("context %s, %v", text, err)
	}
}

// TestK55ScriptFailures: the exit code, the script's output, and a missing program.
func TestK55ScriptFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"exit code":   {script(t, "echo it went wrong; exit 3"), []string{"Execute script failure.", "exit status 3", "it went wrong"}},
		"no program":  {filepath.Join(t.TempDir(), "absent"), []string{"Execute script failure.", "no such file"}},
		"long output": {script(t, "head -c 100000 /dev/zero | tr '\\0' x; exit 1"), []string{"exit status 1", "xxx"}},
	} {
		err := coreagenttest.RunShard(t, kindJob, coreagent.Script(c.line), 0)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %.200v", name, want, err)
			}
		}
		if err != nil && len(err.Error()) > 10_000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

// endable is a test with its own context.
type endable struct {
	testing.TB
	ctx context.Context
}

func (e endable) Context() context.Context { return e.ctx }

// endScript runs a script and ends the run as soon as the script has written a process id into the
// file PID. It returns the id and the run's error.
func endScript(t *testing.T, body string) (pid string, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pid")
	path := script(t, strings.ReplaceAll(body, "PID", file))
	ctx, end := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- coreagenttest.RunShard(endable{t, ctx}, kindJob, coreagent.Script(path), 0) }()
	waittest.Until(t, "the number of the process", func() bool {
		text, _ := os.ReadFile(file) // It may not be there yet.
		pid = strings.TrimSuffix(string(text), "\n")
		return len(pid) < len(text)
	})
	end(coreagent.ErrTimeout)
	return pid, <-ended
}

// TestScriptIsKilled when its run must end.
func TestScriptIsKilled(t *testing.T) {
	t.Parallel()
	pid, err := endScript(t, "echo $$ >PID; exec sleep 3600")
	if !errors.Is(err, coreagent.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat("/proc/" + pid); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the process is still there: %v", err)
	}
}

// TestScriptEndsWithWhatItStarted: a child that would run next to the shard's next owner ends, too,
// by force if it ignores SIGTERM; and endless output costs no memory.
func TestScriptEndsWithWhatItStarted(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"obedient": `sleep 3600 & echo $! >PID; wait`,
		"deaf":     `trap '' TERM; (trap '' TERM; sleep 3600) & echo $! >PID; wait; wait`,
		"verbose":  `echo $$ >PID; exec yes`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pid, err := endScript(t, body)
			if !errors.Is(err, coreagent.ErrTimeout) {
				t.Errorf("error %v", err)
			}
			waittest.Until(t, "the process has ended", func() bool {
				status, err := os.ReadFile("/proc/" + pid + "/stat")
				return errors.Is(err, os.ErrNotExist) || strings.Contains(string(status), ") Z ") // Here it may never be reaped.
			})
		})
	}
}

// V26: a script sees the variables that programs need and the sharding context, and nothing else of
// the agent's environment.
func TestV26ScriptsHaveACleanEnvironment(t *testing.T) {
	t.Setenv("DB_DSN", "mysql://root:"+secretCanary+"@db/shop")
	t.Setenv("MY_TOKEN", secretCanary)
	t.Setenv("APP_COLOUR", "green")
	t.Setenv("APP_PASSWORD", secretCanary)
	t.Setenv("LC_TIME", "C")
	t.Setenv("ELASTICJOB_SHARDING_CONTEXT", "of the agent")
	out := filepath.Join(t.TempDir(), "env")
	if err := coreagenttest.RunShard(t, kindJob, coreagent.Script(script(t, "env >"+out)), 0); err != nil {
		t.Fatal(err)
	}
	seen, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]bool{secretCanary: false, "green": false, "PATH=": true, "LC_TIME=C": true, `ELASTICJOB_SHARDING_CONTEXT={"jobName":`: true, "of the agent": false} {
		if strings.Contains(string(seen), part) != want {
			t.Errorf("%s: want it %v in\n%s", part, want, seen)
		}
	}
}

func TestV26WrongNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "A=b", "a*b", "A B", "**"} {
		_, err := coreagent.New(coreagent.Config{Namespace: "n", ZooKeeper: registry.ZooKeeper{Servers: []string{"a:1"}}, ScriptEnv: []string{name}})
		if err == nil || !strings.Contains(err.Error(), "ScriptEnv") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
