// Package clitest runs the commands of a [cli.Program] in tests.
package clitest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// NoEnv is an environment with nothing in it.
func NoEnv(string) (string, bool) { return "", false }

// EnvOf is an environment with some variables.
func EnvOf(values map[string]string) cli.Lookup {
	return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
}

// Output collects the output of a running command.
type Output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// String returns the output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// Running is a command that runs in this process.
type Running struct {
	t              *testing.T
	Stdout, Stderr Output
	cancel         context.CancelFunc
	exited         chan struct{}
	code           int
}

// Start runs the program until the test ends or stop is called.
func Start(t *testing.T, g cli.Program, flags cli.Flags, env cli.Lookup, args ...string) *Running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &Running{t: t, cancel: cancel, exited: make(chan struct{})}
	go func() {
		defer close(p.exited)
		p.code = g.Run(ctx, flags, args, &p.Stdout, &p.Stderr, env)
	}()
	t.Cleanup(func() { p.Stop() })
	return p
}

// Interrupt asks the program to end, as a signal does.
func (p *Running) Interrupt() { p.cancel() }

// Stop asks the program to end and returns its exit code.
func (p *Running) Stop() int {
	p.cancel()
	return p.Wait()
}

// Wait waits for the end of the program and returns its exit code.
func (p *Running) Wait() int {
	p.t.Helper()
	select {
	case <-p.exited:
		return p.code
	case <-time.After(waittest.Patience):
		p.t.Fatalf("the program still runs; it said:\n%s\n%s", p.Stdout.String(), p.Stderr.String())
		return -1
	}
}

// AwaitText waits until the program has printed the text and returns
// everything it printed so far.
func (p *Running) AwaitText(text string) string {
	p.t.Helper()
	var all string
	Eventually(p.t, "the program prints "+text, func() bool {
		all = p.Stdout.String() + p.Stderr.String()
		return strings.Contains(all, text)
	})
	return all
}

// Eventually waits for a condition.
func Eventually(t *testing.T, what string, met func() bool) {
	t.Helper()
	waittest.UntilEvery(t, 50*time.Millisecond, what, met)
}

// Case is a command line and its result.
type Case struct {
	Name           string
	Args           []string
	Env            map[string]string
	Code           int
	Stdout, Stderr []string // parts of the output
}

// Check runs the command line and compares. No password may be printed.
func (tt Case) Check(t *testing.T, g cli.Program, flags cli.Flags) {
	t.Helper()
	p := Start(t, g, flags, EnvOf(tt.Env), tt.Args...)
	code := p.Wait()
	stdout, stderr := p.Stdout.String(), p.Stderr.String()
	if code != tt.Code {
		t.Errorf("exit code %d, want %d\n%s%s", code, tt.Code, stdout, stderr)
	}
	for _, want := range tt.Stdout {
		if !strings.Contains(stdout, want) {
			t.Errorf("standard output lacks %q:\n%s", want, stdout)
		}
	}
	for _, want := range tt.Stderr {
		if !strings.Contains(stderr, want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
	if strings.Contains(stdout+stderr, "hunter2") || strings.Contains(stdout+stderr, "correct horse") {
		t.Errorf("a password was printed:\n%s%s", stdout, stderr)
	}
}

// Registry starts a registry in this process that ends with the test, and returns its address.
func Registry(t *testing.T) string {
	t.Helper()
	registry := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond})
	t.Cleanup(func() { _ = registry.Close() }) // The test has ended.
	addr, err := registry.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return addr.String()
}

// Status returns the status of an address; the answer must come.
func Status(t *testing.T, url string) int {
	t.Helper()
	status, _ := get(t, url)
	return status
}

// Text returns the text at an address.
func Text(t *testing.T, url string) string {
	t.Helper()
	status, text := get(t, url)
	if status != http.StatusOK {
		t.Fatalf("%s: status %d", url, status)
	}
	return text
}

func get(t *testing.T, url string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// After returns the text after a separator.
func After(s, sep string) string {
	_, rest, _ := strings.Cut(s, sep)
	return rest
}

// FreeAddress returns an address of this machine that is free.
func FreeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
