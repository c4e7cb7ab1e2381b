package cloudjob_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/cloudjob"
	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
)

// shimWord makes this binary a shim of the local engine.
const shimWord = "local-task"

// program is testdata/program, built once for all tests.
var program string

func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == shimWord {
		os.Exit(local.Shim(os.Args[2], os.Args[3]))
	}
	folder, err := os.MkdirTemp("", "cloudjob")
	if err != nil {
		log.Fatal(err)
	}
	program = filepath.Join(folder, "program")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/program").CombinedOutput(); err != nil {
		log.Fatalf("build testdata/program: %v\n%s", err, out)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(folder)
		os.Exit(code)
	}))
}

// environment returns an engine's environment for a shard, with a test's changes.
func environment(changes ...string) []string {
	return append([]string{
		"PATH=/usr/bin:/bin",
		"ELASTICJOB_JOB_NAME=settle.daily", "ELASTICJOB_APP_NAME=shop", "ELASTICJOB_RUN=settle-daily-1795514400",
		"ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3", "ELASTICJOB_SHARDING_ITEM_PARAMETERS=0=Beijing,1=Turin",
		"ELASTICJOB_JOB_PARAMETER=p", `ELASTICJOB_PROPS={"k":"v"}`, "ELASTICJOB_RUN_PARAMETERS=",
		"ELASTICJOB_SCHEDULED_AT=2026-11-22T12:00:00Z", "ELASTICJOB_EXECUTION_TYPE=TRANSIENT", "ELASTICJOB_ATTEMPT=1",
		"ELASTICJOB_TASK_ID=settle.daily@-@1@-@READY@-@node-1@-@u", "ELASTICJOB_NODE=node-1",
	}, changes...)
}

// outcome is the result of a process.
type outcome struct {
	code           int
	stdout, stderr string
	message        string // of its termination
}

func start(t *testing.T, what string, changes ...string) outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), "message")
	cmd := exec.CommandContext(t.Context(), program, what)
	cmd.Env = environment(append(changes, "ELASTICJOB_TERMINATION_MESSAGE_PATH="+path)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	message, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), string(message)}
}

// TestShard: the shard has the values from the environment.
func TestShard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changes []string
		want    map[string]any
	}{
		"a fire time": {nil, map[string]any{
			"job": "settle.daily", "item": 1.0, "total": 3.0, "parameter": "Turin", "jobParameter": "p", "task": "settle.daily@-@1@-@READY@-@node-1@-@u",
			"at": "2026-11-22T12:00:00Z", "source": "NORMAL_TRIGGER", "token": 1795348800001.0, "props": map[string]any{"k": "v"}, "run": "settle-daily-1795514400", "attempt": 1.0, "params": "",
		}},
		"a third attempt": {[]string{"ELASTICJOB_ATTEMPT=3"}, map[string]any{"source": "FAILOVER", "token": 1795348800003.0}},
		"as the Job controller counts": {[]string{"ELASTICJOB_ATTEMPT=", "ELASTICJOB_FAILURES=2", "ELASTICJOB_IGNORED_FAILURES=1"}, map[string]any{
			"source": "FAILOVER", "token": 1795348800004.0,
		}},
		"a requested run": {[]string{"ELASTICJOB_RUN=settle-daily-x0123456789", `ELASTICJOB_RUN_PARAMETERS={"month":"2026-10"}`}, map[string]any{
			"run": "settle-daily-x0123456789", "attempt": 1.0, "params": `{"month":"2026-10"}`,
		}},
		"some of the shards on Kubernetes": {[]string{"ELASTICJOB_ITEM=", "ELASTICJOB_TASK_ID=", "ELASTICJOB_ITEMS=0,2", "ELASTICJOB_INDEX=1", "ELASTICJOB_POD_UID=pod"}, map[string]any{
			"item": 2.0, "parameter": "", "task": "settle.daily@-@2@-@READY@-@node-1@-@pod",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := start(t, "print", c.changes...)
			var got map[string]any
			if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || o.code != 0 || o.message != "" {
				t.Fatalf("%v %+v", err, o)
			}
			for key, want := range c.want {
				if fmt.Sprint(got[key]) != fmt.Sprint(want) {
					t.Errorf("%s: got %v, want %v", key, got[key], want)
				}
			}
		})
	}
}

// TestExitCodes: the exit code of the process, and its last line.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what    string
		changes []string
		code    int
		last    string
		all     string
	}{
		{what: "skip", code: 0, all: "nothing to do"},
		{what: "fail", code: 1, last: `job "settle.daily", shard 1, attempt 1: the ledger of Turin is closed, password=`, all: "msg=begins"},
		{what: "permanent", code: 78, last: "no such month"},
		{what: "snooze", code: 1, last: "can't be snoozed"},
		{what: "panic", code: 1, last: `job "settle.daily", shard 1, attempt 1: panic: assignment to entry in nil map`, all: "main.handle("},
		{what: "goexit", code: 1, last: "runtime.Goexit; return an error"},
		{what: "print", changes: []string{"ELASTICJOB_EXECUTION_TYPE=DAEMON"}, code: 64, all: "ELASTICJOB_CRON is not set"},
		{what: "print", changes: []string{"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_CRON=* * * * *"}, code: 78, all: "ELASTICJOB_CRON is not a Quartz expression: "},
		{what: "print", changes: []string{"ELASTICJOB_ITEM="}, code: 64, all: "ELASTICJOB_ITEM is not set", last: "cloudjob.RunLocal"},
		{what: "print", changes: []string{"ELASTICJOB_SHARDING_ITEM_PARAMETERS=0:a"}, code: 78, all: "ELASTICJOB_SHARDING_ITEM_PARAMETERS cannot be read"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			o := start(t, c.what, c.changes...)
			lines := strings.Split(strings.TrimSpace(o.stderr), "\n")
			if o.code != c.code || !strings.Contains(lines[len(lines)-1], c.last) || !strings.Contains(o.stderr, c.all) {
				t.Errorf("exit code %d, want %d; standard error:\n%s", o.code, c.code, o.stderr)
			}
			if strings.Contains(o.stderr, "geheim") {
				t.Errorf("a secret is shown:\n%s", o.stderr)
			}
			if want := strings.TrimSpace(o.stderr); c.code != 0 && o.message != want || c.code == 0 && o.message != "" {
				t.Errorf("the termination message is\n%s\nwant\n%s", o.message, want)
			}
		})
	}
}

// TestSignals: SIGTERM ends the context, and a second one the process.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what   string
		signal os.Signal
		code   int
		last   string
	}{
		{"wait", syscall.SIGTERM, 143, coreagent.ErrStopping.Error()},
		{"wait", os.Interrupt, 143, coreagent.ErrStopping.Error()},
		{"finish", syscall.SIGTERM, 0, ""},
		{"stubborn", syscall.SIGTERM, 143, ""},
	} {
		t.Run(fmt.Sprint(c.what, c.signal), func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), program, c.what)
			cmd.Env = environment()
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			for lines.Scan() { // each line requests a signal
				if err := cmd.Process.Signal(c.signal); err != nil {
					t.Fatal(err)
				}
			}
			_ = cmd.Wait() // the state has the result
			if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(stderr.String(), c.last) {
				t.Errorf("%v; standard error:\n%s", cmd.ProcessState, stderr.String())
			}
		})
	}
}

// TestRunWithoutAFile: a message that can't be written is reported, but doesn't change the exit code.
func TestRunWithoutAFile(t *testing.T) {
	t.Parallel()
	o := start(t, "fail", "ELASTICJOB_ATTEMPT=2")
	if o.code != 1 || !strings.Contains(o.message, "attempt 2") {
		t.Errorf("%+v", o)
	}
	cmd := exec.CommandContext(t.Context(), program, "fail")
	cmd.Env = environment("ELASTICJOB_TERMINATION_MESSAGE_PATH=/nowhere/message")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "to the file in ELASTICJOB_TERMINATION_MESSAGE_PATH: open /nowhere/message") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestHandlersOfAgents: built-in handlers work as well, with the job's properties.
func TestHandlersOfAgents(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "context")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$1\" > "+path+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if code := cloudjob.Run(t.Context(), environment(`ELASTICJOB_PROPS={"script.command.line":"`+script+`"}`), coreagent.Script("/nowhere")); code != 0 {
		t.Error(code)
	}
	written, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(written), `"shardingItem":1,"shardingParameter":"Turin"`) {
		t.Errorf("%v %s", err, written)
	}
	for name, h := range map[string]coreagent.Handler{"none": nil, "no command": coreagent.Script("")} {
		if code := cloudjob.Run(t.Context(), environment(), h); code != 78 {
			t.Errorf("%s: %d", name, code)
		}
	}
}

// TestRunLocal runs a shard without an environment.
func TestRunLocal(t *testing.T) {
	t.Parallel()
	job := coreagent.Job{Name: "settle", Shards: 2, ShardParameters: "1=Turin"}
	err := cloudjob.RunLocal(t.Context(), coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
		return fmt.Errorf("%s %d/%d %s: %w", s.Job, s.Item, s.Total, s.Parameter, io.EOF)
	}), job, 1)
	if !errors.Is(err, io.EOF) || !strings.HasPrefix(err.Error(), "settle 1/2 Turin") {
		t.Error(err)
	}
	if err := cloudjob.RunLocal(t.Context(), coreagent.HandlerFunc(nil), job, 2); err == nil || !strings.Contains(err.Error(), "the job has the shards 0 to 1") {
		t.Error(err)
	}
}

// TestInheritedTwice: if a variable occurs twice, the last one wins, as for os.Getenv.
func TestInheritedTwice(t *testing.T) {
	t.Parallel()
	env := slices.Concat(environment("ELASTICJOB_ITEM=9"), []string{"ELASTICJOB_ITEM=2"})
	ran := -1
	code := cloudjob.Run(t.Context(), env, coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
		ran = s.Item
		return nil
	}))
	if code != 0 || ran != 2 {
		t.Error(code, ran)
	}
}
