//go:build servers && unix

package main

import (
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestServeWithRealServers does with ZooKeeper and MariaDB what TestDemo does
// with the servers of the demo.
func TestServeWithRealServers(t *testing.T) {
	registry := zktest.StartZooKeeper(t)
	database := storetest.StartMariaDB(t)
	dsn := database.DSN(database.NewDatabase(t))
	namespace := zktest.Namespace(t)

	p, site := startServe(t, "--zookeeper="+registry.Addr(), "--namespace="+namespace, "--dsn="+dsn)
	undo := cli.Cleanups{Log: slog.New(slog.NewTextHandler(&p.Stderr, nil))}
	shop, err := startShop(t.Context(), &undo, undo.Log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := undo.Run(); err != nil {
			t.Error(err)
		}
	})

	f := fleet{site: site, agents: map[string]int{}}
	var printed clitest.Output
	for _, address := range demoAddresses {
		cmd := exec.Command(os.Args[0], "demo-agent", "--zookeeper="+registry.Addr(), "--namespace="+namespace,
			"--session-timeout=3s", "--address="+address, "--dsn="+dsn, "--shop="+shop)
		cmd.Stdout, cmd.Stderr = &printed, &printed
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			stdin.Close()
			if err := cmd.Wait(); err != nil && !strings.Contains(err.Error(), "killed") {
				t.Errorf("agent %s: %v\n%s", address, err, printed.String())
			}
		})
		f.agents[address] = cmd.Process.Pid
	}
	eventually(t, "three agents serve", func() bool { return strings.Count(printed.String(), "started\n") == 3 })
	operate(t, f)
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d:\n%s", code, p.Stderr.String())
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	maria, postgres := storetest.StartMariaDB(t), storetest.StartPostgres(t)
	for name, dsn := range map[string]string{
		"sqlite": storetest.SQLiteDSN(t), "mariadb": maria.DSN(maria.NewDatabase(t)), "postgres": postgres.DSN(postgres.NewDatabase(t)),
	} {
		for _, step := range []struct {
			args []string
			code int
			want string
		}{
			{[]string{"migrate", "status"}, cli.ExitFailure, "missing"},
			{[]string{"migrate"}, cli.ExitOK, "applied"},
			{[]string{"migrate", "up"}, cli.ExitOK, "up to date"},
			{[]string{"migrate", "status"}, cli.ExitOK, "up to date"},
		} {
			p := start(t, noEnv, append(step.args, "--dsn="+dsn, "--log-level=warn")...)
			code := p.Wait()
			if text := p.Stdout.String() + p.Stderr.String(); code != step.code || !strings.Contains(text, step.want) {
				t.Errorf("%s: %v: exit code %d, want %d, and %q in:\n%s", name, step.args, code, step.code, step.want, text)
			}
		}
	}
}

// TestW18MigratePrintsTheSQL: if a Java engine created the tables in a narrow character set,
// each call prints what they can't hold, and the statement that makes room.
func TestW18MigratePrintsTheSQL(t *testing.T) {
	t.Parallel()
	server := storetest.StartMariaDB(t)
	name := server.NewDatabase(t)
	server.Exec(t, "", "ALTER DATABASE "+name+" CHARACTER SET latin1")
	storetest.CreateJavaTables(t, storetest.Open(t, server.DSN(name)), storetest.Java305)
	for range 2 {
		p := start(t, noEnv, "migrate", "--dsn="+server.DSN(name), "--log-level=warn")
		code := p.Wait()
		for _, want := range []string{
			"JOB_EXECUTION_LOG: the character set of id, job_name, task_id, ip, run_id is latin1",
			"ALTER TABLE JOB_EXECUTION_LOG CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;",
			"ALTER TABLE JOB_STATUS_TRACE_LOG MODIFY job_name VARCHAR(255)",
		} {
			if text := p.Stdout.String(); code != cli.ExitOK || !strings.Contains(text, want) {
				t.Errorf("exit code %d; want %q in:\n%s%s", code, want, text, p.Stderr.String())
			}
		}
	}
}

// TestServeNamesWhatIsWrongWithTheDatabase: the message has the value, never
// the password, and the remedy; nothing is left running.
func TestServeNamesWhatIsWrongWithTheDatabase(t *testing.T) {
	t.Parallel()
	server := storetest.StartMariaDB(t)
	good := server.DSN(server.NewDatabase(t))
	at := strings.LastIndex(good, "/")
	address := good[strings.LastIndex(good, "@")+1 : at]

	emptyReadOnly := storetest.SQLiteDSN(t)
	storetest.Open(t, emptyReadOnly)

	for _, tt := range []struct {
		name, dsn string
		code      int
		want      []string
	}{
		{"no such database", good[:at] + "/nowhere", cli.ExitFailure, []string{"nowhere", "does not exist", "CREATE DATABASE"}},
		{"wrong password", "mysql://elasticjob:wrong-secret@" + address + good[at:], cli.ExitFailure, []string{"access denied", "elasticjob", address}},
		{"an empty database that cannot be written", emptyReadOnly + "?mode=ro", cli.ExitFailure, []string{"read-only", "write permission"}},
	} {
		p := start(t, noEnv, "serve", "--zookeeper=127.0.0.1:1", "--namespace=x", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--dsn="+tt.dsn)
		code := p.Wait()
		text := p.Stdout.String() + p.Stderr.String()
		if code != tt.code {
			t.Errorf("%s: exit code %d, want %d", tt.name, code, tt.code)
		}
		for _, want := range append(tt.want, "--dsn") {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the message lacks %q:\n%s", tt.name, want, text)
			}
		}
		if strings.Contains(text, "wrong-secret") {
			t.Errorf("%s: the password was printed:\n%s", tt.name, text)
		}
	}
}
