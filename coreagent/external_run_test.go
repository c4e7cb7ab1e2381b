package coreagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/internal/leftover"
)

// TestScriptOfARequestedRun: its argument and its environment describe the run, its lines are in
// the run's log, and its progress is the shard's.
func TestScriptOfARequestedRun(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "seen")
	line := script(t, `{ echo "$1"; env | grep ^ELASTICJOB_R; env | grep ^ELASTICJOB_[AP]; } >`+out+`
echo first
echo "::progress 0.25 a quarter"
echo "::progress is a word" >&2
printf 'password=hunter2 and no end of the line'`)
	seen, err := coreagenttest.RunShardWith(t, kindJob, coreagent.Script(line), 0, coreagenttest.RunInput{
		ID: "0193", Params: map[string]int{"year": 2026}, Attempt: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "::progress is a word", "password=*** and no end of the line"}; !slices.Equal(seen.Log, want) {
		t.Errorf("the log is %q, want %q", seen.Log, want)
	}
	if seen.Progress != 0.25 || seen.Message != "a quarter" {
		t.Errorf("progress %v %q", seen.Progress, seen.Message)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"runId":"0193","attempt":2,"runParameters":{"year":2026}}`, "ELASTICJOB_RUN_ID=0193\n", "ELASTICJOB_ATTEMPT=2\n", `ELASTICJOB_PARAMETERS={"year":2026}` + "\n",
	} {
		if !strings.Contains(string(written), want) {
			t.Errorf("the script did not see %s in\n%s", want, written)
		}
	}
}

// TestScriptThatGivesUp: exit code 65 isn't retried.
func TestScriptThatGivesUp(t *testing.T) {
	t.Parallel()
	for code, permanent := range map[int]bool{65: true, 75: false, 1: false} {
		_, err := coreagenttest.RunShardWith(t, kindJob, coreagent.Script(script(t, fmt.Sprintf("exit %d", code))), 0, coreagenttest.RunInput{})
		if err == nil || coreagent.IsPermanent(err) != permanent {
			t.Errorf("exit code %d: %v, want it permanent %v", code, err, permanent)
		}
	}
}

// withDefaults is a schema with a default.
const withDefaults = `{"type":"object","properties":{"year":{"type":"integer"},"format":{"type":"string","default":"pdf"}}}`

// TestW09Defaults: a missing parameter gets the default of the job's schema, also at a fire time,
// for a script, an endpoint and a function.
func TestW09Defaults(t *testing.T) {
	t.Parallel()
	job := kindJob
	job.Requests.Schema = []byte(withDefaults)
	out := filepath.Join(t.TempDir(), "seen")
	var body, header string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body, header = string(data), r.Header.Get("shardingContext")
	}))
	defer server.Close()
	for name, tc := range map[string]struct {
		in   *coreagenttest.RunInput
		want string
	}{
		"some":      {&coreagenttest.RunInput{Params: map[string]int{"year": 2026}}, `{"year":2026,"format":"pdf"}`},
		"none":      {&coreagenttest.RunInput{}, `{"format":"pdf"}`},
		"all":       {&coreagenttest.RunInput{Params: json.RawMessage(`{"format":"csv"}`)}, `{"format":"csv"}`},
		"fire time": {nil, `{"format":"pdf"}`},
	} {
		run := func(h coreagent.Handler) {
			var err error
			if tc.in == nil {
				err = coreagenttest.RunShard(t, job, h, 0)
			} else {
				_, err = coreagenttest.RunShardWith(t, job, h, 0, *tc.in)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		run(coreagent.Script(script(t, `echo "$1 $ELASTICJOB_PARAMETERS" >`+out)))
		if written, err := os.ReadFile(out); err != nil || !strings.HasSuffix(string(written), `"runParameters":`+tc.want+"} "+tc.want+"\n") {
			t.Errorf("%s: the script saw %s, %v", name, written, err)
		}
		run(coreagent.HTTP(coreagent.HTTPRequest{URL: server.URL, Method: http.MethodPost}))
		if body != tc.want {
			t.Errorf("%s: the body of a POST is %s", name, body)
		}
		run(coreagent.HTTP(coreagent.HTTPRequest{URL: server.URL, Method: http.MethodGet}))
		if !strings.HasSuffix(header, `"runParameters":`+tc.want+"}") {
			t.Errorf("%s: the header of a GET is %s", name, header)
		}
		run(coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
			if string(s.Run.Params) != tc.want || s.Run.HasParams != (tc.in != nil && tc.in.Params != nil) {
				t.Errorf("%s: a function saw %s, %v", name, s.Run.Params, s.Run.HasParams)
			}
			return nil
		}))
	}
}

// TestW01HeldOutput: if a script leaves a child that holds its output, its exit code decides: 0 is
// a success with a warning in the run's log, 65 is permanent, and 1 may be retried.
func TestW01HeldOutput(t *testing.T) {
	t.Parallel()
	for code, permanent := range map[int]bool{0: false, 1: false, 65: true} {
		t.Run(strconv.Itoa(code), func(t *testing.T) {
			t.Parallel()
			line := script(t, fmt.Sprintf("sleep 1000 & echo $!; exit %d", code))
			seen, err := coreagenttest.RunShardWith(t, kindJob, coreagent.Script(line), 0, coreagenttest.RunInput{})
			if (err == nil) != (code == 0) || coreagent.IsPermanent(err) != permanent {
				t.Errorf("error %v, want it permanent %v", err, permanent)
			}
			if code == 0 && !slices.ContainsFunc(seen.Log, func(line string) bool { return strings.Contains(line, leftover.Warning) }) {
				t.Errorf("the run's log has no warning: %q", seen.Log)
			}
			pid, err := strconv.Atoi(seen.Log[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Errorf("the child should live on, as in Java: %v", err)
			}
		})
	}
}

// TestHTTPOfARequestedRun: the parameters are the body if there is room for one, else in the header.
func TestHTTPOfARequestedRun(t *testing.T) {
	t.Parallel()
	large := json.RawMessage(`{"text":"` + strings.Repeat("x", 5120-11) + `"}`)
	for name, tc := range map[string]struct {
		request             coreagent.HTTPRequest
		params              json.RawMessage
		body, kind, context string
		refusal             string
	}{
		"body":      {coreagent.HTTPRequest{Method: "POST"}, json.RawMessage(`{"year":2026}`), `{"year":2026}`, "application/json", `"runId":"0193","attempt":1}`, ""},
		"large":     {coreagent.HTTPRequest{Method: "PUT"}, large, string(large), "application/json", `"runId":"0193","attempt":1}`, ""},
		"data":      {coreagent.HTTPRequest{Method: "POST", Data: "a=b"}, json.RawMessage(`{"year":2026}`), "a=b", "application/x-www-form-urlencoded", `"runParameters":{"year":2026}}`, ""},
		"get":       {coreagent.HTTPRequest{Method: "GET"}, json.RawMessage(`{"year":2026}`), "", "", `"runParameters":{"year":2026}}`, ""},
		"none":      {coreagent.HTTPRequest{Method: "POST"}, nil, "", "", `"runId":"0193","attempt":1}`, ""},
		"large get": {coreagent.HTTPRequest{Method: "GET"}, large, "", "", "", "parameters of 5120 bytes do not fit a GET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var body, kind, context string
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				data, err := io.ReadAll(r.Body)
				if err != nil {
					t.Error(err)
				}
				body, kind, context = string(data), r.Header.Get("Content-Type"), r.Header.Get("shardingContext")
			}))
			tc.request.URL = server.URL
			in := coreagenttest.RunInput{ID: "0193"}
			if tc.params != nil {
				in.Params = tc.params
			}
			_, err := coreagenttest.RunShardWith(t, kindJob, coreagent.HTTP(tc.request), 0, in)
			server.Close() // waits for the handler
			if tc.refusal != "" {
				if err == nil || err.Error() != tc.refusal || !coreagent.IsPermanent(err) {
					t.Errorf("%v, want %q for good", err, tc.refusal)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if body != tc.body || kind != tc.kind || !strings.HasSuffix(context, tc.context) {
				t.Errorf("body %q as %q with the context %q", body, kind, context)
			}
		})
	}
}
