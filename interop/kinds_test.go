//go:build interop

package interop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDataflow has both kinds serve one dataflow job: once fetched and
// processed, or until nothing is left.
func TestDataflow(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for name, c := range map[string]struct {
			streaming string
			batches   int
		}{"streaming": {"true", 3}, "once": {"false", 1}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version, "--type=DATAFLOW", "--shards=4", "--property=streaming.process="+c.streaming)
				java, goAgent := f.startLed(java)
				f.trigger()
				want := make(map[string]int)
				for n := range 4 {
					want[fmt.Sprintf("PROCESS item=%d data=first,second", n)] = c.batches
				}
				count := func() map[string]int {
					got := make(map[string]int)
					for _, p := range []*process{java, goAgent} {
						for _, line := range f.confirmed(p, "PROCESS") {
							got[line]++
						}
					}
					return got
				}
				f.await(patience, "the batches", func() bool { return maps.Equal(count(), want) })
				f.pass(time.Now().Add(moment))
				f.mu.Lock()
				defer f.mu.Unlock()
				if diff := cmp.Diff(want, count()); diff != "" {
					t.Errorf("batches (-want +got):\n%s", diff)
				}
				for _, p := range []*process{java, goAgent} {
					if len(f.confirmed(p, "PROCESS")) != 2*c.batches {
						t.Errorf("%s processed %q", p.name, f.confirmed(p, "PROCESS"))
					}
				}
			})
		}
	})
}

// TestK55Script has both kinds run one script job: they hand the script the
// same arguments and tell a failure.
func TestK55Script(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		folder := t.TempDir()
		path := filepath.Join(folder, "script.sh")
		const text = `#!/bin/sh
printf '%s\n' "$@" >"$0.$$.tmp" && mv "$0.$$.tmp" "$0.$$.args"
case $2 in *'"shardingItem":1'*|*'"shardingItem":3'*) exit 1;; esac
`
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		f := newFleet(t, version, "--type=SCRIPT", "--shards=4", "--item-parameters=0=a,1=b,2=c,3=d", "--parameter=p q",
			"--property=script.command.line="+path+" x")
		java, goAgent := f.startLed(java)
		mayComplain(java, goAgent)
		if got := f.get(t.Context(), f.job.Root()); got != "SCRIPT" {
			t.Errorf("the job's node holds %q", got)
		}
		f.trigger()
		owners := average(4, java, goAgent)
		var written []string
		f.until(patience, func(context.Context) error {
			var err error
			if written, err = filepath.Glob(path + ".*.args"); err != nil || len(written) != 4 {
				return errors.Join(fmt.Errorf("the script was called %d times", len(written)), err)
			}
			return nil
		})
		f.pass(time.Now().Add(moment))
		for _, name := range written {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(data)), "\n")
			if len(lines) != 2 || lines[0] != "x" {
				t.Errorf("the script was called with %q", lines)
				continue
			}
			checkContext(t, lines[1], f.job.Name(), owners)
		}
		for _, p := range []*process{java, goAgent} {
			if !complaints.MatchString(p.log.String()) {
				t.Errorf("%s does not say that the script failed", p.name)
			}
		}
	})
}

// checkContext checks the document that both kinds hand to what they call.
func checkContext(t *testing.T, text, job string, owners map[int]string) {
	t.Helper()
	var got map[string]any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	item, _ := got["shardingItem"].(float64)
	task, _ := got["taskId"].(string)
	parts := strings.Split(task, "@-@")
	owner := owners[int(item)]
	if len(parts) != 5 || parts[0] != job || parts[2] != "READY" || parts[3]+"@-@" != owner[:strings.Index(owner, "@-@")+3] {
		t.Errorf("the task id of shard %v is %q, the owner is %s", item, task, owner)
	}
	want := map[string]any{
		"jobName": job, "taskId": task, "shardingTotalCount": float64(len(owners)),
		"jobParameter": "p q", "shardingItem": item, "shardingParameter": string("abcd"[int(item)]),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	if _, order, _ := strings.Cut(text, "{"); !strings.HasPrefix(order, `"jobName":`) || strings.Contains(text, ": ") {
		t.Errorf("the context is not written as Java does: %s", text)
	}
}

// called is a request that an agent sent.
type called struct{ Method, Path, ContentType, Body, Context string }

// TestK56K57HTTP has both kinds send the same requests for one HTTP job, with a
// body and without, and take the same for failures.
func TestK56K57HTTP(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for name, properties := range map[string][]string{
			"GET":  {"--property=http.method=GET"},
			"POST": {"--property=http.method=POST", "--property=http.data=source=ejob"},
			"PUT":  {"--property=http.method=PUT", "--property=http.data={}", "--property=http.content.type=application/json"},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				server := newRecorder(t)
				f := newFleet(t, version, append([]string{"--type=HTTP", "--shards=4", "--item-parameters=0=a,1=b,2=c,3=d",
					"--parameter=p q", "--property=http.uri=" + server.URL + "/execute?a=b"}, properties...)...)
				java, goAgent := f.startLed(java)
				f.trigger()
				f.until(patience, func(context.Context) error {
					if n := len(server.requests()); n < 4 {
						return fmt.Errorf("%d requests", n)
					}
					return nil
				})
				f.pass(time.Now().Add(moment))
				requests := server.requests()
				want := called{Method: name, Path: "/execute?a=b"}
				switch name {
				case "POST":
					want.Body, want.ContentType = "source=ejob", "application/x-www-form-urlencoded"
				case "PUT":
					want.Body, want.ContentType = "{}", "application/json"
				}
				if len(requests) != 4 {
					t.Errorf("%d requests, want 4", len(requests))
				}
				for _, got := range requests {
					checkContext(t, got.Context, f.job.Name(), average(4, java, goAgent))
					got.Context = ""
					if diff := cmp.Diff(want, got); diff != "" {
						t.Errorf("request (-want +got):\n%s", diff)
					}
				}
			})
		}
	})
}

// recorder is a server that answers with an error that ElasticJob takes for a
// success, and remembers what it was asked.
type recorder struct {
	*httptest.Server
	mu  sync.Mutex
	all []called
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	r := new(recorder)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		r.all = append(r.all, called{q.Method, q.URL.RequestURI(), q.Header.Get("Content-Type"), string(body), q.Header.Get("shardingContext")})
		r.mu.Unlock()
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprintln(w, "no") // To an agent that may have ended.
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *recorder) requests() []called {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}
