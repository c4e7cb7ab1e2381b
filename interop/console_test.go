//go:build interop

package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// site is a console of its own process, and root who speaks to it over REST.
type site struct {
	t     *testing.T
	url   string
	token string
}

var startedAt = regexp.MustCompile(`msg="console started" address=(http://\S+)`)

// startConsole builds the console and starts it for the namespace of a fleet.
func (f *fleet) startConsole(args ...string) *site {
	f.t.Helper()
	binary := filepath.Join(f.t.TempDir(), "console")
	// By the flags of `make race`, which has compiled most of it.
	build := exec.Command("go", "build", "-race", "-gcflags=all=-d=checkptr=0 -dwarf=false", "-gcflags=modernc.org/...=-race=false -dwarf=false", "-o", binary, "../cmd/console")
	if out, err := build.CombinedOutput(); err != nil {
		f.t.Fatalf("build the console: %v\n%s", err, out)
	}
	p := f.launch(&process{name: "console", cmd: exec.Command(binary, append([]string{
		"serve", "--listen=127.0.0.1:0", "--data=" + f.t.TempDir(), "--zookeeper=" + f.addr, "--namespace=" + f.namespace,
	}, args...)...)})
	c := &site{t: f.t}
	f.until(patience, func(context.Context) error {
		found := startedAt.FindStringSubmatch(p.log.String())
		if found == nil {
			return fmt.Errorf("the console does not say where it listens:\n%s", p.log.String())
		}
		c.url = found[1]
		return nil
	})
	var login struct{ AccessToken string }
	c.ask(http.MethodPost, "/api/login", nil, map[string]string{"username": "root", "password": "root"}, http.StatusOK, &login)
	c.token = login.AccessToken
	f.until(patience, func(context.Context) error { // It serves before it has reached ZooKeeper.
		status, _, body := c.call(http.MethodGet, "/api/jobs", nil, nil)
		if status != http.StatusOK {
			return fmt.Errorf("the console answers %d: %s", status, body)
		}
		return nil
	})
	return c
}

// call makes a request and returns the status and what came with it.
func (c *site) call(method, path string, header http.Header, body any) (int, http.Header, []byte) {
	c.t.Helper()
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, content)
	if err != nil {
		c.t.Fatal(err)
	}
	if header != nil {
		request.Header = header.Clone()
	}
	request.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return response.StatusCode, response.Header, text
}

// ask makes a request that has to be answered with a status, and decodes the
// answer.
func (c *site) ask(method, path string, header http.Header, body any, want int, answer any) http.Header {
	c.t.Helper()
	status, headers, text := c.call(method, path, header, body)
	if status != want {
		c.t.Fatalf("%s %s: %d %s, want %d", method, path, status, text, want)
	}
	if answer != nil {
		if err := json.Unmarshal(text, answer); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
	return headers
}

// order carries out an action that may leave nobody out.
func (c *site) order(method, path string) {
	c.t.Helper()
	var outcome struct {
		Skipped []struct{ Target, Reason string }
	}
	c.ask(method, path, nil, nil, http.StatusOK, &outcome)
	if len(outcome.Skipped) > 0 {
		c.t.Errorf("%s %s left out %+v", method, path, outcome.Skipped)
	}
}

// jobState is what the tests look at of GET /api/jobs/{job}.
type jobState struct {
	JobName            string
	Status             string
	InstanceCount      int
	ShardingTotalCount int
	Leader             string
	Shards             []struct {
		Item                          int
		InstanceID, Status, Parameter string
	}
}

// shows waits until a job looks as it should: the console hears of changes by
// watches.
func (f *fleet) shows(c *site, what string, is func(jobState) bool) {
	f.t.Helper()
	f.until(patience, func(context.Context) error {
		var s jobState
		c.ask(http.MethodGet, "/api/jobs/"+url.PathEscape(f.job.Name()), nil, nil, http.StatusOK, &s)
		if !is(s) {
			return fmt.Errorf("%s is not %s: %+v", f.job.Name(), what, s)
		}
		return nil
	})
}

func hasStatus(want string) func(jobState) bool {
	return func(s jobState) bool { return s.Status == want }
}

// TestFleetsThroughREST has one console operate, over REST alone, a fleet of
// Java agents, one of the last generation, one of ours and one of both kinds,
// which live in one namespace.
func TestFleetsThroughREST(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		namespace := zktest.Namespace(t)
		at := func(job string) place { return place{namespace: namespace, job: job} }
		args := []string{neverFires, "--shards=3", "--item-parameters=0=a,1=b,2=c"}
		modern := newFleetAt(t, version, at("Java, 3.0"), args...)
		old := newFleetAt(t, legacy, at("java 2.1"), args...)
		ours := newFleetAt(t, version, at("Go"), args...)
		mixed := newFleetAt(t, version, at("mixed"), args...)
		books := modern.ledger()
		fleets := []struct {
			*fleet
			agents []*process
			traced bool
		}{
			{modern, []*process{modern.startJava("java", books.args(java)...)}, true},
			{old, []*process{old.startJava("legacy")}, false},
			{ours, []*process{ours.startGo("go", lowAddress, books.args(golang)...)}, true},
			{mixed, []*process{
				mixed.startJava("mixed java", books.args(java)...),
				mixed.startGo("mixed go", highAddress, books.args(golang)...),
			}, true},
		}
		c := modern.startConsole("--dsn=" + books.dsn)

		var list []jobState
		c.ask(http.MethodGet, "/api/jobs", nil, nil, http.StatusOK, &list)
		if len(list) != len(fleets) {
			t.Errorf("the console lists %+v", list)
		}
		for _, f := range fleets {
			t.Run(f.job.Name(), func(t *testing.T) {
				f.operateThrough(c, f.agents)
				if f.traced {
					f.awaitHistory(c)
				}
				f.endThrough(c, f.agents)
			})
		}
		c.ask(http.MethodGet, "/api/jobs", nil, nil, http.StatusOK, &list)
		if len(list) != 0 {
			t.Errorf("after all were removed the console lists %+v", list)
		}
	})
}

// runs has the console trigger the job and waits until just these shards have
// run.
func (f *fleet) runsThrough(c *site, path string, items ...int) {
	f.t.Helper()
	from := time.Now()
	c.order(http.MethodPost, path+"/trigger")
	f.awaitRuns(from, len(items))
	f.pass(time.Now().Add(moment)) // For runs that should not be.
	seen := make(map[int]int)
	for _, r := range f.runsSince(from) {
		seen[r.item]++
	}
	for _, n := range items {
		if seen[n] != 1 {
			f.t.Errorf("shard %d ran %d times, want once", n, seen[n])
		}
		delete(seen, n)
		f.awaitAbsent(f.job.ItemRunning(n)) // Until then an agent drops the next order.
	}
	if len(seen) > 0 {
		f.t.Errorf("shards that should not run did: %v", seen)
	}
}

func (f *fleet) operateThrough(c *site, agents []*process) {
	f.t.Helper()
	job := "/api/jobs/" + url.PathEscape(f.job.Name())
	config := "/api/jobs/config/" + url.PathEscape(f.job.Name())
	f.runsThrough(c, job, 0, 1, 2)
	f.shows(c, "assigned", func(s jobState) bool {
		return s.Status == "OK" && s.InstanceCount == len(agents) && len(s.Shards) == 3 && s.Shards[2].InstanceID != ""
	})

	c.order(http.MethodPost, job+"/sharding/1/disable")
	f.shows(c, "without shard 1", func(s jobState) bool { return len(s.Shards) == 3 && s.Shards[1].Status == "DISABLED" })
	f.runsThrough(c, job, 0, 2)
	c.order(http.MethodPost, job+"/sharding/1/enable")

	c.order(http.MethodPost, job+"/disable")
	f.shows(c, "disabled", hasStatus("DISABLED"))
	if status, _, text := c.call(http.MethodPost, job+"/trigger", nil, nil); status != http.StatusConflict {
		f.t.Errorf("a disabled job was triggered: %d %s", status, text)
	}
	var why struct{ Findings []struct{ Code string } }
	c.ask(http.MethodGet, job+"/explain", nil, nil, http.StatusOK, &why)
	if len(why.Findings) == 0 {
		f.t.Error("nothing explains why a disabled job does not run")
	}
	c.order(http.MethodPost, job+"/enable")
	f.runsThrough(c, job, 0, 1, 2)

	server := "/api/servers/" + agents[0].ip() + "/jobs/" + url.PathEscape(f.job.Name())
	c.order(http.MethodPost, server+"/disable")
	if len(agents) > 1 {
		f.awaitAssigned(3, agents[1:]...)
	}
	c.order(http.MethodPost, server+"/enable")
	f.awaitAssignedToBoth(3, agents)
	f.runsThrough(c, job, 0, 1, 2)

	var settings map[string]any
	tag := http.Header{"If-Match": c.ask(http.MethodGet, config, nil, nil, http.StatusOK, &settings)["Etag"]}
	settings["shardingTotalCount"] = 4
	c.ask(http.MethodPut, "/api/jobs/config", tag, settings, http.StatusNoContent, nil)
	if status, _, text := c.call(http.MethodPut, "/api/jobs/config", tag, settings); status != http.StatusPreconditionFailed {
		f.t.Errorf("a change over an older revision was answered with %d %s", status, text)
	}
	f.awaitAssignedToBoth(4, agents)
	f.runsThrough(c, job, 0, 1, 2, 3)
	f.shows(c, "four shards", func(s jobState) bool { return s.ShardingTotalCount == 4 && len(s.Shards) == 4 })
}

// awaitAssignedToBoth waits until the shards of a job that several agents serve are
// assigned. A trigger names each instance: a shard that changes
// hands between two of them runs on both. An agent of ours leads here, and reshards
// at once; a lone Java agent would reshard at its next run only.
func (f *fleet) awaitAssignedToBoth(items int, agents []*process) {
	f.t.Helper()
	if len(agents) > 1 {
		f.awaitAssigned(items, agents...)
	}
}

// awaitHistory waits until the console tells of a successful run of each shard.
func (f *fleet) awaitHistory(c *site) {
	f.t.Helper()
	f.until(patience, func(context.Context) error {
		var page struct {
			Rows []struct {
				ShardingItem int
				State        string
			}
		}
		c.ask(http.MethodGet, "/api/event-trace/execution?jobName="+url.QueryEscape(f.job.Name()), nil, nil, http.StatusOK, &page)
		succeeded := make(map[int]bool)
		for _, r := range page.Rows {
			if r.State == "success" {
				succeeded[r.ShardingItem] = true
			}
		}
		if len(succeeded) != 4 {
			return fmt.Errorf("the history has %+v", page.Rows)
		}
		return nil
	})
}

func (f *fleet) endThrough(c *site, agents []*process) {
	f.t.Helper()
	job := "/api/jobs/" + url.PathEscape(f.job.Name())
	config := "/api/jobs/config/" + url.PathEscape(f.job.Name())
	if status, _, text := c.call(http.MethodDelete, config, nil, nil); status != http.StatusConflict {
		f.t.Errorf("a job that instances serve was removed: %d %s", status, text)
	}
	c.order(http.MethodPost, job+"/shutdown")
	for _, p := range agents {
		f.awaitDeparture(p)
	}
	f.shows(c, "without instances", hasStatus("CRASHED"))
	for _, p := range agents {
		p.kill()
	}
	c.ask(http.MethodDelete, config, nil, nil, http.StatusNoContent, nil)
	f.awaitAbsent(f.job.Root())
	if status, _, text := c.call(http.MethodGet, job, nil, nil); status != http.StatusNotFound {
		f.t.Errorf("the removed job is answered with %d %s", status, text)
	}
}
