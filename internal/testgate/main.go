// Command testgate runs `go test` for the make commands. It starts the servers that the
// packages share, prints a line per package, the output of what failed and a summary,
// and runs failed tests again where that is allowed. The flags of `go test` come first,
// then the packages after a "--"; build tags come from GOFLAGS:
//
//	GOFLAGS=-tags=servers,nomsgpack go run ./internal/testgate -shuffle=on -count=1 -- ./...
//
//	go list -deps ──▶ servers ──▶ go test -json ──▶ gotestsum ──▶ run again ──▶ summary
//	                     └──────── announced to ─────────────────────┘
//
// With the build tag servers it starts one ZooKeeper, one MariaDB and one PostgreSQL for
// all packages, those of them that the packages need, names them in environment variables
// (package sharedserver) and ends them at its end, on SIGINT and SIGTERM too. A server
// that ended before is a failure, and the end of its log is shown.
//
// With TESTGATE_RETRY=1 in the environment, at most two failed tests are run again, each
// by itself. If it passes three times in a row, it is reported as FLAKY and fails nothing.
// A race, a leak, a panic and a violation of the simulation are failures at once.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"gotest.tools/gotestsum/testjson"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ok, err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "testgate: %v\n", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

// run reports whether all tests passed.
func run(ctx context.Context, args []string, w io.Writer) (ok bool, err error) {
	end := slices.Index(args, "--")
	if end < 0 {
		return false, errors.New("usage: testgate [flags of go test] -- packages")
	}
	flags, packages := args[:end], args[end+1:]
	servers, env := startServers(ctx, packages, w)
	t := toolchain{ctx, env, w}
	result, err := t.test(flags, packages)
	if err == nil {
		ok = result.ok()
		testjson.PrintSummary(w, result.Execution, testjson.SummarizeFailed|testjson.SummarizeErrors|testjson.SummarizeOutput)
		if !ok && os.Getenv("TESTGATE_RETRY") == "1" {
			ok, err = t.again(result, flags)
		}
	}
	if err == nil && result.Total() == 0 {
		fmt.Fprintln(w, "no test ran")
	}
	lost, endErr := endServers(servers, w)
	return ok && !lost, errors.Join(err, endErr)
}

// toolchain runs `go test`, until ctx ends, in an environment, and prints to w.
type toolchain struct {
	ctx context.Context
	env []string
	w   io.Writer
}

// result is what a run of `go test` came to.
type result struct {
	*testjson.Execution

	exit error // exit is that of `go test`, which may fail without a failed test.
}

// ok reports whether tests ran and all of them passed.
func (r result) ok() bool { return r.exit == nil && len(r.Failed()) == 0 && r.Total() > 0 }

// test runs `go test -json` on packages.
func (t toolchain) test(flags, packages []string) (result, error) {
	// Tests wait for servers and clocks, so three packages keep two processors busy.
	width := fmt.Sprintf("-p=%d", max(3, runtime.GOMAXPROCS(0)))
	cmd := exec.CommandContext(t.ctx, "go", slices.Concat([]string{"test", "-json", width}, flags, packages)...)
	cmd.Env = t.env
	// A group of its own, to end the tests and what they have started with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	events, err := cmd.StdoutPipe()
	if err != nil {
		return result{}, err
	}
	words, err := cmd.StderrPipe()
	if err != nil {
		return result{}, err
	}
	if err := cmd.Start(); err != nil {
		return result{}, fmt.Errorf("start go test: %w", err)
	}
	printed := printer{t.w, testjson.NewEventFormatter(t.w, "pkgname-and-test-fails", testjson.FormatOptions{})}
	execution, readErr := testjson.ScanTestOutput(testjson.ScanConfig{Stdout: events, Stderr: words, Handler: printed, Stop: func() { _ = cmd.Cancel() }})
	exit := cmd.Wait()
	if t.ctx.Err() != nil {
		return result{}, fmt.Errorf("run the tests: %w", context.Cause(t.ctx))
	}
	if readErr != nil {
		return result{}, fmt.Errorf("read the output of go test: %w", readErr)
	}
	return result{execution, exit}, nil
}

// printer shows what happens while it does.
type printer struct {
	w io.Writer
	testjson.EventFormatter
}

func (p printer) Event(event testjson.TestEvent, execution *testjson.Execution) error {
	return p.Format(event, execution)
}

func (p printer) Err(text string) error {
	_, err := fmt.Fprintln(p.w, text)
	return err
}
