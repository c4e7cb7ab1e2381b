// Command testgate runs `go test` and is stricter than it: a test that was
// skipped fails the run.
//
// A skipped test looks green and proves nothing; in this repository every
// server a test needs is installed by the test command itself, so there is no
// reason left to skip. The arguments are those of `go test`:
//
//	go run ./internal/testgate -race -shuffle=on -count=1 ./...
//
// Output is one line per package, the full output of what failed, and a
// summary. Of a package that died, it shows what each test said that had not
// ended. The exit code is 0 when everything ran and passed, else 1.
//
// For all packages together it starts one ZooKeeper, one MariaDB and one PostgreSQL,
// those of them that the packages need, tells the tests by environment variables
// (package sharedserver) and ends them at its end, on SIGINT and SIGTERM too:
//
//	go list -deps ──▶ servers ──▶ go test -json ──▶ judge ──▶ run again ──▶ report
//	                     └──────── announced to ────────────────┘
//
// A server that ended before is a failure, and the end of its log is shown.
//
// With TESTGATE_RETRY=1 in the environment, at most two failed tests are run
// again, each three times in a row by itself with the race detector, built with the
// flags of TESTGATE_RACE if it names any. If they pass, so does the gate, and says
// FLAKY. A race, a leak, a panic, the death of a package and a violation of the
// simulation are failures at once. A package in which the race detector itself died, by
// a known bug of Go, is run again as a whole.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	servers, env := startServers(ctx, args, stderr)
	t := toolchain{ctx, env}
	result, err := t.test(args, stdout, stderr)
	if err == nil && !result.ok() && os.Getenv("TESTGATE_RETRY") == "1" {
		err = result.excuse(args, t.testTogether, stdout)
	}
	if err = errors.Join(err, endServers(servers, &result, stdout)); err != nil {
		fmt.Fprintf(stderr, "testgate: %v\n", err)
		return 1
	}
	result.report(stdout)
	if !result.ok() {
		return 1
	}
	return 0
}

// toolchain runs `go test`, until ctx ends, in an environment.
type toolchain struct {
	ctx context.Context
	env []string
}

// test runs `go test -json` and judges what it says. An end with a failure that
// no event reported is a failure, too.
func (t toolchain) test(args []string, stdout, stderr io.Writer) (verdict, error) {
	cmd := exec.CommandContext(t.ctx, "go", append([]string{"test", "-json"}, args...)...)
	cmd.Env, cmd.Stderr = t.env, stderr
	// A group of its own, to end the tests and what they have started with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return verdict{}, fmt.Errorf("start go test: %w", err)
	}
	result, readErr := judge(events, stdout)
	waitErr := cmd.Wait()
	if t.ctx.Err() != nil {
		return verdict{}, fmt.Errorf("run the tests: %w", context.Cause(t.ctx))
	}
	if readErr != nil {
		return verdict{}, fmt.Errorf("read the output of go test: %w", readErr)
	}
	if waitErr != nil && !errors.As(waitErr, new(*exec.ExitError)) {
		return verdict{}, fmt.Errorf("go test: %w", waitErr)
	}
	if waitErr != nil && result.ok() {
		result.failed = append(result.failed, failure{pkg: "go test"})
	}
	return result, nil
}

// testTogether is test with both outputs in one.
func (t toolchain) testTogether(args []string, w io.Writer) (verdict, error) {
	var stderr bytes.Buffer // filled by a goroutine of its own
	result, err := t.test(args, w, &stderr)
	_, writeErr := w.Write(stderr.Bytes())
	return result, errors.Join(err, writeErr)
}
