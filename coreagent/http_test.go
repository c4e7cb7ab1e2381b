package coreagent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/registry"
)

// secretCanary must not be in any error, log or history.
const secretCanary = "Canary-25"

// TestHTTPRedirects are only followed within a protocol, as in Java.
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

// httpShard runs a shard against a handler and returns the received request.
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
	server.Close() // waits for the handler before got and body are read
	return got, body, err
}

// TestK56K57HTTP: the request, and the effect of its answers.
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
			if status != http.StatusNotFound { // one answer is empty
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

// TestW14HTTPRequestIsASCII: a server gets the query and the sharding context correctly, also after
// a redirect, and the client reads an answer of any length to its end.
func TestW14HTTPRequestIsASCII(t *testing.T) {
	t.Parallel()
	const long = 1 << 20
	var raw, city, header string
	var written int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/from" {
			w.Header()["Location"] = []string{"/to?city=上海 市&rate=5%"}
			w.WriteHeader(http.StatusFound)
			return
		}
		raw, city, header = r.URL.RawQuery, r.URL.Query().Get("city"), r.Header.Get("shardingContext")
		written, _ = io.WriteString(w, strings.Repeat("x", long))
	}))
	job := kindJob
	job.Parameter, job.ShardParameters = "北京\x7f", "0=上海😀"
	for _, address := range []string{"/to?city=上海 市&rate=5%", "/from"} {
		raw, city, header, written = "", "", "", 0
		in := coreagenttest.RunInput{Params: map[string]string{"city": "上海"}}
		_, err := coreagenttest.RunShardWith(t, job, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: server.URL + address}), 0, in)
		if err != nil || raw != "city=%E4%B8%8A%E6%B5%B7%20%E5%B8%82&rate=5%25" || city != "上海 市" || written != long {
			t.Errorf("%s: %v, query %q, %d bytes written", address, err, raw, written)
		}
		var got struct {
			JobParameter, ShardingParameter string
			RunParameters                   struct{ City string }
		}
		if err := json.Unmarshal([]byte(header), &got); err != nil || got.JobParameter != job.Parameter || got.ShardingParameter != "上海😀" || got.RunParameters.City != "上海" {
			t.Errorf("header %q: %v", header, err)
		}
		if i := strings.IndexFunc(header, func(r rune) bool { return r < ' ' || r > '~' }); i >= 0 {
			t.Errorf("header %q isn't ASCII", header)
		}
	}
	server.Close()
}

// TestHTTPEndsWithItsRun: a cancelled run doesn't wait for the endpoint.
func TestHTTPEndsWithItsRun(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	job := kindJob
	job.Timeout = 100 * time.Millisecond
	err := coreagenttest.RunShard(t, job, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: server.URL, ReadTimeout: time.Hour}), 0)
	if !errors.Is(err, coreagent.ErrTimeout) {
		t.Errorf("error %v", err)
	}
}

// leakyServer answers in ways that fail a request, with secrets wherever they fit.
func leakyServer(t *testing.T) (address string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			hijacked, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			hijacked.Close()
		case "/round":
			http.Redirect(w, r, "/round?access_token="+secretCanary, http.StatusFound)
		case "/bad":
			w.Header().Set("Location", "http://[::1/?token="+secretCanary)
			w.WriteHeader(http.StatusFound)
		case "/short":
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("x"))
		case "/status":
			http.Error(w, `{"token":"`+secretCanary+`"}`, http.StatusForbidden)
		}
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// V25: for any failure of an HTTP job, neither its error nor the log has the query, the account or
// the answer's headers.
func TestV25HTTPErrorsTellNoSecret(t *testing.T) {
	// Not parallel, because it checks everything that is logged.
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	host := leakyServer(t)
	for name, tc := range map[string]struct {
		url  string
		fine bool
	}{
		"refused":         {url: "http://127.0.0.1:1/hook?access_token=" + secretCanary + "&x=" + secretCanary},
		"unnamed":         {url: "http://127.0.0.1:1/hook?" + secretCanary},
		"account":         {url: "http://root:" + secretCanary + "@127.0.0.1:1/"},
		"broken":          {url: "http://" + host + "/cut?access_token=" + secretCanary},
		"round":           {url: "http://" + host + "/round?access_token=" + secretCanary},
		"bad redirect":    {url: "http://" + host + "/bad?x=" + secretCanary},
		"short answer":    {url: "http://" + host + "/short?x=" + secretCanary},
		"an error status": {url: "http://u:" + secretCanary + "@" + host + "/status?x=" + secretCanary, fine: true},
		"robot":           {url: "http://127.0.0.1:1/services/T/B/" + secretCanary},
	} {
		err := coreagenttest.RunShard(t, kindJob, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: tc.url}), 0)
		if (err == nil) != tc.fine {
			t.Errorf("%s: error %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), secretCanary) {
			t.Errorf("%s: the error has a secret: %v", name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "127.0.0.1:") {
			t.Errorf("%s: the error does not name the place: %v", name, err)
		}
	}
	agent, err := coreagent.New(coreagent.Config{Namespace: "n", ZooKeeper: registry.ZooKeeper{Servers: []string{"a:1"}}})
	if err != nil {
		t.Fatal(err)
	}
	noAddress := coreagent.HTTPRequest{Method: http.MethodGet, URL: "http://root:" + secretCanary + "@[::1/?x=" + secretCanary}
	if err := agent.Add(kindJob, coreagent.HTTP(noAddress)); err == nil || strings.Contains(err.Error(), secretCanary) {
		t.Errorf("no address: %v", err)
	}
	if strings.Contains(logged.String(), secretCanary) {
		t.Errorf("the log has a secret:\n%s", logged.String())
	}
}

// V25: no request is sent to the target of a redirect to another host, or to another port of the
// same host, with any status.
func TestV25RedirectElsewhereGetsNothing(t *testing.T) {
	t.Parallel()
	var visits atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { visits.Add(1) }))
	t.Cleanup(elsewhere.Close)
	status := 0
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, elsewhere.URL+"/?token="+secretCanary, status)
		case "/near":
			http.Redirect(w, r, "/end", status)
		}
	}))
	t.Cleanup(home.Close)
	for _, status = range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			request := coreagent.HTTPRequest{Method: method, URL: home.URL + "/away", Data: secretCanary}
			err := coreagenttest.RunShard(t, kindJob, coreagent.HTTP(request), 0)
			if err == nil || !strings.Contains(err.Error(), "redirected to another host, 127.0.0.1:") || strings.Contains(err.Error(), secretCanary) {
				t.Errorf("%s %d: %v", method, status, err)
			}
			request.URL = home.URL + "/near"
			if err := coreagenttest.RunShard(t, kindJob, coreagent.HTTP(request), 0); err != nil {
				t.Errorf("%s %d on the same host: %v", method, status, err)
			}
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("%d requests to another host", n)
	}
}
