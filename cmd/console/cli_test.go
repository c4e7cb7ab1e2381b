package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
)

var (
	noEnv      = clitest.NoEnv
	envOf      = clitest.EnvOf
	eventually = clitest.Eventually
	oneScript  = clitest.OneJob
	startFake  = clitest.Registry
	after      = clitest.After
	status     = clitest.Status
)

func startAgent(t *testing.T, jobs string, args ...string) *clitest.Agent {
	t.Helper()
	return clitest.StartAgent(t, clitest.Build(t, "elasticjob"), jobs, args...)
}

// start runs the program until the test ends or stop is called.
func start(t *testing.T, env cli.Lookup, args ...string) *clitest.Running {
	t.Helper()
	return clitest.Start(t, program, &commandLine{}, env, args...)
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

	for _, tt := range []clitest.Case{
		{Name: "no command shows the help", Code: 0, Stdout: []string{"serve", "demo", "migrate", "ELASTICJOB_LOG_FORMAT"}},
		{Name: "help", Args: []string{"serve", "--help"}, Code: 0, Stdout: []string{"--zookeeper", "--dsn-file"}},
		{Name: "version", Args: []string{"version"}, Code: 0, Stdout: []string{"elasticjob console", "go1."}},
		{Name: "unknown command", Args: []string{"sevre"}, Code: 2, Stderr: []string{"sevre", "console --help"}},
		{Name: "unknown flag", Args: []string{"serve", "--zokeeper=x"}, Code: 2, Stderr: []string{"--zokeeper"}},
		{Name: "bad duration", Args: []string{"serve", "--session-timeout=fast"}, Code: 2, Stderr: []string{"--session-timeout", "fast"}},
		{Name: "bad value from the environment", Args: []string{"version"}, Env: map[string]string{"ELASTICJOB_LOG_LEVEL": "loud"}, Code: 2, Stderr: []string{"loud"}},
		{Name: "serve without a registry", Args: []string{"serve"}, Code: 2, Stderr: []string{"no ZooKeeper is named", "--zookeeper zk1:2181", "console demo"}},
		{Name: "serve without a namespace", Args: []string{"serve", "--zookeeper=127.0.0.1:1"}, Code: 2, Stderr: []string{"namespace", "ELASTICJOB_NAMESPACE"}},
		{Name: "a registry that is no address", Args: append(serve, "--zookeeper=non:sense"), Code: 2, Stderr: []string{`"non:sense" is not host:port`}},
		{Name: "a namespace that is no path", Args: append(serve, "--namespace=a//b"), Code: 2, Stderr: []string{`"a//b"`}},
		{Name: "a malformed listen address", Args: append(serve, "--listen=8899"), Code: 2, Stderr: []string{`"8899"`, "host:port"}},
		{Name: "the port is taken", Args: append(serve, "--listen="+port), Code: 1, Stderr: []string{port, "in use", "choose another address with --listen"}},
		{Name: "shipped passwords on every address", Args: append(serve, "--listen=:0"), Code: 1, Stderr: []string{"shipped password", "--auth"}},
		{Name: "hosts that are none", Args: append(serve, "--allow-hosts=http://x"), Code: 2, Stderr: []string{"http://x", "--allow-hosts"}},
		{Name: "a key that is none", Args: append(serve, "--settings-key=hunter2"), Code: 2, Stderr: []string{"--settings-key", "openssl rand"}},
		{Name: "a provider in the clear", Args: append(serve, "--oidc-issuer=http://id.example.com", "--oidc-client-id=c", "--oidc-root-group=ops", "--oidc-redirect-url=http://localhost:8899/login/oidc/callback"), Code: 2, Stderr: []string{"http://id.example.com", "https", "--oidc-issuer"}},
		{Name: "a provider without a group", Args: append(serve, "--oidc-issuer=https://id.example.com", "--oidc-client-id=c", "--oidc-client-secret=hunter2"), Code: 2, Stderr: []string{"--oidc-root-group", "people could not sign in"}},
		{Name: "a group without a provider", Args: append(serve, "--oidc-root-group=ops"), Code: 2, Stderr: []string{"--oidc-root-group", "no --oidc-issuer"}},
		{Name: "a provider over TLS with cookies in the clear", Args: append(serve, "--oidc-issuer=https://id.example.com", "--oidc-client-id=c", "--oidc-root-group=ops", "--oidc-redirect-url=https://jobs.example.com/login/oidc/callback"), Code: 2, Stderr: []string{"--secure-cookies"}},
		{Name: "a provider's way back that is none", Args: append(serve, "--secure-cookies", "--oidc-issuer=https://id.example.com", "--oidc-client-id=c", "--oidc-root-group=ops", "--oidc-redirect-url=https://jobs.example.com/"), Code: 2, Stderr: []string{"/login/oidc/callback"}},
		{Name: "accounts with a mistake", Args: append(serve, "--auth="+accounts), Code: 1, Stderr: []string{accounts, `unknown key "bogus"`}},
		{Name: "accounts that are not there", Args: append(serve, "--auth="+accounts+".no"), Code: 1, Stderr: []string{accounts + ".no", "root.username"}},
		{Name: "a data folder that is a file", Args: append(serve, "--data="+readOnly), Code: 1, Stderr: []string{readOnly, "--data"}},
		{Name: "a file that is no database", Args: append(serve, "--dsn=sqlite://"+notSQLite), Code: 1, Stderr: []string{notSQLite, "not a usable database"}},
		{Name: "a database server that is away", Args: append(serve, "--dsn=mysql://ops:hunter2@127.0.0.1:1/jobs"), Code: 1, Stderr: []string{"127.0.0.1:1", "unreachable", "--dsn"}},
		{Name: "a connection string of no known kind", Args: append(serve, "--dsn=oracle://x"), Code: 1, Stderr: []string{"oracle"}},
		{Name: "a secret given twice", Args: append(serve, "--dsn=a", "--dsn-file=b"), Code: 2, Stderr: []string{"--dsn and --dsn-file are both given"}},
		{Name: "a secret's file that is not there", Args: append(serve, "--digest-file=/nowhere/digest"), Code: 1, Stderr: []string{"/nowhere/digest", "ELASTICJOB_DIGEST_FILE"}},
		{Name: "demo: the port is taken", Args: []string{"demo", "--data=" + data, "--listen=" + port}, Code: 1, Stderr: []string{port, "--listen"}},
		{Name: "demo: the registry's port is taken", Args: []string{"demo", "--data=" + data, "--registry=" + port}, Code: 1, Stderr: []string{port, "--registry"}},
		{Name: "demo: the registry for everybody", Args: []string{"demo", "--data=" + data, "--registry=0.0.0.0:0"}, Code: 2, Stderr: []string{"0.0.0.0:0", "this machine only"}},
		{Name: "demo: a session too short", Args: []string{"demo", "--data=" + data, "--session-timeout=1s"}, Code: 2, Stderr: []string{"1s", "2s to 20s"}},
		{Name: "health: nobody there", Args: []string{"health", "--listen=127.0.0.1:1"}, Code: 1, Stderr: []string{"127.0.0.1:1", "running"}},
	} {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()
			tt.Check(t, program, &commandLine{})
		})
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

// TestFlagsWinOverTheEnvironment: command line, then environment, then default.
func TestFlagsWinOverTheEnvironment(t *testing.T) {
	t.Parallel()
	env := envOf(map[string]string{
		"ELASTICJOB_NAMESPACE": "from-env", "ELASTICJOB_LISTEN": "127.0.0.1:7777",
		"ELASTICJOB_ZOOKEEPER": "a:1,b:2", "ELASTICJOB_DATA": "",
	})
	var line commandLine
	var out clitest.Output
	if _, _, err := program.Parse(&line, []string{"serve", "--listen=127.0.0.1:8888"}, &out, &out, env); err != nil {
		t.Fatal(err)
	}
	if got := line.Serve; got.Listen != "127.0.0.1:8888" || got.Namespace != "from-env" || strings.Join(got.Zookeeper, "|") != "a:1|b:2" || got.Data != "data" {
		t.Errorf("got %+v", got)
	}
}
