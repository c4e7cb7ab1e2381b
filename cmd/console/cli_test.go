package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// noEnv is an environment with nothing in it.
func noEnv(string) (string, bool) { return "", false }

func envOf(values map[string]string) lookup {
	return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
}

// output collects what a command prints while it runs.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// program is a command that runs in this process.
type program struct {
	t              *testing.T
	stdout, stderr output
	cancel         context.CancelFunc
	exited         chan struct{}
	code           int
}

// start runs the program until the test ends or stop is called.
func start(t *testing.T, env lookup, args ...string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &program{t: t, cancel: cancel, exited: make(chan struct{})}
	go func() {
		defer close(p.exited)
		p.code = run(ctx, args, &p.stdout, &p.stderr, env)
	}()
	t.Cleanup(func() { p.stop() })
	return p
}

// stop asks the program to end and returns its exit code.
func (p *program) stop() int {
	p.cancel()
	return p.wait()
}

func (p *program) wait() int {
	p.t.Helper()
	select {
	case <-p.exited:
		return p.code
	case <-time.After(waittest.Patience):
		p.t.Fatalf("the program still runs; it said:\n%s\n%s", p.stdout.String(), p.stderr.String())
		return -1
	}
}

// awaitText waits until the program has printed the text and returns
// everything it printed so far.
func (p *program) awaitText(text string) string {
	p.t.Helper()
	var all string
	eventually(p.t, "the program prints "+text, func() bool {
		all = p.stdout.String() + p.stderr.String()
		return strings.Contains(all, text)
	})
	return all
}

// eventually waits for a condition.
func eventually(t *testing.T, what string, met func() bool) {
	t.Helper()
	waittest.UntilEvery(t, 50*time.Millisecond, what, met)
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	busy, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { busy.Close() })
	port := busy.Addr().String()

	readOnly, accounts, notSQLite := wrongFiles(t)
	data := t.TempDir()
	serve := []string{"serve", "--zookeeper=127.0.0.1:1", "--namespace=test", "--listen=127.0.0.1:0", "--data=" + data}

	for _, tt := range []runOfConsole{
		{name: "no command shows the help", code: 0, stdout: []string{"serve", "demo", "migrate", "ELASTICJOB_LOG_FORMAT"}},
		{name: "help", args: []string{"serve", "--help"}, code: 0, stdout: []string{"--zookeeper", "--dsn-file"}},
		{name: "version", args: []string{"version"}, code: 0, stdout: []string{"elasticjob console", "go1."}},
		{name: "unknown command", args: []string{"sevre"}, code: 2, stderr: []string{"sevre", "console --help"}},
		{name: "unknown flag", args: []string{"serve", "--zokeeper=x"}, code: 2, stderr: []string{"--zokeeper"}},
		{name: "bad duration", args: []string{"serve", "--session-timeout=fast"}, code: 2, stderr: []string{"--session-timeout", "fast"}},
		{name: "bad value from the environment", args: []string{"version"}, env: map[string]string{"ELASTICJOB_LOG_LEVEL": "loud"}, code: 2, stderr: []string{"loud"}},
		{name: "serve without a registry", args: []string{"serve"}, code: 2, stderr: []string{"no ZooKeeper is named", "--zookeeper zk1:2181", "console demo"}},
		{name: "serve without a namespace", args: []string{"serve", "--zookeeper=127.0.0.1:1"}, code: 2, stderr: []string{"namespace", "ELASTICJOB_NAMESPACE"}},
		{name: "a registry that is no address", args: append(serve, "--zookeeper=non:sense"), code: 2, stderr: []string{`"non:sense" is not host:port`}},
		{name: "a namespace that is no path", args: append(serve, "--namespace=a//b"), code: 2, stderr: []string{`"a//b"`}},
		{name: "a malformed listen address", args: append(serve, "--listen=8899"), code: 2, stderr: []string{`"8899"`, "host:port"}},
		{name: "the port is taken", args: append(serve, "--listen="+port), code: 1, stderr: []string{port, "in use", "choose another address with --listen"}},
		{name: "shipped passwords on every address", args: append(serve, "--listen=:0"), code: 1, stderr: []string{"shipped password", "--auth"}},
		{name: "hosts that are none", args: append(serve, "--allow-hosts=http://x"), code: 2, stderr: []string{"http://x", "--allow-hosts"}},
		{name: "a key that is none", args: append(serve, "--settings-key=hunter2"), code: 2, stderr: []string{"--settings-key", "openssl rand"}},
		{name: "a provider in the clear", args: append(serve, "--oidc-issuer=http://id.example.com", "--oidc-client-id=c", "--oidc-root-group=ops", "--oidc-redirect-url=http://localhost:8899/login/oidc/callback"), code: 2, stderr: []string{"http://id.example.com", "https", "--oidc-issuer"}},
		{name: "a provider without a group", args: append(serve, "--oidc-issuer=https://id.example.com", "--oidc-client-id=c", "--oidc-client-secret=hunter2"), code: 2, stderr: []string{"--oidc-root-group", "people could not sign in"}},
		{name: "a group without a provider", args: append(serve, "--oidc-root-group=ops"), code: 2, stderr: []string{"--oidc-root-group", "no --oidc-issuer"}},
		{name: "a provider over TLS with cookies in the clear", args: append(serve, "--oidc-issuer=https://id.example.com", "--oidc-client-id=c", "--oidc-root-group=ops", "--oidc-redirect-url=https://jobs.example.com/login/oidc/callback"), code: 2, stderr: []string{"--secure-cookies"}},
		{name: "a provider's way back that is none", args: append(serve, "--secure-cookies", "--oidc-issuer=https://id.example.com", "--oidc-client-id=c", "--oidc-root-group=ops", "--oidc-redirect-url=https://jobs.example.com/"), code: 2, stderr: []string{"/login/oidc/callback"}},
		{name: "accounts with a mistake", args: append(serve, "--auth="+accounts), code: 1, stderr: []string{accounts, `unknown key "bogus"`}},
		{name: "accounts that are not there", args: append(serve, "--auth="+accounts+".no"), code: 1, stderr: []string{accounts + ".no", "root.username"}},
		{name: "a data folder that is a file", args: append(serve, "--data="+readOnly), code: 1, stderr: []string{readOnly, "--data"}},
		{name: "a file that is no database", args: append(serve, "--dsn=sqlite://"+notSQLite), code: 1, stderr: []string{notSQLite, "not a usable database"}},
		{name: "a database server that is away", args: append(serve, "--dsn=mysql://ops:hunter2@127.0.0.1:1/jobs"), code: 1, stderr: []string{"127.0.0.1:1", "unreachable", "--dsn"}},
		{name: "a connection string of no known kind", args: append(serve, "--dsn=oracle://x"), code: 1, stderr: []string{"oracle"}},
		{name: "a secret given twice", args: append(serve, "--dsn=a", "--dsn-file=b"), code: 2, stderr: []string{"--dsn and --dsn-file are both given"}},
		{name: "a secret's file that is not there", args: append(serve, "--digest-file=/nowhere/digest"), code: 1, stderr: []string{"/nowhere/digest", "ELASTICJOB_DIGEST_FILE"}},
		{name: "demo: the port is taken", args: []string{"demo", "--data=" + data, "--listen=" + port}, code: 1, stderr: []string{port, "--listen"}},
		{name: "demo: the registry's port is taken", args: []string{"demo", "--data=" + data, "--registry=" + port}, code: 1, stderr: []string{port, "--registry"}},
		{name: "demo: the registry for everybody", args: []string{"demo", "--data=" + data, "--registry=0.0.0.0:0"}, code: 2, stderr: []string{"0.0.0.0:0", "this machine only"}},
		{name: "demo: a session too short", args: []string{"demo", "--data=" + data, "--session-timeout=1s"}, code: 2, stderr: []string{"1s", "2s to 20s"}},
		{name: "health: nobody there", args: []string{"health", "--listen=127.0.0.1:1"}, code: 1, stderr: []string{"127.0.0.1:1", "running"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.check(t)
		})
	}
}

// runOfConsole is a command line and what comes of it.
type runOfConsole struct {
	name           string
	args           []string
	env            map[string]string
	code           int
	stdout, stderr []string
}

func (tt runOfConsole) check(t *testing.T) {
	p := start(t, envOf(tt.env), tt.args...)
	code := p.wait()
	stdout, stderr := p.stdout.String(), p.stderr.String()
	if code != tt.code {
		t.Errorf("exit code %d, want %d\n%s%s", code, tt.code, stdout, stderr)
	}
	for _, want := range tt.stdout {
		if !strings.Contains(stdout, want) {
			t.Errorf("standard output lacks %q:\n%s", want, stdout)
		}
	}
	for _, want := range tt.stderr {
		if !strings.Contains(stderr, want) {
			t.Errorf("standard error lacks %q:\n%s", want, stderr)
		}
	}
	if strings.Contains(stdout+stderr, "hunter2") || strings.Contains(stdout+stderr, "correct horse") {
		t.Errorf("a password was printed:\n%s%s", stdout, stderr)
	}
}

// wrongFiles makes a file that is no folder, one of accounts with a mistake, and one
// that is no database.
func wrongFiles(t *testing.T) (readOnly, accounts, notSQLite string) {
	t.Helper()
	readOnly = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(readOnly, []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	accounts = filepath.Join(t.TempDir(), "auth.properties")
	if err := os.WriteFile(accounts, []byte("root.username=root\nroot.password=correct horse\nbogus=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	notSQLite = filepath.Join(t.TempDir(), "not.db")
	if err := os.WriteFile(notSQLite, bytes.Repeat([]byte("not a database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	return readOnly, accounts, notSQLite
}

func TestSecretsComeFromFilesToo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "dsn")
	for _, tt := range []struct{ text, want, err string }{
		{"user:pass word\n", "user:pass word", ""},
		{"keeps inner\nlines\r\n", "keeps inner\nlines", ""},
		{"\n", "", "is empty"},
		{strings.Repeat("x", maxSecret+1), "", "more than a secret has"},
	} {
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := secret("dsn", "", file)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%.20q: got %q, %v; want %q, %q", tt.text, got, err, tt.want, tt.err)
		}
	}
}

// TestFlagsWinOverTheEnvironment: command line, then environment, then default.
func TestFlagsWinOverTheEnvironment(t *testing.T) {
	t.Parallel()
	env := envOf(map[string]string{
		"ELASTICJOB_NAMESPACE": "from-env", "ELASTICJOB_LISTEN": "127.0.0.1:7777",
		"ELASTICJOB_ZOOKEEPER": "a:1,b:2", "ELASTICJOB_DATA": "",
	})
	var cli commandLine
	var out output
	if _, _, err := parse(&cli, []string{"serve", "--listen=127.0.0.1:8888"}, &out, &out, env); err != nil {
		t.Fatal(err)
	}
	if got := cli.Serve; got.Listen != "127.0.0.1:8888" || got.Namespace != "from-env" || strings.Join(got.Zookeeper, "|") != "a:1|b:2" || got.Data != "data" {
		t.Errorf("got %+v", got)
	}
}
