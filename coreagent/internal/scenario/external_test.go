package scenario_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/registry"
)

const secretCanary = "Canary-25"

// V25: whatever goes wrong with an HTTP job, neither its error nor the log has
// what stands behind the question mark, before the @ or in the answer's headers.
func TestV25HTTPErrorsTellNoSecret(t *testing.T) {
	// Not parallel: it looks at everything that is logged.
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
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
	host := strings.TrimPrefix(server.URL, "http://")
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
			t.Errorf("%s: the error does not say where: %v", name, err)
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

// V25: a redirect to another host, or to another port of the same, gets nothing:
// no request at all, with whatever status it is answered.
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

// V26: a script sees what programs need, the sharding context and what was named,
// and nothing else of the agent's environment; what a failing one prints of
// secrets is masked in the error, which becomes the history.
func TestV26ScriptsHaveACleanEnvironment(t *testing.T) {
	t.Setenv("DB_DSN", "mysql://root:"+secretCanary+"@db/shop")
	t.Setenv("MY_TOKEN", secretCanary)
	t.Setenv("APP_COLOUR", "green")
	t.Setenv("APP_PASSWORD", secretCanary)
	t.Setenv("LC_TIME", "C")
	t.Setenv("ELASTICJOB_SHARDING_CONTEXT", "of the agent")
	out := filepath.Join(t.TempDir(), "env")
	if err := coreagenttest.RunShard(t, kindJob, coreagent.Script(script(t, "env >"+out)), 0); err != nil {
		t.Fatal(err)
	}
	seen, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]bool{secretCanary: false, "green": false, "PATH=": true, "LC_TIME=C": true, `ELASTICJOB_SHARDING_CONTEXT={"jobName":`: true, "of the agent": false} {
		if strings.Contains(string(seen), part) != want {
			t.Errorf("%s: want it %v in\n%s", part, want, seen)
		}
	}

	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newBed(t, srv.Addr)
		m := b.agent(1, func(c *coreagent.Config) { c.ScriptEnv = []string{"DB_DSN", "APP_*"} })
		line := script(t, "env | grep -v '^PATH\\|^HOME'; exit 1")
		b.must(m.Add(coreagent.Job{Name: "env", Shards: 1, Type: "SCRIPT", Props: map[string]string{"script.command.line": line}}, nil))
		m.start()
		b.awaitOwners("env", m.id)
		m.order("env")
		var causes []string
		b.await("the run is recorded", func() bool {
			for _, e := range m.trace.executed("env") {
				if e.FailureCause != "" {
					causes = append(causes, e.FailureCause)
				}
			}
			return len(causes) > 0
		})
		for _, cause := range append(causes, m.trace.states("env")...) {
			if !strings.Contains(cause, "exit status") {
				continue
			}
			if strings.Contains(cause, secretCanary) || strings.Contains(cause, "MY_TOKEN") {
				b.Errorf("the history has a secret: %s", cause)
			}
			if !strings.Contains(cause, "APP_COLOUR=green") || !strings.Contains(cause, "DB_DSN=mysql://***@db/shop") || !strings.Contains(cause, "APP_PASSWORD=***") {
				b.Errorf("what was named is not passed on: %s", cause)
			}
		}
		if strings.Contains(b.log.String(), secretCanary) {
			b.Error("the log has a secret")
		}
	})
}

func TestV26WrongNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "A=b", "a*b", "A B", "**"} {
		_, err := coreagent.New(coreagent.Config{Namespace: "n", ZooKeeper: registry.ZooKeeper{Servers: []string{"a:1"}}, ScriptEnv: []string{name}})
		if err == nil || !strings.Contains(err.Error(), "ScriptEnv") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
