package scenario_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// kindJob is what the shards below belong to.
var kindJob = coreagent.Job{Name: "job", Shards: 3, ShardParameters: "0=a,1=q'u\"o te", Parameter: "p q=1"}

// script writes an executable shell script.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "job.sh")
	// A process that another test starts at this moment would inherit the open file,
	// and the kernel run no script that somebody may write to.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestK55ScriptArguments: words are grouped by quotes, nothing is expanded, and
// the last argument is the sharding context.
func TestK55ScriptArguments(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	path := script(t, `for word in "$@"; do printf '%s\n' "$word" >>`+out+`; done`)
	line := path + ` x  'a b' "c 'd'" "" $HOME 'e'f`
	if err := coreagenttest.RunShard(t, kindJob, coreagent.Script(line), 1); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if diff := cmp.Diff([]string{"x", "a b", "c 'd'", "", "$HOME", "ef"}, words[:len(words)-1]); diff != "" {
		t.Errorf("arguments (-want +got)\n%s", diff)
	}
	const want = `{"jobName":"job","taskId":"job@-@1@-@READY@-@127.0.0.1@-@1","shardingTotalCount":3,"jobParameter":"p q=1","shardingItem":1,"shardingParameter":"q'u\"o te"}`
	if diff := cmp.Diff(want, words[len(words)-1]); diff != "" {
		t.Errorf("context (-want +got)\n%s", diff)
	}
	// An item without a parameter has no such key.
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := coreagenttest.RunShard(t, kindJob, coreagent.Script(path), 2); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(out); err != nil || strings.Contains(string(text), "shardingParameter") {
		t.Errorf("context %s, %v", text, err)
	}
}

// TestK55ScriptFailures: the exit code, what the script said, and a program that
// is not there.
func TestK55ScriptFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		want []string
	}{
		"exit code":   {script(t, "echo it went wrong; exit 3"), []string{"Execute script failure.", "exit status 3", "it went wrong"}},
		"no program":  {filepath.Join(t.TempDir(), "absent"), []string{"Execute script failure.", "no such file"}},
		"long output": {script(t, "head -c 100000 /dev/zero | tr '\\0' x; exit 1"), []string{"exit status 1", "xxx"}},
	} {
		err := coreagenttest.RunShard(t, kindJob, coreagent.Script(c.line), 0)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %.200v", name, want, err)
			}
		}
		if err != nil && len(err.Error()) > 10_000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
	}
}

// TestScriptIsKilled when its run must end.
func TestScriptIsKilled(t *testing.T) {
	t.Parallel()
	job := kindJob
	job.Timeout = 300 * time.Millisecond
	pid := filepath.Join(t.TempDir(), "pid")
	at := time.Now()
	err := coreagenttest.RunShard(t, job, coreagent.Script(script(t, "echo $$ >"+pid+"; exec sleep 60")), 0)
	if !errors.Is(err, coreagent.ErrTimeout) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(at); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
	number, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the process is gone", func() bool {
		_, err := os.Stat("/proc/" + strings.TrimSpace(string(number)))
		return errors.Is(err, os.ErrNotExist)
	})
}

// TestScriptEndsWithWhatItStarted: a child that would go on beside the item's
// next owner ends too, the deaf one by force; and output without end costs no
// memory.
func TestScriptEndsWithWhatItStarted(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"obedient": `sleep 60 & echo $! >PID; wait`,
		"deaf":     `trap '' TERM; (trap '' TERM; sleep 60) & echo $! >PID; wait; wait`,
		"verbose":  `echo $$ >PID; exec yes`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := kindJob
			job.Timeout = 500 * time.Millisecond
			pid := filepath.Join(t.TempDir(), "pid")
			at := time.Now()
			err := coreagenttest.RunShard(t, job, coreagent.Script(script(t, strings.ReplaceAll(body, "PID", pid))), 0)
			if !errors.Is(err, coreagent.ErrTimeout) || time.Since(at) > 20*time.Second {
				t.Errorf("after %v: %v", time.Since(at), err)
			}
			number, err := os.ReadFile(pid)
			if err != nil {
				t.Fatal(err)
			}
			eventually(t, "the process is gone", func() bool {
				status, err := os.ReadFile("/proc/" + strings.TrimSpace(string(number)) + "/stat")
				return errors.Is(err, os.ErrNotExist) || strings.Contains(string(status), ") Z ") // Nobody may reap it here.
			})
		})
	}
}

// TestHTTPRedirects are followed within a protocol only, as by Java.
func TestHTTPRedirects(t *testing.T) {
	t.Parallel()
	var arrived atomic.Int32
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed to https") }))
	t.Cleanup(secure.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, secure.URL, http.StatusFound)
		case "/on":
			http.Redirect(w, r, "/end", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/end":
			if !strings.Contains(r.Header.Get("shardingContext"), `"jobName":"job"`) {
				t.Errorf("header %q", r.Header.Get("shardingContext"))
			}
			arrived.Add(1)
		}
	}))
	t.Cleanup(server.Close)
	for path, fails := range map[string]bool{"/away": false, "/on": false, "/round": true} {
		err := coreagenttest.RunShard(t, kindJob, coreagent.HTTP(coreagent.HTTPRequest{URL: server.URL + path, Method: "GET"}), 0)
		if (err != nil) != fails {
			t.Errorf("%s: %v", path, err)
		}
	}
	if arrived.Load() != 1 {
		t.Errorf("arrived %d times", arrived.Load())
	}
}

// httpShard runs a shard against a handler and returns what arrived.
func httpShard(t *testing.T, request coreagent.HTTPRequest, answer http.HandlerFunc) (*http.Request, string, error) {
	t.Helper()
	var got *http.Request
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got, body = r, string(data)
		answer(w, r)
	}))
	request.URL = server.URL + "/run?x=1"
	err := coreagenttest.RunShard(t, kindJob, coreagent.HTTP(request), 0)
	server.Close() // Waits for the handler, before got and body are read.
	return got, body, err
}

// TestK56K57HTTP: the request, and what its answers mean.
func TestK56K57HTTP(t *testing.T) {
	t.Parallel()
	fine := func(http.ResponseWriter, *http.Request) {}

	r, body, err := httpShard(t, coreagent.HTTPRequest{Method: http.MethodPost, Data: "a=1&b=ü"}, fine)
	if err != nil || r.Method != http.MethodPost || body != "a=1&b=ü" || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || r.URL.RawQuery != "x=1" {
		t.Errorf("POST: %v, %v with %q", err, r, body)
	}
	var shard map[string]any
	if err := json.Unmarshal([]byte(r.Header.Get("shardingContext")), &shard); err != nil {
		t.Errorf("header %q: %v", r.Header.Get("shardingContext"), err)
	}
	want := map[string]any{
		"jobName": "job", "taskId": "job@-@0@-@READY@-@127.0.0.1@-@1", "shardingTotalCount": 3.0,
		"jobParameter": "p q=1", "shardingItem": 0.0, "shardingParameter": "a",
	}
	if diff := cmp.Diff(want, shard); diff != "" {
		t.Errorf("header (-want +got)\n%s", diff)
	}

	r, body, err = httpShard(t, coreagent.HTTPRequest{Method: http.MethodPut, Data: "{}", ContentType: "application/json"}, fine)
	if err != nil || body != "{}" || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("PUT: %v, %v with %q", err, r, body)
	}
	if _, body, err = httpShard(t, coreagent.HTTPRequest{Method: http.MethodGet, Data: "not sent"}, fine); err != nil || body != "" {
		t.Errorf("GET: %v with %q", err, body)
	}

	for _, status := range []int{http.StatusBadRequest, http.StatusNotFound, http.StatusInternalServerError} {
		_, _, err := httpShard(t, coreagent.HTTPRequest{Method: http.MethodGet}, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			if status != http.StatusNotFound { // One answer is empty.
				fmt.Fprint(w, "sorry")
			}
		})
		if err != nil {
			t.Errorf("status %d fails the shard: %v", status, err)
		}
	}
	if _, _, err := httpShard(t, coreagent.HTTPRequest{Method: http.MethodGet, ReadTimeout: 50 * time.Millisecond},
		func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }); err == nil {
		t.Error("a mute endpoint does not fail the shard")
	}
	refused := httptest.NewServer(http.NotFoundHandler())
	refused.Close()
	if err := coreagenttest.RunShard(t, kindJob, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: refused.URL}), 0); err == nil {
		t.Error("an unreachable endpoint does not fail the shard")
	}
}

// TestHTTPEndsWithItsRun: a cancelled run does not wait for the endpoint.
func TestHTTPEndsWithItsRun(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	job := kindJob
	job.Timeout = 100 * time.Millisecond
	at := time.Now()
	err := coreagenttest.RunShard(t, job, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: server.URL, ReadTimeout: time.Minute}), 0)
	if err == nil || time.Since(at) > 20*time.Second {
		t.Errorf("after %v: %v", time.Since(at), err)
	}
}

// TestKindsInTheTree: a job without code is stored under its type, and the
// stored properties count, not the declared ones.
func TestKindsInTheTree(t *testing.T) {
	both(t, func(b *bed) {
		out := filepath.Join(b.TempDir(), "out")
		line := script(b.T, `echo "$1" >>`+out)
		var hits atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
		defer server.Close()
		m := b.agent(1)
		b.must(m.Add(coreagent.Job{Name: "script", Shards: 1}, coreagent.Script(line+" declared")))
		b.must(m.Add(coreagent.Job{Name: "http", Shards: 2}, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: server.URL})))
		m.start()
		b.awaitOwners("script", m.id)
		b.awaitOwners("http", m.id, m.id)
		for job, class := range map[string]string{"script": "SCRIPT", "http": "HTTP"} {
			if stored, _ := b.get(b.tree.Job(job).Root()); stored != class {
				b.Errorf("job %s is stored as %q", job, stored)
			}
		}
		if props := b.config("http").Props; props["http.uri"] != server.URL || props["http.method"] != "GET" || len(props) != 2 {
			b.Errorf("properties %v", props)
		}
		b.must(m.Trigger(b.ctx(), "http"))
		b.await("both shards called", func() bool { return hits.Load() == 2 })
		b.must(m.Trigger(b.ctx(), "script"))
		b.await("the script ran", func() bool { return len(m.trace.states("script")) == 3 })
		b.configure("script", func(c *jobconfig.Config) { c.Props["script.command.line"] = line + " stored" })
		b.awaitTidy("script")
		b.must(m.Trigger(b.ctx(), "script"))
		b.await("the script ran again", func() bool { return len(m.trace.states("script")) == 6 })
		text, err := os.ReadFile(out)
		b.must(err)
		if string(text) != "declared\nstored\n" {
			b.Errorf("the script was told %q", text)
		}
	})
}

// TestDataflow: once without streaming, until nothing is left with it, and
// errors of both steps.
func TestDataflow(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		streaming bool
		batches   [][]int // what fetch returns
		fail      string
		want      [][]int // what process gets
	}{
		"once":            {false, [][]int{{1, 2}, {3}}, "", [][]int{{1, 2}}},
		"once, nothing":   {false, nil, "", nil},
		"streaming":       {true, [][]int{{1, 2}, {3}}, "", [][]int{{1, 2}, {3}}},
		"streaming, none": {true, nil, "", nil},
		"fetch fails":     {true, [][]int{{1}}, "fetch", nil},
		"process fails":   {true, [][]int{{1}, {2}}, "process", [][]int{{1}}},
	} {
		var got [][]int
		rest := slices.Clone(c.batches)
		err := coreagenttest.RunShard(t, coreagent.Job{Name: "flow", Shards: 1}, coreagent.Dataflow[int]{
			Streaming: c.streaming,
			Fetch: func(context.Context, *coreagent.Shard) ([]int, error) {
				if c.fail == "fetch" {
					return nil, boom
				}
				if len(rest) == 0 {
					return nil, nil
				}
				batch := rest[0]
				rest = rest[1:]
				return batch, nil
			},
			Process: func(_ context.Context, _ *coreagent.Shard, data []int) error {
				got = append(got, data)
				if c.fail == "process" {
					return boom
				}
				return nil
			},
		}, 0)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: processed (-want +got)\n%s", name, diff)
		}
		if errors.Is(err, boom) != (c.fail != "") || err != nil && !strings.HasPrefix(err.Error(), c.fail+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDataflowStopsOnResharding: a stream without end lets go when the items
// are to be dealt out anew, and the newcomer gets its share.
func TestDataflowStopsOnResharding(t *testing.T) {
	both(t, func(b *bed) {
		var processed [3]atomic.Int64 // by agent
		flow := func(n int) coreagent.Dataflow[int] {
			return coreagent.Dataflow[int]{
				Streaming: true,
				Fetch:     func(context.Context, *coreagent.Shard) ([]int, error) { return []int{1}, nil },
				Process: func(ctx context.Context, _ *coreagent.Shard, _ []int) error {
					processed[n].Add(1)
					select {
					case <-time.After(time.Millisecond):
					case <-ctx.Done():
					}
					return nil
				},
			}
		}
		job := coreagent.Job{Name: "flow", Cron: "* * * * * ?", Shards: 2}
		one := b.agent(1)
		b.must(one.Add(job, flow(1)))
		one.start()
		b.await("it streams", func() bool { return processed[1].Load() > 100 })
		two := b.agent(2)
		b.must(two.Add(job, flow(2)))
		two.start()
		b.awaitOwners("flow", two.id, one.id)
		before := processed[1].Load()
		b.await("both stream", func() bool { return processed[2].Load() > 100 && processed[1].Load() > before+100 })
		ctx, cancel := context.WithTimeout(b.ctx(), 100*time.Millisecond)
		defer cancel()
		if err := two.Stop(ctx); err != nil { // A stream ends with its context.
			b.Errorf("stop: %v", err)
		}
	})
}
