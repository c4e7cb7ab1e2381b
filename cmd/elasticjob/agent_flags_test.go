//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// jobsFile writes a job file and returns its name.
func jobsFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "jobs.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAgentRefusesAForeignJob: a name that belongs to a job of another type is
// not served, and the program says what to do.
func TestAgentRefusesAForeignJob(t *testing.T) {
	t.Parallel()
	registry := startFake(t)
	first := start(t, noEnv, "agent", "--config="+jobsFile(t, oneScript(registry, "SCRIPT")))
	first.AwaitText("serving 1 jobs")
	if code := first.Stop(); code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, first.Stderr.String())
	}
	second := start(t, noEnv, "agent", "--config="+jobsFile(t, oneScript(registry, "HTTP")))
	if code := second.Wait(); code != cli.ExitFailure {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"job conflict", "nightly", "SCRIPT", "another class or type"} {
		if said := second.Stderr.String(); !strings.Contains(said, want) {
			t.Errorf("the program does not say %q:\n%s", want, said)
		}
	}
}

// TestAgentWaitsForItsRegistry starts before ZooKeeper does and is stopped
// before it comes: neither is a failure.
func TestAgentWaitsForItsRegistry(t *testing.T) {
	t.Parallel()
	registry := zkfake.New(zkfake.Options{TickTime: 100 * time.Millisecond})
	t.Cleanup(func() { registry.Close() })
	addr, err := registry.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	registry.Stop()
	early := start(t, noEnv, "agent", "--config="+jobsFile(t, oneScript(addr.String(), "SCRIPT")), "--health=127.0.0.1:0")
	site := strings.Fields(after(early.AwaitText("answering probes"), "http://"))[0]
	if got := status(t, "http://"+site+"/readyz"); got != http.StatusServiceUnavailable {
		t.Errorf("/readyz answers %d while there is no registry", got)
	}
	if code := early.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d: %s", code, early.Stderr.String())
	}
	patient := start(t, noEnv, "agent", "--config="+jobsFile(t, oneScript(addr.String(), "SCRIPT")))
	if err := registry.Start(); err != nil {
		t.Fatal(err)
	}
	patient.AwaitText("serving 1 jobs")
	if code := patient.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d: %s", code, patient.Stderr.String())
	}
}

// TestAgentAnswersDumps: elasticjob.dump is ElasticJob's service.
func TestAgentAnswersDumps(t *testing.T) {
	t.Parallel()
	port := clitest.FreeAddress(t)
	p := start(t, noEnv, "agent", "--config="+jobsFile(t, oneScript(startFake(t), "SCRIPT")+"  dump: {port: "+after(port, ":")+"}\n"))
	p.AwaitText("serving 1 jobs")
	conn, err := net.Dial("tcp", port)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintln(conn, "dump@nightly"); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "/nightly/") {
		t.Errorf("got %q, %v", line, err)
	}
}

// TestAgentCheck prints what would be served, and connects to nothing.
func TestAgentCheck(t *testing.T) {
	t.Parallel()
	env := envOf(map[string]string{"PW": "hunter2"})
	text := strings.Replace(oneScript("127.0.0.1:1", "SCRIPT"), "    nightly:", "    once: {elasticJobType: HTTP, shardingTotalCount: 1, jobBootstrapBeanName: x, props: {http.uri: \"http://a/?token=hunter2\", http.method: GET}}\n    nightly:", 1) +
		"  tracing: {type: RDB, excludeJobNames: [once], dataSource: {url: \"jdbc:mysql://127.0.0.1:1/jobs?serverTimezone=UTC\", username: ops, password: \"${PW}\"}}\n  dump: {port: 0}\n"
	p := start(t, env, "agent", "--check", "--config="+jobsFile(t, text))
	if code := p.Wait(); code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, p.Stderr.String())
	}
	said := p.Stdout.String()
	for _, want := range []string{
		"jobs.yaml is in order", "127.0.0.1:1, namespace test", "mysql://ops:***@127.0.0.1:1/jobs, without once", "a free port of 127.0.0.1",
		"nightly        SCRIPT, 2 shards", "0 0 3 * * ?", "03:00:00 +08:00", "once       HTTP, 1 shard", "when it is triggered",
		"line 4: elasticjob.jobs.once.jobBootstrapBeanName: has no effect", "serverTimezone",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("lacks %q:\n%s", want, said)
		}
	}
	if n := strings.Count(said, "03:00:00 +08:00"); n != 3 {
		t.Errorf("%d fire times, want 3:\n%s", n, said)
	}
	if strings.Contains(said+p.Stderr.String(), "hunter2") {
		t.Errorf("a secret is printed:\n%s", said)
	}
}

// TestW17CheckReports settings that are allowed and most likely fail at each run.
func TestW17CheckReports(t *testing.T) {
	t.Parallel()
	file := jobsFile(t, `elasticjob:
  regCenter: {serverLists: "127.0.0.1", namespace: test}
  jobs:
    shell: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: "/bin/echo a | mail ops"}}
    absent: {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: "/nowhere/job.sh --password=hunter2"}}
    past: {elasticJobType: SCRIPT, shardingTotalCount: 1, cron: "0 0 0 1 1 ? 2020", props: {script.command.line: "/bin/echo"}}
    mails:
      elasticJobType: SCRIPT
      shardingTotalCount: 1
      jobErrorHandlerType: EMAIL
      props: {script.command.line: "/bin/echo", email.host: mail, email.port: "25", email.username: u, email.password: "${PW}", email.from: a@b.c, email.to: "ops at example.com"}
`)
	p := start(t, envOf(map[string]string{"PW": "hunter2"}), "agent", "--check", "--config="+file)
	if code := p.Wait(); code != cli.ExitOK {
		t.Fatalf("exit code %d: %s", code, p.Stderr.String())
	}
	said := p.Stdout.String()
	for _, want := range []string{
		"127.0.0.1, namespace test",
		`warning: line 4: job shell: there is no shell, so the program gets "|" as an argument. Why: `, `Fix: write sh -c '…'`,
		"line 5: job absent: its program can't be started on this machine: ", "/nowhere/job.sh",
		"line 6: job past: its cron never fires again",
		`line 7: job mails: no mail would be sent: property email.to: "ops at example.com" is not a mail address`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("lacks %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, "hunter2") || strings.Count(said, ": job ") != 4 {
		t.Errorf("a secret, or more than four doubts:\n%s", said)
	}
}

// TestExampleFile: the file in examples/ is in order, as it is.
func TestExampleFile(t *testing.T) {
	t.Parallel()
	p := start(t, noEnv, "agent", "--check", "--config=../../examples/jobs.yaml")
	if code := p.Wait(); code != cli.ExitOK || strings.Contains(p.Stdout.String(), "findings") {
		t.Errorf("exit code %d:\n%s%s", code, p.Stdout.String(), p.Stderr.String())
	}
}

func TestAgentCommandLine(t *testing.T) {
	t.Parallel()
	classes := strings.Replace(oneScript("127.0.0.1:1", "SCRIPT"), "elasticJobType: SCRIPT", "elasticJobClass: com.acme.Nightly", 1)
	script := oneScript("127.0.0.1:1", "SCRIPT")
	for name, tt := range map[string]struct {
		args []string
		file string
		code int
		want []string
	}{
		"no file":          {code: cli.ExitUsage, want: []string{"no job file is named", "ELASTICJOB_CONFIG"}},
		"properties":       {file: "elasticjob.regCenter.serverLists=a:2181\nelasticjob.jobs.nightly.cron=0 0 3 * * ?\n", code: cli.ExitUsage, want: []string{"line 1: is a line of a properties file, and a job file is YAML"}}, // W17
		"a file not there": {args: []string{"--config=/nowhere/jobs.yaml"}, code: cli.ExitUsage, want: []string{"/nowhere/jobs.yaml", "docs/agent.md"}},
		"mistakes":         {file: "elasticjob: {jbos: 1}\n", code: cli.ExitUsage, want: []string{"jobs.yaml: 3 problems", "line 1: elasticjob.jbos: unknown key; did you mean jobs?"}},
		"no jobs":          {file: "elasticjob: {regCenter: {serverLists: 'a:1', namespace: x}}\n", code: cli.ExitUsage, want: []string{"elasticjob.jobs is empty"}},
		"code":             {file: classes, code: cli.ExitUsage, want: []string{"1 jobs need code", `line 4: elasticjob.jobs.nightly.elasticJobClass: "com.acme.Nightly" is code`, "SIMPLE and DATAFLOW", "coreagent/jobfile"}},
		"dataflow":         {file: oneScript("127.0.0.1:1", "DATAFLOW"), code: cli.ExitUsage, want: []string{`"DATAFLOW" is not a type in ElasticJob`, "elasticJobClass"}},
		"switched off":     {file: script + "  enabled: false\n", code: cli.ExitOK, want: []string{"there is nothing to serve"}},
		"a negative drain": {args: []string{"--drain=-1s"}, file: script, code: cli.ExitUsage, want: []string{"--drain -1s is negative"}},
		"no address":       {args: []string{"--address=here"}, file: script, code: cli.ExitUsage, want: []string{`--address "here" is no IP address`}},
		"two addresses":    {args: []string{"--address=10.0.0.1", "--interface=eth0"}, file: script, code: cli.ExitUsage, want: []string{"--address 10.0.0.1 leaves --interface"}},
		"no interface":     {args: []string{"--interface=nosuch0"}, file: script, code: cli.ExitUsage, want: []string{`Interface: no interface "nosuch0" is up`}},
		"a bad pattern":    {args: []string{"--address-pattern=10.(", "--check"}, file: script, code: cli.ExitUsage, want: []string{"AddressPattern", "10.("}},
		"no database":      {file: script + "  tracing: {type: RDB}\n", code: cli.ExitUsage, want: []string{"no database is named", "spring.datasource"}},
		"Java's database":  {file: script + "  tracing: {type: RDB, dataSource: {url: 'jdbc:h2:mem:x;PASSWORD=hunter2'}}\n", code: cli.ExitUsage, want: []string{"line 10", "jdbc:h2 is not supported", "jdbc:mysql://host:3306/name"}},
		"a bad DSN":        {args: []string{"--dsn=oracle://a:hunter2@b/c"}, file: script, code: cli.ExitUsage, want: []string{"bad data source name", "--dsn"}},
		"a taken probe":    {args: []string{"--health=256.0.0.1:1"}, file: script, code: cli.ExitFailure, want: []string{"--health"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"agent"}, tt.args...)
			if tt.file != "" {
				args = append(args, "--config="+jobsFile(t, tt.file))
			}
			p := start(t, noEnv, args...)
			code := p.Wait()
			said := p.Stdout.String() + p.Stderr.String()
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			for _, want := range tt.want {
				if !strings.Contains(said, want) {
					t.Errorf("lacks %q:\n%s", want, said)
				}
			}
			if strings.Contains(said, "hunter2") {
				t.Errorf("a password is printed:\n%s", said)
			}
		})
	}
}

func TestDataSourceName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		source jobfile.DataSource
		want   string
		unused []string
		err    string
	}{
		{source: jobfile.DataSource{URL: "jdbc:mysql://db/jobs", Username: "a", Password: "p@s/w?"}, want: "mysql://a:p%40s%2Fw%3F@db:3306/jobs"},
		{source: jobfile.DataSource{URL: "jdbc:mysql://db:3307/jobs?user=a&password=b&useSSL=false&serverTimezone=UTC&useUnicode=true"}, want: "mysql://a:b@db:3307/jobs?tls=false", unused: []string{"serverTimezone", "useUnicode"}},
		{source: jobfile.DataSource{URL: "jdbc:mariadb://db/jobs?sslMode=verify-full&connectTimeout=500", Username: "a"}, want: "mysql://a:@db:3306/jobs?timeout=500ms&tls=true"},
		{source: jobfile.DataSource{URL: "jdbc:mysql://[::1]/jobs?sslMode=REQUIRED&useSSL=true"}, want: "mysql://[::1]:3306/jobs?tls=skip-verify"},
		{source: jobfile.DataSource{URL: "jdbc:sqlite:data/jobs.db"}, want: "sqlite:data/jobs.db"},
		{source: jobfile.DataSource{URL: "mysql://db/jobs?timeout=1s", Username: "a", Password: "b"}, want: "mysql://a:b@db:3306/jobs?timeout=1s"},
		{source: jobfile.DataSource{URL: "sqlite:///a/b.db"}, want: "sqlite:///a/b.db"},
		{source: jobfile.DataSource{URL: "a:b@tcp(db)/jobs"}, want: "a:b@tcp(db)/jobs"},
		{source: jobfile.DataSource{URL: "a:b@tcp(db)/jobs", Username: "x"}, err: "username is given, but the address"},
		{source: jobfile.DataSource{URL: "jdbc:mysql://h1:1,h2:2/jobs"}, err: "several hosts"},
		{source: jobfile.DataSource{URL: "jdbc:mysql://db"}, err: "names no database"},
		{source: jobfile.DataSource{URL: "jdbc:mysql://a:hunter2@db:x/jobs"}, err: "host, its port or its account can't be read"},
		{source: jobfile.DataSource{URL: "jdbc:postgresql://db/jobs", Username: "a", Password: "p@s/w?"}, want: "postgres://a:p%40s%2Fw%3F@db:5432/jobs"},
		{source: jobfile.DataSource{URL: "jdbc:postgresql://db:1/jobs?user=a&password=b&ssl=true&connectTimeout=3&currentSchema=jobs&ApplicationName=x&tcpKeepAlive=true"}, want: "postgres://a:b@db:1/jobs?application_name=x&connect_timeout=3&search_path=jobs&sslmode=verify-full", unused: []string{"tcpKeepAlive"}},
		{source: jobfile.DataSource{URL: "postgres://db/jobs?sslmode=disable", Username: "a", Password: "b"}, want: "postgres://a:b@db:5432/jobs?sslmode=disable"},
		{source: jobfile.DataSource{URL: "jdbc:postgresql://h1:1,h2:2/jobs"}, err: "several hosts"},
		{source: jobfile.DataSource{URL: "jdbc:mysql:replication://a:hunter2@h1,h2/jobs"}, err: "several hosts"},
		{source: jobfile.DataSource{URL: "jdbc:oracle:thin:@db/jobs"}, err: "jdbc:oracle is not supported"},
	} {
		got, unused, err := dataSourceName(tt.source)
		switch {
		case tt.err != "":
			if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s: got %q, %v; want %q", tt.source.URL, got, err, tt.err)
			}
		case err != nil || got != tt.want || strings.Join(unused, ",") != strings.Join(tt.unused, ","):
			t.Errorf("%s: got %q, %v, %v; want %q, %v", tt.source.URL, got, unused, err, tt.want, tt.unused)
		default:
			if err := store.Check(got); err != nil {
				t.Errorf("%s: %v", tt.source.URL, err)
			}
		}
	}
}

// TestW21DataSourceOfAnAgent: an agent's connection is at least as safe as the JDBC URL asks
// for, and a security parameter that we don't understand is an error without its value.
func TestW21DataSourceOfAnAgent(t *testing.T) {
	for url, want := range map[string]string{
		"jdbc:mysql://db/jobs?useSSL=true&requireSSL=true&verifyServerCertificate=true": "mysql://db:3306/jobs?tls=true",
		"jdbc:mysql://db/jobs?useSSL=true&keyStorePassword=hunter2":                     `"keyStorePassword" of the URL is not understood`,
		"jdbc:postgresql://db/jobs?sslrootcert=hunter2":                                 `"sslrootcert" of the URL is not understood`,
	} {
		got, _, err := dataSourceName(jobfile.DataSource{URL: url})
		if text := fmt.Sprint(got, err); !strings.Contains(text, want) || strings.Contains(text, "hunter2") {
			t.Errorf("%s: got %s; want %s", url, text, want)
		}
	}
}
