package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// askedOfConsole is a request as the console of a test got it.
type askedOfConsole struct {
	Method, URI, Auth, Key, Body string
}

// consoleDouble answers in place of a console, and remembers what it was asked.
type consoleDouble struct {
	*httptest.Server
	mu    sync.Mutex
	asked []askedOfConsole
}

func (d *consoleDouble) requests() []askedOfConsole {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]askedOfConsole(nil), d.asked...)
}

// answering starts one.
func answering(t *testing.T, answer http.HandlerFunc) *consoleDouble {
	t.Helper()
	d := &consoleDouble{}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // What cannot be read is not asked.
		d.mu.Lock()
		d.asked = append(d.asked, askedOfConsole{r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("Idempotency-Key"), string(body)})
		d.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(d.Close)
	return d
}

const aRun = "0193a5b0-7c11-7000-8000-5f2a9c31d0e4"

// stateOf is the answer about a run.
func stateOf(state, more string) string {
	return `{"jobName":"j","id":"` + aRun + `","state":"` + state + `","attempt":1,"by":{"kind":"api","name":"root"},"submittedAt":"2026-11-22T02:30:00Z","dueAt":"2026-11-22T02:30:00Z"` + more + `}`
}

func tokenFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("t0ken\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// groupOf is the command that has a verb: run for verbs about a run, else job.
func groupOf(args []string) string {
	if slices.Contains([]string{"show", "logs", "cancel", "start", "again"}, args[0]) {
		return "run"
	}
	return "job"
}

// startJob starts `elasticjob job` against the double.
func (d *consoleDouble) startJob(t *testing.T, args ...string) *clitest.Running {
	t.Helper()
	return start(t, noEnv, append(append([]string{groupOf(args)}, args...), "--console="+d.URL, "--token-file="+tokenFile(t))...)
}

// job runs it, and wants an exit code and texts.
func (d *consoleDouble) job(t *testing.T, code int, want []string, args ...string) (stdout, stderr string) {
	t.Helper()
	p := d.startJob(t, args...)
	if got := p.Wait(); got != code {
		t.Errorf("%v: exit code %d, want %d", args, got, code)
	}
	stdout, stderr = p.Stdout.String(), p.Stderr.String()
	for _, text := range want {
		if !strings.Contains(stdout+stderr, text) {
			t.Errorf("%v: it did not print %q:\n%s%s", args, text, stdout, stderr)
		}
	}
	return stdout, stderr
}

func TestR61JobWaitEndsWithTheCodeOfTheRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		state, more string
		code        int
		want        []string
	}{
		{"succeeded", "", 0, nil},
		{"failed", `,"reason":"2 of 4 shards failed","details":[{"shard":3,"state":"failed","error":"no such month\n at line 7"}]`, 3, []string{"failed: 2 of 4 shards failed", "shard 3: no such month", "elasticjob run show j " + aRun}},
		{"cancelled", `,"reason":"cancelled by root: wrong month"`, 4, []string{`: cancelled by root: wrong month`}},
		{"skipped", `,"reason":"every shard is disabled"`, 5, []string{"skipped: every shard is disabled"}},
		{"expired", "", 5, []string{"expired"}},
	} {
		t.Run(tt.state, func(t *testing.T) {
			t.Parallel()
			states := []string{stateOf("queued", ""), stateOf("running", ""), stateOf(tt.state, tt.more)}
			var looks atomic.Int32
			d := answering(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					w.WriteHeader(http.StatusCreated)
					fmt.Fprint(w, stateOf("queued", ""))
					return
				}
				fmt.Fprint(w, states[min(int(looks.Add(1))-1, 2)])
			})
			stdout, stderr := d.job(t, tt.code, append(tt.want, "run "+aRun+": queued\n", "run "+aRun+": running\n", "run "+aRun+": "+tt.state), "run", "j", "--wait")
			if stdout != aRun+"\n" {
				t.Errorf("standard output %q", stdout)
			}
			if strings.Count(stderr, "queued") != 1 {
				t.Errorf("a state is said twice:\n%s", stderr)
			}
		})
	}
}

func TestJobSendsWhatIsGiven(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, stateOf("scheduled", "")) })
	params := filepath.Join(t.TempDir(), "params.json")
	if err := os.WriteFile(params, []byte("{\"month\": \"2026-10\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, _ := d.job(t, 0, nil, "run", "作业 50%+/x", "--params=@"+params, "--delay=5m", "--key=k 1", "--shards=0,2", "--note=INC-4821", "--registry=b&c", "--manual")
	if stdout != aRun+"\n" {
		t.Errorf("standard output %q", stdout)
	}
	d.job(t, 0, nil, "run", "config", "--params", `{"n":12345678901234567890,"n":1}`, "--at=2026-11-22T02:30:00+01:00")
	d.job(t, 0, nil, "cancel", "j", aRun, "--reason=wrong month")
	d.job(t, 0, []string{"run " + aRun + ": scheduled for 2026-11-22 02:30:00Z"}, "start", "j", aRun)
	d.job(t, 0, nil, "again", "j", aRun, "--params=null")
	d.job(t, 0, nil, "again", "j", aRun, "--shards=failed", "--note=once more")
	const job = "/api/jobs/%E4%BD%9C%E4%B8%9A%2050%25%2B%2Fx/requested-runs?registry=b%26c"
	want := []askedOfConsole{
		{"POST", job, "Bearer t0ken", "k 1", `{"params":{"month":"2026-10"},"delay":"5m0s","shards":[0,2],"note":"INC-4821","manual":true}`},
		{"POST", "/api/jobs/%63onfig/requested-runs", "Bearer t0ken", "", `{"params":{"n":12345678901234567890,"n":1},"notBefore":"2026-11-22T02:30:00+01:00"}`},
		{"POST", "/api/jobs/j/requested-runs/" + aRun + "/cancel", "Bearer t0ken", "", `{"reason":"wrong month"}`},
		{"POST", "/api/jobs/j/requested-runs/" + aRun + "/start", "Bearer t0ken", "", ``},
		{"POST", "/api/jobs/j/requested-runs/" + aRun + "/again", "Bearer t0ken", "", `{"params":null,"shards":"all"}`},
		{"POST", "/api/jobs/j/requested-runs/" + aRun + "/again", "Bearer t0ken", "", `{"note":"once more","shards":"failed"}`},
	}
	for i, got := range d.requests() {
		if i >= len(want) || got != want[i] {
			t.Errorf("request %d: %+v", i, got)
		}
	}
	if n := len(d.requests()); n != len(want) {
		t.Errorf("%d requests, want %d", n, len(want))
	}
}

func TestJobReadsParametersFromItsInput(t *testing.T) {
	t.Parallel()
	p := &cli.Process{Ctx: t.Context(), Stdin: strings.NewReader(` {"a":1} `)}
	if got, err := readParams(p, "-"); err != nil || strings.TrimSpace(string(got)) != `{"a":1}` {
		t.Errorf("%s, %v", got, err)
	}
	p.Stdin = bytes.NewReader(bytes.Repeat([]byte("7"), mostParams+10))
	if got, err := readParams(p, "-"); err == nil || got != nil {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	reader, writer := io.Pipe() // nobody ever writes
	t.Cleanup(func() { writer.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := readParams(&cli.Process{Ctx: ctx, Stdin: reader}, "-"); err == nil {
		t.Error("it read what nobody wrote")
	}
}

func TestJobErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	problem := func(status int, body string) *consoleDouble {
		return answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
	for _, tt := range []struct {
		status int
		body   string
		want   []string
	}{
		{401, `{"code":"expired","message":"The token has expired.","hint":"x","requestId":"r1"}`, []string{"not signed in: The token has expired", "--token-file", "eight hours"}},
		{403, `{"code":"forbidden","message":"Only root may do this.","hint":"guest may look.","requestId":"r1"}`, []string{"forbidden: Only root", "guest may look"}},
		{404, `{"code":"not_found","message":"There is no job \"j\".","hint":"Look at the list.","requestId":"r1"}`, []string{"not found: There is no job", "Look at the list."}},
		{409, `{"code":"not_go","message":"shards 0-1 belong to others.","hint":"Wait.","requestId":"r1"}`, []string{"refused: shards 0-1", "Wait."}},
		{422, `{"code":"invalid","message":"2 fields cannot be taken.","hint":"Correct it.","requestId":"r1","fields":[{"field":"delay","value":"soon\u001b[2J","want":"a time"},{"field":"params.a","want":"is given twice"}]}`,
			[]string{"refused: 2 fields", "\n  delay: \"soon\uFFFD[2J\": a time\n", "\n  params.a: is given twice\n", "\n  Correct it."}},
		{429, `{"code":"queue_full","message":"10000 runs wait.","hint":"Later.","requestId":"r1"}`, []string{"refused: 10000 runs wait", "Later."}},
		{503, `{"code":"registry_down","message":"ZooKeeper is away.","hint":"Wait.","requestId":"r7"}`, []string{"cannot do it now: ZooKeeper is away", "request r7"}},
		{502, "<html>\n<b>Bad Gateway</b>", []string{"502 Bad Gateway, <html> <b>Bad Gateway</b>", "A console of ElasticJob for Go doesn't answer like this"}},
		{200, "<html>hello", []string{"answered with something else", "--console"}},
		{200, "{}", []string{"without the id of a run"}},
	} {
		_, stderr := problem(tt.status, tt.body).job(t, cli.ExitFailure, tt.want, "run", "j")
		if strings.ContainsRune(stderr, '\x1b') {
			t.Errorf("%d: a terminal would obey:\n%q", tt.status, stderr)
		}
	}
	redirect := answering(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.example/login", http.StatusFound)
	})
	redirect.job(t, cli.ExitFailure, []string{"302 Found to https://elsewhere.example/login"}, "runs", "j")
	if n := len(redirect.requests()); n != 1 {
		t.Errorf("a redirect was followed: %d requests", n)
	}
}

func TestJobUnreachable(t *testing.T) {
	t.Parallel()
	d := answering(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	d.job(t, cli.ExitFailure, []string{"no answer from the console", "It isn't known whether the console acted", "elasticjob job runs"}, "run", "j")
	d.job(t, cli.ExitFailure, []string{"with the same --key"}, "run", "j", "--key=k")
	_, stderr := d.job(t, cli.ExitFailure, []string{"Is the console running"}, "show", "j", aRun)
	if strings.Contains(stderr, "acted") {
		t.Errorf("nothing was to change:\n%s", stderr)
	}
	d.Close()
	_, stderr = d.job(t, cli.ExitFailure, []string{"refused", "Is the console running"}, "run", "j")
	if strings.Contains(stderr, "acted") {
		t.Errorf("nobody can have acted:\n%s", stderr)
	}
	released := make(chan struct{})
	slow := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-released:
		}
	})
	t.Cleanup(func() { close(released) })
	slow.job(t, cli.ExitFailure, []string{"the 200ms of --timeout are over"}, "runs", "j", "--timeout=200ms")
}

func TestJobAnswersAreBounded(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range 1 << 10 {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	d.job(t, cli.ExitFailure, []string{"more than 16 MiB"}, "runs", "j")
}

func TestJobWrongUsage(t *testing.T) {
	t.Parallel()
	token := tokenFile(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "j"}, "no user and no token for http"},
		{[]string{"run", "j", "--user=root"}, "belong together"},
		{[]string{"run", "j", "--user=root", "--token-file=" + token}, "both given"},
		{[]string{"run", "j", "--console=127.0.0.1:8899", "--token-file=" + token}, "--console"},
		{[]string{"run", "j", "--console=http://a:hunter2@x", "--token-file=" + token}, "--console"},
		{[]string{"run", "j", "--params={a}", "--token-file=" + token}, "not JSON"},
		{[]string{"run", "j", "--at=someday", "--token-file=" + token}, "--at"},
		{[]string{"run", "j", "--at=2026-11-22T02:30:00Z", "--delay=5m", "--token-file=" + token}, "--delay and --at"},
		{[]string{"run", "j", "--key=a\nb", "--token-file=" + token}, "--key"},
		{[]string{"run", "--token-file=" + token}, "<name>"},
		{[]string{"hold", "j", "--what=all", "--reason=", "--token-file=" + token}, "--reason is empty"},
		{[]string{"again", "j", aRun, "--shards=some", "--token-file=" + token}, "some"},
		{[]string{"hold", "j", "--what=everything", "--reason=r", "--token-file=" + token}, "everything"},
		{[]string{"hold", "j", "--what=all", "--token-file=" + token}, "--reason"},
	} {
		clitest.Case{Args: append([]string{groupOf(tt.args)}, tt.args...), Code: cli.ExitUsage, Stderr: []string{tt.want}}.Check(t, program, &commandLine{})
	}
}

// TestW12EmptyFlags: a flag that is given and empty is an error, as with a variable that isn't set.
func TestW12EmptyFlags(t *testing.T) {
	t.Parallel()
	token := "--token-file=" + tokenFile(t)
	for command, flags := range map[string][]string{
		"job run j":            {"params", "key", "note", "at", "shards"},
		"run again j " + aRun:  {"params", "note"},
		"run cancel j " + aRun: {"reason"},
		"job runs j":           {"state"},
		"job backfill j --from=2026-11-19T00:00:00Z --to=2026-11-19T00:00:00Z": {"params"},
		"cloud trigger hello": {"params", "key", "at", "shards"},
	} {
		for _, flag := range flags {
			clitest.Case{Args: append(strings.Fields(command), "--"+flag, "", token), Code: cli.ExitUsage, Stderr: []string{"--" + flag + " is empty", "Leave it out"}}.Check(t, program, &commandLine{})
		}
	}
	clitest.Case{Args: []string{"cloud", "trigger", "hello", "--param", "", token}, Code: cli.ExitUsage, Stderr: []string{"--param"}}.Check(t, program, &commandLine{})
}

// TestR61JobWaitOutlivesAnOutage: connections that break and answers of 503 are asked again.
func TestR61JobWaitOutlivesAnOutage(t *testing.T) {
	t.Parallel()
	var looks atomic.Int32
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch looks.Add(1) {
		case 1:
			fmt.Fprint(w, stateOf("running", ""))
		case 2, 3: // on a connection that was used before, and on a new one
			panic(http.ErrAbortHandler)
		case 4:
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"code":"registry_down","message":"ZooKeeper is away.","requestId":"r"}`)
		case 5, 6:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"no_run","message":"There is no such run.","requestId":"r"}`)
		default:
			fmt.Fprint(w, stateOf("succeeded", ""))
		}
	})
	c, p, stderr := waiter(t, d)
	run, _, err := c.awaitRun(t.Context(), p, "j", aRun)
	if err != nil || run.State != "succeeded" {
		t.Fatalf("%+v, %v", run, err)
	}
	for _, want := range []string{": running\n", "no answer from the console", "it is asked again", "ZooKeeper is away", ": succeeded\n"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("it did not say %q:\n%s", want, stderr.String())
		}
	}
}

// waiter is a client that waits without long pauses.
func waiter(t *testing.T, d *consoleDouble) (*client, *cli.Process, *clitest.Output) {
	t.Helper()
	asks, err := api.New(api.Options{Console: d.URL, Token: "t0ken"})
	if err != nil {
		t.Fatal(err)
	}
	c := &client{Client: asks, every: time.Millisecond, slowest: 5 * time.Millisecond, patience: time.Minute}
	stderr := &clitest.Output{}
	return c, &cli.Process{Ctx: t.Context(), Stderr: stderr}, stderr
}

func TestJobWaitEndsWhereNothingIsToCome(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{http.StatusNotFound: "is not known any more", http.StatusForbidden: "goes on, and nobody waits"} {
		d := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, `{"code":"c","message":"No.","requestId":"r"}`)
		})
		c, p, _ := waiter(t, d)
		if _, _, err := c.awaitRun(t.Context(), p, "j", aRun); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestR61JobWaitIsInterrupted: a signal, or the end of the time, leaves the run alone.
func TestR61JobWaitIsInterrupted(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, stateOf("running", "")) })
	p := d.startJob(t, "run", "my job", "--wait")
	p.AwaitText("run " + aRun + ": running\n")
	p.Interrupt() // like a signal
	if code := p.Wait(); code != cli.ExitFailure {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{aRun, "goes on: the command was interrupted", "elasticjob run show 'my job' " + aRun} {
		if text := p.Stderr.String(); !strings.Contains(text, want) {
			t.Errorf("it did not say %q:\n%s", want, text)
		}
	}
	stdout, _ := d.job(t, cli.ExitFailure, []string{"goes on: the time of --timeout is over"}, "run", "j", "--wait", "--timeout=5s", "-o", "json")
	if !json.Valid([]byte(stdout)) {
		t.Errorf("standard output %q", stdout)
	}
	for _, asked := range d.requests() {
		if strings.HasSuffix(asked.URI, "/cancel") {
			t.Errorf("it cancelled: %+v", asked)
		}
	}
}

// TestJobSignsIn: with a name and a password it begins a session, begins another one when
// the console has ended it, and ends it itself.
func TestJobSignsIn(t *testing.T) {
	t.Parallel()
	var logins atomic.Int32
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/api/login":
			fmt.Fprintf(w, `{"accessToken":"session-%d"}`, logins.Add(1))
		case r.URL.Path == "/api/logout":
			w.WriteHeader(http.StatusNoContent)
		case logins.Load() == 1 && r.Method == http.MethodGet: // the eight hours are over
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"code":"expired","message":"The token has expired.","requestId":"r"}`)
		case r.Method == http.MethodGet:
			fmt.Fprint(w, stateOf("succeeded", ""))
		default:
			fmt.Fprint(w, stateOf("queued", ""))
		}
	})
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Case{Args: []string{"job", "run", "j", "--wait", "--console=" + d.URL + "/", "--user=root", "--password-file=" + password}, Stdout: []string{aRun}}.Check(t, program, &commandLine{})
	var got []string
	for _, a := range d.requests() {
		got = append(got, strings.TrimSuffix(a.Method+" "+a.URI+" "+strings.TrimPrefix(a.Auth, "Bearer "), " "))
	}
	const run = "/api/jobs/j/requested-runs"
	want := []string{
		"POST /api/login", "POST " + run + " session-1", "GET " + run + "/" + aRun + " session-1",
		"POST /api/login", "GET " + run + "/" + aRun + " session-2", "POST /api/logout session-2",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("requests:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if body := d.requests()[0].Body; body != `{"password":"hunter2","username":"root"}` {
		t.Errorf("sign-in: %s", body)
	}
	refusing := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"code":"wrong_password","message":"Name or password is wrong.","requestId":"r"}`)
	})
	clitest.Case{Args: []string{"job", "runs", "j", "--console=" + refusing.URL, "--user=root", "--password-file=" + password}, Code: cli.ExitFailure, Stderr: []string{"not signed in", "--password-file"}}.Check(t, program, &commandLine{})
	if n := len(refusing.requests()); n != 1 {
		t.Errorf("%d attempts to sign in", n)
	}
}
