package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestSeveralJobs: an action on the jobs of a pattern prints what it would do and asks first.
func TestSeveralJobs(t *testing.T) {
	t.Parallel()
	c := configuredConsole(t)
	run := func(code int, want string, line string, more ...string) {
		t.Helper()
		c.runs(noEnv, code, []string{want}, append(append([]string{"job"}, strings.Fields(line)...), more...)...)
	}
	run(cli.ExitFailure, "invoices  planned", "disable --match=inv*")
	run(0, "invoices  done", "disable --match=inv* --yes --reason=INC-1")
	run(0, "DISABLED", "list invoices")
	run(0, "orders    done", "enable --all --yes")
	run(0, "invoices\norders\n", "trigger --all --yes -o name")
	run(0, "invoices  done", "disable invoices --until=+2h")
	run(0, "invoices  done", "label invoices --text=urgent")
	run(cli.ExitFailure, "Did you mean invoices?", "enable --match=invoice --yes")
	run(cli.ExitFailure, "no job matches", "enable --match=zzz* --yes")
	run(cli.ExitUsage, "--match: syntax error", "enable --match=[a", "--yes")
	run(cli.ExitUsage, "no job is named", "enable")
	run(cli.ExitUsage, "exclude each other", "enable invoices --all")
	run(cli.ExitUsage, "--shard is about one job", "enable --all --shard=1")
	run(cli.ExitUsage, "--persistent is about one job", "disable --all --persistent")
	run(cli.ExitUsage, "--instances is about one job", "trigger --all --instances=i")
	run(cli.ExitUsage, "--force is about one job", "remove --all --force --yes")
	run(cli.ExitUsage, "--state is about one job", "cancel-waiting --all --state=queued")
	run(cli.ExitUsage, "is no time", "disable invoices --until=someday")
	run(cli.ExitUsage, "want --text or --remove", "label invoices")
}

// TestSeveralJobsInParts: more than 200 jobs are several requests. If the token expires in between, the
// command prints how far it got.
func TestSeveralJobsInParts(t *testing.T) {
	t.Parallel()
	bulk := 0
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			jobs := make([]string, 450)
			for i := range jobs {
				jobs[i] = fmt.Sprintf(`{"jobName":"job-%03d"}`, i)
			}
			fmt.Fprintf(w, "[%s]", strings.Join(jobs, ","))
			return
		}
		if bulk++; bulk == 3 {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"code":"no_token","message":"The token has expired.","requestId":"r"}`)
			return
		}
		fmt.Fprint(w, `{"done":199,"refused":1,"results":[{"job":"job-001","affected":["a"]},{"job":"job-002","code":"busy","message":"It runs."}]}`)
	})
	said := d.asks(t, cli.ExitFailure, "", "job", "disable", "--all", "--yes")
	for _, want := range []string{"job-001  done     a", "job-002  busy     It runs.", "only 398 jobs of 450: not signed in: The token has expired", "--token-file"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q:\n%s", want, said)
		}
	}
	if asked := d.requests(); len(asked) != 4 || strings.Count(asked[1].Body, "job-") != 200 || strings.Contains(asked[1].Body, `"preview":true`) {
		t.Errorf("%d requests", len(asked))
	}
}

// TestBatch requests a run for each object of a file. Refused ones are named by their number.
func TestBatch(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"created":2,"runs":[{"index":0,"id":"first"},{"index":2,"id":"third"}],"refused":[{"index":1,"code":"invalid","message":"No.","fields":[{"field":"delay","want":"a time such as 5m"}]}]}`)
	})
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	said := d.asks(t, cli.ExitFailure, "first\nthird\n", "job", "run", "j", "--file="+file("a.jsonl", "{\"key\":\"a\"}\n{\"delay\":\"x\"}\n[{\"params\":{\"n\":1}}]\n"))
	if !strings.Contains(said, "object 2: No. delay: want a time such as 5m\n") || !strings.Contains(said, "1 request of 3 refused") {
		t.Error(said)
	}
	if got := d.requests()[0]; got.URI != "/api/jobs/j/requested-runs/batch" || got.Body != `{"runs":[{"key":"a"},{"delay":"x"},{"params":{"n":1}}]}` {
		t.Errorf("%+v", got)
	}
	for name, text := range map[string]string{"object 2: unexpected EOF": "{}\n{\"key\":\n", "object 2 is no JSON object": "{}\n7\n", "has no object": "\n", "object 1 is too long": `{"params":"` + strings.Repeat("x", mostBatchBytes) + `"}`} {
		if said := d.asks(t, cli.ExitUsage, "", "job", "run", "j", "--file="+file("bad", text)); !strings.Contains(said, name) {
			t.Errorf("no %q: %s", name, said)
		}
	}
	d.asks(t, cli.ExitUsage, "", "job", "run", "j", "--wait", "--file="+file("a.jsonl", "{}"))
	d.asks(t, cli.ExitFailure, "", "job", "run", "j", "--file="+filepath.Join(folder, "nothing"))
	if n := len(d.requests()); n != 1 {
		t.Errorf("%d requests", n)
	}
	d.asks(t, cli.ExitFailure, "", "job", "run", "j", "--file="+file("many", strings.Repeat("{}\n", 2500)))
	if n := len(d.requests()); n != 4 {
		t.Errorf("%d requests for 2,500 runs and one before", n)
	}
}
