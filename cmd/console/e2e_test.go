//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/parts"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// asProgram makes this test binary be the console: the demo starts its agents
// by running itself again, and some tests need a demo they can kill.
const asProgram = "CONSOLE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	// The local engine of ElasticJob-Cloud leaves nothing of the environment to its processes.
	if os.Getenv(asProgram) != "" || len(os.Args) > 1 && (os.Args[1] == "local-task" || os.Args[1] == demo.HeartbeatCommand) {
		main()
		return
	}
	if err := os.Setenv(asProgram, "1"); err != nil { // for children
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	consoletest.Parts = parts.All()
	code := m.Run()
	clitest.RemoveBuilt()
	os.Exit(code)
}

var (
	siteLine  = regexp.MustCompile(`ElasticJob demo\s+(http://\S+)`)
	agentLine = regexp.MustCompile(`agent (127\.0\.0\.1\d)\s+runs as process (\d+)`)
)

// fleet is a running console with three agents behind it, however it came
// about.
type fleet struct {
	site   string
	agents map[string]int // process id by address
}

// startDemo runs the demo in this process, its agents beside it.
func startDemo(t *testing.T, args ...string) (*clitest.Running, fleet) {
	t.Helper()
	p := start(t, noEnv, append([]string{"demo", "--listen=127.0.0.1:0", "--data=" + filepath.Join(t.TempDir(), "data"), "--log-level=warn"}, args...)...)
	return p, readFleet(t, func() string { return p.Stdout.String() + p.Stderr.String() })
}

// readFleet reads from the demo's notice board where it is and who serves.
func readFleet(t *testing.T, printed func() string) fleet {
	t.Helper()
	f := fleet{agents: map[string]int{}}
	eventually(t, "three agents serve", func() bool {
		text := printed()
		if m := siteLine.FindStringSubmatch(text); m != nil {
			f.site = m[1]
		}
		for _, m := range agentLine.FindAllStringSubmatch(text, -1) {
			f.agents[m[1]], _ = strconv.Atoi(m[2])
		}
		return f.site != "" && len(f.agents) == 3
	})
	return f
}

// restClient is a signed-in client of the REST interface.
type restClient struct {
	site, token string
}

func (f fleet) signIn(t *testing.T, user string) restClient {
	t.Helper()
	a := restClient{site: f.site}
	var answer struct{ Username, AccessToken string }
	if status := a.call(t, http.MethodPost, "/api/login", map[string]string{"username": user, "password": user}, &answer); status != http.StatusOK || answer.AccessToken == "" {
		t.Fatalf("sign in as %s: status %d, %+v", user, status, answer)
	}
	a.token = answer.AccessToken
	return a
}

// call makes a request, with a body if there is one, and decodes the answer, if there is
// a place for it.
func (a restClient) call(t *testing.T, method, path string, body, out any) int {
	t.Helper()
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), method, a.site+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if a.token != "" {
		req.Header.Set("Authorization", "Bearer "+a.token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if out != nil && resp.StatusCode == http.StatusOK {
		if err := json.Unmarshal(answer, out); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, answer)
		}
	}
	return resp.StatusCode
}

// jobState is what the tests read of a job.
type jobState struct {
	Status string
	Shards []shardState
}

type shardState struct {
	Item             int
	InstanceID       string
	RunningOn        string
	FailoverInstance string
}

func (a restClient) job(t *testing.T, name string) jobState {
	t.Helper()
	var state jobState
	if status := a.call(t, http.MethodGet, "/api/jobs/"+name, nil, &state); status != http.StatusOK {
		t.Fatalf("job %s: status %d", name, status)
	}
	return state
}

// owners returns the instances that own shards of the job, as the API has them.
func (s jobState) owners() map[string]int {
	owners := map[string]int{}
	for _, shard := range s.Shards {
		owners[shard.InstanceID]++
	}
	return owners
}

// must fails the test on the first error of a list of browser steps.
func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func count(t *testing.T, tab *browser.Tab, element string) int {
	t.Helper()
	n, err := browser.Eval[int](tab, fmt.Sprintf("document.querySelectorAll(%q).length", element))
	must(t, err)
	return n
}

// awaitAssigned waits until every shard of a job belongs to one of the agents
// and each agent has some. A run of the long job that begins before all of them are there
// has to end first, which takes forty seconds on two processors.
func (f fleet) awaitAssigned(t *testing.T, a restClient, job string) {
	t.Helper()
	eventually(t, "shards of "+job+" are spread over three agents", func() bool {
		owners := a.job(t, job).owners()
		return len(owners) == 3 && owners[""] == 0
	})
}

// guestLooks: a guest sees what there is, and may do nothing.
func guestLooks(t *testing.T, tab *browser.Tab, f fleet) {
	t.Helper()
	t.Log("guest looks and does not touch")
	must(t, tab.Click(`[data-testid="logout"]`), tab.Wait(`[data-testid="login-form"]`), tab.SignIn(f.site, "guest", "guest"))
	for _, page := range []string{"/jobs", "/jobs/orders-import"} {
		must(t, tab.Open(f.site+page), tab.Wait("main"))
		if n := count(t, tab, `[data-testid^="do-"]`); n != 0 {
			t.Errorf("guest sees %d buttons on %s", n, page)
		}
	}
	guest := f.signIn(t, "guest")
	for _, order := range []struct{ method, path string }{
		{"POST", "/api/jobs/invoices/trigger"}, {"POST", "/api/jobs/invoices/disable"}, {"DELETE", "/api/jobs/invoices/disable"},
		{"POST", "/api/jobs/invoices/shutdown"}, {"DELETE", "/api/jobs/config/invoices"},
	} {
		if status := guest.call(t, order.method, order.path, nil, nil); status != http.StatusForbidden {
			t.Errorf("guest: %s %s answered %d, want 403", order.method, order.path, status)
		}
	}
	var listed []struct{ JobName string }
	if status := guest.call(t, http.MethodGet, "/api/jobs", nil, &listed); status != http.StatusOK || len(listed) != 8 {
		t.Errorf("guest lists %d jobs with status %d, want eight", len(listed), status)
	}
}

// noPageScrollsSideways looks at the pages on a wide screen and on a phone.
func noPageScrollsSideways(t *testing.T, tab *browser.Tab, f fleet) {
	t.Log("no page scrolls sideways")
	for _, width := range []int64{1440, 390} {
		must(t, tab.Size(width, 900))
		for _, page := range []string{"/", "/jobs", "/jobs/orders-import", "/jobs/" + demo.LongJob, "/jobs/" + demo.OneOffJob, "/jobs/" + demo.LongJob + "/explain", "/jobs/invoices/shutdown", "/servers", "/executions", "/jobs/no-such-job"} {
			must(t, tab.Open(f.site+page), tab.Wait("main"))
			over, err := browser.Eval[int](tab, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
			must(t, err)
			if over > 0 {
				t.Errorf("%s is %d px too wide at %d", page, over, width)
			}
		}
	}
	must(t, tab.Size(1440, 900))
}

// kill ends the agent with that address as a crash would, and returns its number.
func (f fleet) kill(t *testing.T, address string) int {
	t.Helper()
	pid := f.agents[address]
	if pid <= 1 { // 0 would be this process and all of its group.
		t.Fatalf("no agent has the address %s: %v", address, f.agents)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	return pid
}

// awaitEnd waits until no agent process is left.
func awaitEnd(t *testing.T, f fleet) {
	t.Helper()
	eventually(t, "no agent process is left", func() bool {
		for _, pid := range f.agents {
			if syscall.Kill(pid, 0) == nil && !zombie(pid) {
				return false
			}
		}
		return true
	})
}

// zombie reports whether a process has ended and only waits for its parent to
// notice: in a container nobody may ever collect an orphan.
func zombie(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := bytes.Cut(status, []byte(") "))
	return bytes.HasPrefix(rest, []byte("Z"))
}

// TestDemoKeepsOnlyItsDataFolder: what a demo leaves behind is the database,
// with its journal written back, and the logs of the agents.
func TestDemoKeepsOnlyItsDataFolder(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	data := filepath.Join(home, "data")
	p, f := startDemo(t, "--data="+data)
	f.awaitAssigned(t, f.signIn(t, "root"), "orders-import")
	if code := p.Stop(); code != cli.ExitOK {
		t.Fatalf("exit code %d:\n%s", code, p.Stderr.String())
	}
	var left []string
	for _, folder := range []string{home, data} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			left = append(left, e.Name())
		}
	}
	want := []string{"data", "agent-127.0.0.11.log", "agent-127.0.0.12.log", "agent-127.0.0.13.log", "demo-settings.db", "demo.db", "settings.key"}
	if !slices.Equal(left, want) {
		t.Errorf("left behind %v, want %v", left, want)
	}
	for _, log := range want[1:4] {
		text, err := os.ReadFile(filepath.Join(data, log))
		wrong := slices.ContainsFunc(strings.Split(string(text), "\n"), func(line string) bool {
			stopped := strings.Contains(line, "the agent is stopping") // What ran as the demo ended was interrupted.
			return strings.Contains(line, "panic") || strings.Contains(line, "level=ERROR") && !stopped
		})
		if err != nil || wrong {
			t.Errorf("%s has errors (%v):\n%s", log, err, text)
		}
	}
}

// TestAKilledAgentRejoins: the demo says that it has ended and starts another.
func TestAKilledAgentRejoins(t *testing.T) {
	t.Parallel()
	p, f := startDemo(t, "--restart-after=1s", "--session-timeout=4s")
	a := f.signIn(t, "root")
	f.awaitAssigned(t, a, "orders-import")
	before := f.kill(t, "127.0.0.13")
	var after int
	eventually(t, "another process for 127.0.0.13 serves", func() bool {
		for _, m := range agentLine.FindAllStringSubmatch(p.Stdout.String(), -1) {
			if m[1] == "127.0.0.13" {
				after, _ = strconv.Atoi(m[2])
			}
		}
		return after != before
	})
	eventually(t, "the new process owns shards and the old one none", func() bool {
		owners := a.job(t, "orders-import").owners()
		return owners["127.0.0.13@-@"+strconv.Itoa(after)] == 2 && owners["127.0.0.13@-@"+strconv.Itoa(before)] == 0
	})
}

// TestRunningItemsFailOver kills an agent under the long job: what it was
// running is run by the others when its session has ended and their own run is
// over, long before the next fire.
func TestRunningItemsFailOver(t *testing.T) {
	t.Parallel()
	_, f := startDemo(t, "--restart-after=0s", "--session-timeout=4s")
	a := f.signIn(t, "root")
	f.awaitAssigned(t, a, demo.LongJob)
	if status := a.call(t, http.MethodPost, "/api/jobs/"+demo.LongJob+"/trigger", nil, nil); status != http.StatusOK {
		t.Fatalf("trigger: status %d", status)
	}
	eventually(t, "every shard runs where it is assigned", func() bool {
		return !slices.ContainsFunc(a.job(t, demo.LongJob).Shards, func(s shardState) bool { return s.RunningOn == "" })
	})
	address := "127.0.0.11"
	victim := address + "@-@" + strconv.Itoa(f.agents[address])
	f.kill(t, address)
	taken := make(map[int]bool) // Maybe one after the other, by the same instance.
	eventually(t, "two shards are failed over and run", func() bool {
		for _, s := range a.job(t, demo.LongJob).Shards {
			if s.FailoverInstance != "" && s.FailoverInstance != victim && s.RunningOn == s.FailoverInstance {
				taken[s.Item] = true
			}
		}
		return len(taken) == 2
	})
}

// TestAgentsEndWithAKilledDemo: nobody tells them, their input just ends.
func TestAgentsEndWithAKilledDemo(t *testing.T) {
	t.Parallel()
	var printed clitest.Output
	cmd := exec.Command(os.Args[0], "demo", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--log-level=warn")
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // Both fail when the test was successful.
	f := readFleet(t, printed.String)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("a killed demo ended without an error")
	}
	awaitEnd(t, f)
}

// TestASignalEndsTheDemoCleanly sends what Ctrl-C sends.
func TestASignalEndsTheDemoCleanly(t *testing.T) {
	t.Parallel()
	var printed clitest.Output
	cmd := exec.Command(os.Args[0], "demo", "--listen=127.0.0.1:0", "--data="+t.TempDir(), "--log-level=warn")
	cmd.Stdout, cmd.Stderr = &printed, &printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // Both fail when the test was successful.
	f := readFleet(t, printed.String)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the demo ended with %v:\n%s", err, printed.String())
	}
	awaitEnd(t, f)
}
