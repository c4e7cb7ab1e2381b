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
// summary. The exit code is 0 when everything ran and passed, else 1.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = stderr
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintf(stderr, "testgate: start go test: %v\n", err)
		return 1
	}
	verdict, readErr := judge(events, stdout)
	waitErr := cmd.Wait()
	if readErr != nil {
		fmt.Fprintf(stderr, "testgate: read the output of go test: %v\n", readErr)
		return 1
	}
	verdict.report(stdout)
	if waitErr != nil && !errors.As(waitErr, new(*exec.ExitError)) {
		fmt.Fprintf(stderr, "testgate: go test: %v\n", waitErr)
	}
	if waitErr != nil || !verdict.ok() {
		return 1
	}
	return 0
}
