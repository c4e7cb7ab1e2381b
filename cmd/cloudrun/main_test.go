//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/leftover"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// wrapperWord makes the wrapper of the test binary.
const wrapperWord = "CLOUDRUN_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(wrapperWord) != "" {
		main()
	}
	os.Exit(m.Run())
}

// command is the wrapper with a command line, in an environment as an engine makes it.
func command(t *testing.T, changes []string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append([]string{
		wrapperWord + "=1", "PATH=/usr/bin:/bin",
		"ELASTICJOB_JOB_NAME=settle.daily", "ELASTICJOB_RUN=settle-daily-1795514400", "ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3",
		"ELASTICJOB_SHARDING_ITEM_PARAMETERS=0=Beijing,1=Turin", "ELASTICJOB_JOB_PARAMETER=p",
		"ELASTICJOB_SCHEDULED_AT=2026-11-22T12:00:00Z", "ELASTICJOB_TASK_ID=id", "ELASTICJOB_TERMINATION_MESSAGE_PATH=" + filepath.Join(t.TempDir(), "message"),
	}, changes...)
	return cmd
}

// shell is a command line of a script; the sharding context is its $1.
func shell(script string) []string { return []string{"sh", "-c", script, "script"} }

// outcome is how a wrapper has ended.
type outcome struct {
	code           int
	stdout, stderr string
	message        string // of its termination
}

func run(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), message(t, cmd)}
}

// message is the termination message; "" if there is none.
func message(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	path := ""
	for _, pair := range cmd.Env {
		if value, ok := strings.CutPrefix(pair, "ELASTICJOB_TERMINATION_MESSAGE_PATH="); ok {
			path = value
		}
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// TestProgram: it gets the context as its last argument, its parameter, and nothing to read.
func TestProgram(t *testing.T) {
	t.Parallel()
	script := shell(`echo "$#:$1"; echo "parameter=$ELASTICJOB_SHARDING_PARAMETER item=$ELASTICJOB_ITEM attempt=$ELASTICJOB_ATTEMPT path=$ELASTICJOB_TERMINATION_MESSAGE_PATH"; cat; echo words >&2`)
	o := run(t, command(t, []string{"ELASTICJOB_SHARDING_PARAMETER=stale"}, script...))
	want := `1:{"jobName":"settle.daily","taskId":"id","shardingTotalCount":3,"jobParameter":"p","shardingItem":1,"shardingParameter":"Turin"}` +
		"\nparameter=Turin item=1 attempt=1 path=\n"
	if o.code != 0 || o.stdout != want || o.stderr != "words\n" || o.message != "" {
		t.Errorf("%+v", o)
	}
	// Some shards on Kubernetes, and the third attempt at one.
	pod := []string{"ELASTICJOB_ITEM=", "ELASTICJOB_TASK_ID=", "ELASTICJOB_ITEMS=0,2", "ELASTICJOB_INDEX=0", "ELASTICJOB_NODE=n", "ELASTICJOB_POD_UID=u", "ELASTICJOB_FAILURES=2"}
	o = run(t, command(t, pod, append([]string{"--"}, shell(`echo "$ELASTICJOB_SHARDING_PARAMETER $ELASTICJOB_ITEM $ELASTICJOB_ATTEMPT $ELASTICJOB_TASK_ID"`)...)...))
	if o.code != 0 || o.stdout != "Beijing 0 3 settle.daily@-@0@-@READY@-@n@-@u\n" {
		t.Errorf("%+v", o)
	}
}

// TestExitCodes: the program's is passed on, with its last words.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script  string
		code    int
		message string
	}{
		{"exit 0", 0, ""},
		{"echo out; echo err >&2; exit 7", 7, "out"},
		{"echo err >&2; exit 64", 64, "err"},
		{"exit 255", 255, ""},
		{"echo password=geheim; kill -9 $$", 137, "password="},
		{"kill -TERM $$", 143, ""},
	} {
		if o := run(t, command(t, nil, shell(c.script)...)); o.code != c.code || !strings.Contains(o.message, c.message) || strings.Contains(o.message, "geheim") {
			t.Errorf("%s: %+v", c.script, o)
		}
	}
}

// TestRefuses what cannot run, with a sentence, which is the termination message as well.
func TestRefuses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, mode := range map[string]os.FileMode{"plain": 0o600, "noise": 0o700} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("\x00\x01"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args    []string
		changes []string
		code    int
		want    string
	}{
		{nil, nil, 64, "no program is named\nusage: cloudrun PROGRAM"},
		{[]string{"--"}, nil, 64, "no program is named"},
		{[]string{"true"}, []string{"ELASTICJOB_EXECUTION_TYPE=DAEMON"}, 64, "ELASTICJOB_CRON is not set"},
		{[]string{"true"}, []string{"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_CRON=* * * * *"}, 78, "ELASTICJOB_CRON is not a Quartz expression"},
		{[]string{"no-such-program"}, []string{"ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_CRON=* * * * * ?"}, 78, "program no-such-program cannot be started"},
		{[]string{"true"}, []string{"ELASTICJOB_ITEM=x"}, 64, `ELASTICJOB_ITEM is "x"`},
		{[]string{"true"}, []string{"ELASTICJOB_SHARDING_ITEM_PARAMETERS=x"}, 78, "correct shardingItemParameters"},
		{[]string{"no-such-program"}, nil, 78, "program no-such-program cannot be started: executable file not found in $PATH; name one that is here"},
		{[]string{"/nowhere/program"}, nil, 78, "program /nowhere/program cannot be started"},
		{[]string{filepath.Join(folder, "plain")}, nil, 78, "permission denied"},
		{[]string{filepath.Join(folder, "noise")}, nil, 78, "with a #! line"},
		{[]string{folder}, nil, 78, "cannot be started"},
	} {
		o := run(t, command(t, c.changes, c.args...))
		if o.code != c.code || !strings.Contains(o.stderr, c.want) || o.stdout != "" || o.message != strings.TrimSpace(o.stderr) {
			t.Errorf("%v %v: %+v", c.args, c.changes, o)
		}
	}
	if o := run(t, command(t, nil, "--help")); o.code != 0 || !strings.HasPrefix(o.stdout, "usage: cloudrun") {
		t.Errorf("%+v", o)
	}
	if o := run(t, command(t, []string{"ELASTICJOB_TERMINATION_MESSAGE_PATH=/nowhere/message"}, shell("exit 7")...)); o.code != 7 || !strings.Contains(o.stderr, "to the file in ELASTICJOB_TERMINATION_MESSAGE_PATH") {
		t.Errorf("%+v", o)
	}
}

// TestSignals: they reach the program and its children, and the program decides.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal syscall.Signal
		script string
		code   int
		want   string
	}{
		{syscall.SIGTERM, `trap 'wait; echo parent; exit 5' TERM; (trap 'echo child; exit 0' TERM; echo ready; while :; do sleep 0.05; done) & wait`, 5, "child\nparent\n"},
		{syscall.SIGINT, `trap 'echo interrupted; exit 6' INT; echo ready; while :; do sleep 0.05; done`, 6, "interrupted\n"},
		{syscall.SIGHUP, `trap 'echo finished; exit 0' HUP; echo ready; while :; do sleep 0.05; done`, 0, "finished\n"},
		{syscall.SIGTERM, `echo ready; exec sleep 1000`, 143, ""},
	} {
		cmd := command(t, nil, shell(c.script)...)
		lines, ready := begin(t, cmd, 1)
		if ready[0] != "ready" {
			t.Errorf("%s: %v", c.script, ready)
		}
		if err := cmd.Process.Signal(c.signal); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(lines)
		if err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // The state says it.
		if cmd.ProcessState.ExitCode() != c.code || string(rest) != c.want {
			t.Errorf("%v: %s: %v: %s", c.signal, c.script, cmd.ProcessState, rest)
		}
	}
}

// begin starts a wrapper and reads the first lines of its output.
func begin(t *testing.T, cmd *exec.Cmd, count int) (*bufio.Reader, []string) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(out)
	var lines []string
	for range count {
		line, err := reader.ReadString('\n')
		if err != nil {
			t.Fatalf("%v after %q", err, lines)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return reader, lines
}

// TestLongOutput passes all of it on, and remembers the end.
func TestLongOutput(t *testing.T) {
	t.Parallel()
	const lines = 200_000
	o := run(t, command(t, nil, shell(fmt.Sprintf("seq %d; seq %d >&2; exit 3", lines, lines))...))
	if o.code != 3 || strings.Count(o.stdout, "\n") != lines || o.stderr != o.stdout {
		t.Errorf("%d: %d and %d bytes", o.code, len(o.stdout), len(o.stderr))
	}
	if got := strings.Split(o.message, "\n"); len(got) != 80 {
		t.Errorf("%d lines: %s", len(got), o.message)
	}
	// A line without an end, and nobody who reads.
	cmd := command(t, nil, shell("head -c 3000000 /dev/zero | tr '\\0' x; exit 4")...)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = writer
	if err := errors.Join(cmd.Start(), writer.Close(), reader.Close()); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // The state says it.
	if text := message(t, cmd); cmd.ProcessState.ExitCode() != 4 || len(text) != 4096 || strings.Trim(text, "x") != "" {
		t.Errorf("%v: %d bytes", cmd.ProcessState, len(text))
	}
}

// TestWhatIsLeft: what stays in the program's group is killed, and what has left it does not
// keep the wrapper.
func TestWhatIsLeft(t *testing.T) {
	t.Parallel()
	o := run(t, command(t, nil, shell("sleep 1000 & echo $!; setsid sleep 1000 & echo $!; exit 3")...))
	var pids []int
	for word := range strings.FieldsSeq(o.stdout) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatalf("%+v", o)
		}
		pids = append(pids, pid)
	}
	if o.code != 3 || len(pids) != 2 {
		t.Fatalf("%+v", o)
	}
	waittest.Until(t, "the child in the group has ended", func() bool { return errors.Is(syscall.Kill(pids[0], 0), syscall.ESRCH) })
	if err := syscall.Kill(pids[1], syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Error(err)
	}
}

// TestW01HeldOutput: a process that holds the program's output, in its group or not, changes
// nothing but a warning.
func TestW01HeldOutput(t *testing.T) {
	t.Parallel()
	for _, leave := range []string{"sleep 1000", "setsid sleep 1000"} {
		for _, code := range []int{0, 65} {
			o := run(t, command(t, nil, shell(fmt.Sprintf("%s & echo $!; exit %d", leave, code))...))
			if o.code != code || !strings.Contains(o.stderr, leftover.Warning) || strings.Contains(o.message, leftover.Warning) {
				t.Errorf("%s: %+v, want exit code %d and a warning", leave, o, code)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(o.stdout))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				t.Error(err)
			}
		}
	}
	if o := run(t, command(t, nil, shell("sleep 1000 >/dev/null 2>&1 & exit 0")...)); o.code != 0 || o.stderr != "" {
		t.Errorf("with its output redirected: %+v", o)
	}
}

// TestOrphansAreReaped while the program runs: the first process of a container has to.
func TestOrphansAreReaped(t *testing.T) {
	t.Parallel()
	cmd := command(t, nil, shell(`trap 'exit 0' TERM; (sh -c 'echo $$' &); while :; do sleep 0.05; done`)...)
	_, lines := begin(t, cmd, 1)
	orphan, err := strconv.Atoi(lines[0])
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the orphan is no zombie", func() bool { return errors.Is(syscall.Kill(orphan, 0), syscall.ESRCH) })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
