package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

const twoJobs = `[{"jobName":"invoices","health":"FAILING","healthReason":"3 of 4 shards failed","shardingTotalCount":4,"instanceCount":2,"cron":"0 0 3 * * ?","nextFireTime":"2026-11-22T03:00:00Z"},
{"jobName":"orders\u001b[31m","health":"HEALTHY","shardingTotalCount":1,"instanceCount":1}]`

// asks runs a command against the double, and wants an exit code and its standard output.
func (d *consoleDouble) asks(t *testing.T, code int, want string, args ...string) string {
	t.Helper()
	p := start(t, noEnv, append(args, "--console="+d.URL, "--token-file="+tokenFile(t))...)
	if got := p.Wait(); got != code || want != "" && p.Stdout.String() != want {
		t.Errorf("%v: exit code %d, want %d, printed:\n%s%s", args, got, code, p.Stdout.String(), p.Stderr.String())
	}
	return p.Stdout.String() + p.Stderr.String()
}

// TestOutputs: a table, a wider one, JSON as it came, YAML with the keys in their order, and names.
func TestOutputs(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, twoJobs) })
	d.asks(t, 0, `NAME         HEALTH   SHARDS  INSTANCES  NEXT                  REASON
invoices     FAILING  4       2          2026-11-22 03:00:00Z  3 of 4 shards failed
orders�[31m  HEALTHY  1       1          -                     -
`, "job", "list", "inv", "--state=FAILING", "--limit=2")
	if got := d.requests()[0].URI; got != "/api/jobs?page=1&pageSize=2&q=inv&state=FAILING" {
		t.Error(got)
	}
	if said := d.asks(t, 0, "", "job", "list", "-o", "wide"); !strings.Contains(said, "CRON") || !strings.Contains(said, "0 0 3 * * ?") {
		t.Error(said)
	}
	d.asks(t, 0, twoJobs+"\n", "job", "list", "-o", "json")
	d.asks(t, 0, "invoices\norders�[31m\n", "job", "list", "-o", "name")
	if said := d.asks(t, 0, "", "job", "list", "-o", "yaml"); !strings.HasPrefix(said, "- jobName: invoices\n  health: FAILING\n") || !strings.Contains(said, `"orders\e[31m"`) {
		t.Error(said)
	}
	d.asks(t, cli.ExitUsage, "", "job", "list", "-o", "xml")
	d.asks(t, 0, "", "api", "get", "/api/jobs", "-o", "yaml")
}

// TestDidYouMean: an unknown job gets the nearest name.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/jobs" {
			fmt.Fprint(w, twoJobs)
			return
		}
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"code":"not_found","message":"There is no such job.","hint":"Look again.","requestId":"r"}`)
	})
	for _, verb := range []string{"job show", "job explain", "job trigger", "config get", "run list"} {
		if said := d.asks(t, cli.ExitFailure, "", append(strings.Fields(verb), "invoice")...); !strings.Contains(said, "  Did you mean invoices?\n  Look again.\n") {
			t.Errorf("%s: %s", verb, said)
		}
	}
	if said := d.asks(t, cli.ExitFailure, "", "job", "show", "quite-another"); strings.Contains(said, "Did you mean") {
		t.Error(said)
	}
}

// TestWatch: --watch prints an answer again when it differs, outlives an outage, and ends with a signal.
func TestWatch(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		switch asked.Add(1) {
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"code":"registry_down","message":"ZooKeeper is away.","requestId":"r"}`)
		case 4:
			fmt.Fprint(w, `[]`)
		default:
			fmt.Fprint(w, twoJobs)
		}
	})
	p := start(t, noEnv, "job", "list", "--watch", "--console="+d.URL, "--token-file="+tokenFile(t))
	eventually(t, "the list is printed three times", func() bool { return strings.Count(p.Stdout.String(), "NAME") == 3 })
	if code := p.Stop(); code != cli.ExitOK || strings.Count(p.Stdout.String(), "invoices") != 2 || !strings.Contains(p.Stderr.String(), "ZooKeeper is away") {
		t.Errorf("exit code %d:\n%s%s", code, p.Stdout.String(), p.Stderr.String())
	}
}

// TestConfirmations: without a yes nothing is sent.
func TestConfirmations(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	for _, line := range []string{"job shutdown j", "job remove j", "server shutdown s", "server remove s j", "cloud remove j"} {
		if said := d.asks(t, cli.ExitFailure, "", strings.Fields(line)...); !strings.Contains(said, "[yes/no]") || !strings.Contains(said, "--yes") {
			t.Errorf("%s: %s", line, said)
		}
	}
	if n := len(d.requests()); n != 0 {
		t.Errorf("%d requests: %+v", n, d.requests())
	}
}

// TestAPI sends any request, with a body and headers.
func TestAPI(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"match":%q}`, r.Header.Get("If-Match")) })
	d.asks(t, 0, `{"match":"\"3\""}`+"\n", "api", "put", "/api/jobs/config?reason=a%20b", `--header=If-Match: "3"`, `--body={"cron":"x"}`)
	if got := d.requests()[0]; got.URI != "/api/jobs/config?reason=a%20b" || got.Method != http.MethodPut || got.Body != `{"cron":"x"}` {
		t.Errorf("%+v", got)
	}
	d.asks(t, cli.ExitUsage, "", "api", "patch", "/api/jobs")
	d.asks(t, cli.ExitUsage, "", "api", "get", "http://elsewhere/api/jobs")
	d.asks(t, cli.ExitUsage, "", "api", "get", "/api/jobs", "--header=x")
	d.asks(t, cli.ExitFailure, "", "api", "post", "/api/jobs", "--body=@/nowhere")
}

// TestCompletion: words for commands, flags and their values.
func TestCompletion(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"jo": "job\n", "job tr": "trigger\n", "job hold j --wh": "--what\n", "job hold j --what r": "requests\n", "completion ": "bash\nzsh\nfish\n", "comple": "completion\n", "-o y": "", "job list -o y": "yaml\n",
	} {
		p := start(t, noEnv, append([]string{"complete", "--"}, strings.Split(words, " ")...)...)
		if code := p.Wait(); code != 0 || p.Stdout.String() != want {
			t.Errorf("%q: exit code %d, %q, want %q %s", words, code, p.Stdout.String(), want, p.Stderr.String())
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		p := start(t, noEnv, "completion", shell)
		if code := p.Wait(); code != 0 || !strings.Contains(p.Stdout.String(), "elasticjob complete --") {
			t.Errorf("%s: %d %s", shell, code, p.Stdout.String())
		}
	}
}

// TestFit: the last column is cut first, then the widest ones, and names last.
func TestFit(t *testing.T) {
	t.Parallel()
	for width, want := range map[int]string{
		80: "NAME,HEALTH,REASON|monthly-invoices,STAGGERING-ALONG,3 of 4 shards failed",
		50: "NAME,HEALTH,REASON|monthly-invoices,STAGGERING-ALONG,3 of 4 shards…",
		44: "NAME,HEALTH,REASON|monthly-invoices,STAGGERING-AL…,3 of 4 sh…",
		36: "NAME,HEALTH,REASON|monthly-inv…,STAGGERIN…,3 of 4 sh…",
		1:  "NAME,HEALTH,REASON|monthly-i…,STAGGERIN…,3 of 4 sh…",
	} {
		rows := [][]string{{"NAME", "HEALTH", "REASON"}, {"monthly-invoices", "STAGGERING-ALONG", "3 of 4 shards failed"}}
		fit(rows, width)
		if got := strings.Join(rows[0], ",") + "|" + strings.Join(rows[1], ","); got != want {
			t.Errorf("%d: %s, want %s", width, got, want)
		}
	}
}

// TestProgress: a terminal gets a line that is removed at the end, anything else gets nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	var written strings.Builder
	p := newProgress(&written, "jobs", 3)
	if p.step(1); written.Len() > 0 {
		t.Errorf("%q", written.String())
	}
	p.w, p.next = &written, time.Time{}
	p.step(1)
	p.step(1) // Too soon after the one before.
	p.end()
	if got := written.String(); got != "\r\x1b[K2 of 3 jobs\r\x1b[K" {
		t.Errorf("%q", got)
	}
}

// TestRegistry: an agent finds it, and other machines don't.
func TestRegistry(t *testing.T) {
	t.Parallel()
	p := start(t, noEnv, "registry", "--listen=127.0.0.1:0")
	said := p.AwaitText("zookeeper 127.0.0.1:")
	if !strings.Contains(said, "A development tool") {
		t.Error(said)
	}
	address := strings.Fields(after(said, "zookeeper "))[0]
	agent := start(t, noEnv, "agent", "--config="+jobsFile(t, oneScript(address, "SCRIPT")))
	agent.AwaitText("serving 1 jobs")
	agent.Stop()
	if code := p.Stop(); code != cli.ExitOK {
		t.Errorf("exit code %d", code)
	}
	open := start(t, noEnv, "registry", "--listen=0.0.0.0:0")
	if code := open.Wait(); code != cli.ExitUsage || !strings.Contains(open.Stderr.String(), "other machines") {
		t.Errorf("exit code %d: %s", code, open.Stderr.String())
	}
}

// TestW50Variables: commands have variables for connections alone. A variable for another
// program must not change a command.
func TestW50Variables(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, twoJobs) })
	p := start(t, envOf(map[string]string{
		"ELASTICJOB_CONSOLE": d.URL, "ELASTICJOB_TOKEN_FILE": tokenFile(t),
		"ELASTICJOB_LIMIT": "7", "ELASTICJOB_STATE": "FAILING", "ELASTICJOB_OUTPUT": "json", "ELASTICJOB_TIMEOUT": "soon", "ELASTICJOB_REGISTRY": "x", "ELASTICJOB_WATCH": "true",
	}), "job", "list")
	if code := p.Wait(); code != cli.ExitOK || !strings.HasPrefix(p.Stdout.String(), "NAME ") || d.requests()[0].URI != "/api/jobs" {
		t.Errorf("exit code %d, asked %+v:\n%s%s", code, d.requests(), p.Stdout.String(), p.Stderr.String())
	}
}
