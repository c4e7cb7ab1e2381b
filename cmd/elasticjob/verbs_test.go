package main

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// verbs are command lines. Their requests are compared with the route table.
var verbs = []string{
	"job list", "job show j", "job explain j", "job shards j", "job reshard-plan j", "job trigger j", "job enable j", "job disable j",
	"job enable j --shard=0", "job disable j --shard=0", "job shutdown j --yes", "job remove j --yes", "job clear-running j 0 --instance=i",
	"job run j", "job runs", "job runs j", "job hold j --what=all --reason=r", "job release j", "job backfills j", "job cancel-backfill j b",
	"job backfill j --from=2026-11-19T00:00:00Z --to=2026-11-20T00:00:00Z",
	"run list", "run list j", "run show j r", "run logs j r", "run cancel j r", "run start j r", "run again j r",
	"server list", "server show s", "server trigger s j", "server enable s", "server disable s", "server shutdown s --yes", "server remove s --yes",
	"server enable s j", "server disable s j", "server shutdown s j --yes", "server remove s j --yes",
	"config get j", "config history j", "config diff JOBS", "config apply JOBS", "audit",
	"token list", "token create n --scope=read", "token revoke t --yes",
	"cloud apps", "cloud apps a", "cloud jobs", "cloud jobs j", "cloud runs", "cloud show r", "cloud trigger j", "cloud kill r", "cloud suspend r", "cloud resume r",
	"cloud apply FILE", "cloud import --registry=default", "cloud manifest j", "cloud disable j", "cloud enable j", "cloud disable --app a", "cloud enable --app a",
	"cloud kill r --shard=0", "cloud rerun r", "cloud remove j --yes", "cloud remove --app a --yes", "job cancel-waiting j --yes",
	"server lost", "server lost --acknowledge=i", "server dump s 9888 j", "server drain s",
	"job disable j --until=+1h", "job label j --text=l", "job run j --file=RUNS",
	"settings registry list", "settings registry add n --servers=h:2181", "settings registry edit n --namespace=x", "settings registry remove n --yes",
	"settings registry test --servers=h:2181", "settings registry use n", "settings source list", "settings source add n --url=jdbc:sqlite:f",
	"settings source edit n --port=3307", "settings source remove n --yes", "settings source test --type=sqlite --database=f", "settings source use n",
	"settings view list", "settings view save jobs n q=x", "settings view remove jobs n", "settings import FILE --yes",
}

// verbFiles replaces the names of files in verbs.
func verbFiles(t *testing.T) *strings.Replacer {
	t.Helper()
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "file.yaml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const jobs = "elasticjob: {jobs: {absent: {shardingTotalCount: 1}, changed: {shardingTotalCount: 1}}}\n"
	return strings.NewReplacer("FILE", file("kind: x\n"), "RUNS", file("{}\n"), "JOBS", file(jobs))
}

// needless matches actions that need no verb: sessions, which login and logout have; reports of
// processes; documents, which `cloud apply` sends together; and addresses for clients of
// ElasticJob's own consoles, which have another address here.
var needless = regexp.MustCompile(`^(POST /api/(login|logout|refresh|cloud/events)|(POST|PUT) /api/cloud/(apps|jobs)(/:app|/:job)?|` +
	`\w+ /api/(app|job|operate|event-trace)(/.*)?|DELETE /api/.*/disable|PUT /api/jobs/:job/shutdown|POST /api/(registry-center|data-source)/add|DELETE /api/(registry-center|data-source))$`)

// TestEveryActionHasAVerb: each route that changes something is reached by a command. Addresses
// that are there for clients of ElasticJob's own consoles don't count.
func TestEveryActionHasAVerb(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/jobs/absent/config/preview":
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"code":"not_found","message":"No.","requestId":"r"}`)
		case "/api/jobs/changed/config/preview":
			fmt.Fprint(w, `{"changed":["cron"],"revision":"1"}`)
		case "/api/registry-center", "/api/data-source":
			fmt.Fprint(w, `[{"name":"n"}]`)
		default:
			fmt.Fprint(w, "null")
		}
	})
	files := verbFiles(t)
	for _, line := range verbs {
		args := strings.Fields(files.Replace(line))
		start(t, noEnv, append(args, "--console="+d.URL, "--token-file="+tokenFile(t))...).Wait()
	}
	asked := map[string]bool{}
	for _, r := range d.requests() {
		path, _, _ := strings.Cut(r.URI, "?")
		asked[r.Method+" "+path] = true
	}
	for _, r := range consoletest.New(t).Console.Routes() {
		pattern := r.Method + " " + r.Path
		if r.Method == http.MethodGet || !strings.HasPrefix(r.Path, "/api/") || needless.MatchString(pattern) {
			continue
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(asked)), func(request string) bool { return fits(pattern, request) }) {
			t.Errorf("no verb sends %s", pattern)
		}
	}
}

// fits reports whether a request goes to a route.
func fits(pattern, request string) bool {
	parts, words := strings.Split(pattern, "/"), strings.Split(request, "/")
	if len(parts) != len(words) {
		return false
	}
	for i, part := range parts {
		if part != words[i] && !strings.HasPrefix(part, ":") {
			return false
		}
	}
	return true
}

// ownVerbs returns the verbs that handle the answers of the console themselves.
func ownVerbs() []string {
	return slices.DeleteFunc(slices.Clone(verbs), func(line string) bool {
		own := []string{"server drain s", "job disable j --until=+1h", "job label j --text=l", "job run j --file=RUNS"}
		return !strings.HasPrefix(line, "settings ") && !slices.Contains(own, line)
	})
}

// TestVerbsWithoutAConsole: if the console is down, or the token has expired, each verb ends with
// exit code 1 and a remedy.
func TestVerbsWithoutAConsole(t *testing.T) {
	t.Parallel()
	down := answering(t, func(http.ResponseWriter, *http.Request) {})
	down.Close()
	expired := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"code":"no_token","message":"The token has expired.","requestId":"r"}`)
	})
	files := verbFiles(t)
	for _, line := range append(ownVerbs(), "config edit j", "job enable --all --yes") {
		args := strings.Fields(files.Replace(line))
		for url, want := range map[string]string{down.URL: "Is the console running, and does --console name its address?", expired.URL: "Write a new token"} {
			p := start(t, envOf(map[string]string{"EDITOR": "false"}), append(args, "--console="+url, "--token-file="+tokenFile(t))...)
			if code := p.Wait(); code != cli.ExitFailure || !strings.Contains(p.Stderr.String(), want) {
				t.Errorf("%s: exit code %d:\n%s", line, code, p.Stderr.String())
			}
		}
	}
}

// brokenPipe is the output of a command after its reader has left.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestVerbsIntoABrokenPipe: a verb that can't print its result ends with an exit code.
func TestVerbsIntoABrokenPipe(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/api/registry-center") || strings.HasPrefix(path, "/api/data-source"), path == "/api/views" && r.Method == http.MethodGet:
			fmt.Fprint(w, `[{"name":"n"}]`)
		case path == "/api/bulk":
			fmt.Fprint(w, `{"done":1,"results":[{"job":"j"}]}`)
		case strings.HasSuffix(path, "/batch"):
			fmt.Fprint(w, `{"created":1,"runs":[{"id":"r"}]}`)
		case strings.HasPrefix(path, "/api/servers/") && r.Method == http.MethodGet:
			fmt.Fprint(w, `[]`)
		default:
			fmt.Fprint(w, `{}`)
		}
	})
	files := verbFiles(t)
	for _, line := range ownVerbs() {
		var stderr strings.Builder
		args := append(strings.Fields(files.Replace(line)), "--console="+d.URL, "--token-file="+tokenFile(t))
		if code := program.Run(t.Context(), &commandLine{}, args, brokenPipe{}, &stderr, noEnv); code != cli.ExitFailure || !strings.Contains(stderr.String(), "broken pipe") {
			t.Errorf("%s: exit code %d:\n%s", line, code, stderr.String())
		}
	}
}
