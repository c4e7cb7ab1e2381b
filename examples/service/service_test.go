package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/tracing/rdb/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// running is a service of a test, with what surrounds it.
type running struct {
	t       *testing.T
	server  *coreagenttest.Server
	shop    *shop
	rates   *atomic.Value // the sharding context of the last call
	dsn     string
	base    string
	stop    context.CancelFunc
	stopped chan error
	before  func(*service) // called when the service is open and not yet served
}

func (r *running) start() {
	t := r.t
	r.server, r.shop, r.rates, r.stopped = coreagenttest.NewServer(t), newShop(), new(atomic.Value), make(chan error, 1)
	endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		r.rates.Store(req.Header.Get("shardingContext"))
	}))
	t.Cleanup(endpoint.Close)
	r.dsn = "sqlite://" + filepath.ToSlash(filepath.Join(t.TempDir(), "service.db"))
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	s, err := open(ctx, options{
		namespace: "billing", zookeeper: registry.ZooKeeper{Servers: []string{r.server.Addr()}, SessionTimeout: 5 * time.Second},
		listen: "127.0.0.1:0", history: sqlite.DSN(r.dsn), ratesURL: endpoint.URL, drain: 20 * time.Second, log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}, r.shop)
	if err != nil {
		t.Fatal(err)
	}
	if r.before != nil {
		r.before(s)
	}
	r.base = "http://" + s.addr()
	go func() { r.stopped <- s.serve(ctx); close(r.stopped) }()
	t.Cleanup(func() { stop(); <-r.stopped }) // After a test that ended early; else it is stopped already.
	r.eventually("the service is ready", func() bool { return r.get("/readyz") == "200 ok\n" })
}

// get asks the service; the answer begins with its status.
func (r *running) get(path string) string {
	r.t.Helper()
	client := http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(r.base + path)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", response.StatusCode, body)
}

func (r *running) eventually(what string, ok func() bool) {
	r.t.Helper()
	deadline, poll := time.NewTimer(30*time.Second), time.NewTicker(10*time.Millisecond)
	defer deadline.Stop()
	defer poll.Stop()
	for !ok() {
		select {
		case <-poll.C:
		case <-deadline.C:
			r.t.Fatalf("never: %s", what)
		}
	}
}

func (r *running) trigger(jobs ...string) {
	r.t.Helper()
	reg, err := registry.Open(r.t.Context(), registry.Config{Namespace: "billing", ZooKeeper: r.server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, job := range jobs {
		if _, err = lifecycle.NewOperator(reg).Trigger(r.t.Context(), job); err != nil {
			break
		}
	}
	if err := errors.Join(err, reg.Close()); err != nil {
		r.t.Fatal(err)
	}
}

func (r *running) end() {
	r.t.Helper()
	r.stop()
	if err := <-r.stopped; err != nil {
		r.t.Errorf("stop: %v", err)
	}
}

// history counts the successful runs of shards by job.
func (r *running) history() map[string]int {
	r.t.Helper()
	db, err := rdb.Open(r.t.Context(), sqlite.DSN(r.dsn), slog.New(slog.DiscardHandler))
	if err != nil {
		r.t.Fatal(err)
	}
	page, err := rdb.NewStore(db).Executions(r.t.Context(), rdb.ExecutionFilter{State: rdb.RunSuccess})
	if err != nil {
		r.t.Fatal(err)
	}
	runs := make(map[string]int)
	for _, run := range page.Rows {
		runs[run.JobName]++
	}
	if err := db.Close(); err != nil {
		r.t.Error(err)
	}
	return runs
}

func (s *shop) done() (invoices, shipped int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.sent {
		invoices += n
	}
	return invoices, len(s.shipped)
}

// TestServiceRunsItsJobs: each kind does its work, is counted and recorded.
func TestServiceRunsItsJobs(t *testing.T) {
	r := &running{t: t}
	r.start()
	r.trigger("invoices", "shipments", "rates")
	r.eventually("all invoices are sent, all orders shipped and the rates fetched", func() bool {
		sent, shipped := r.shop.done()
		return sent == 12+7+9 && shipped == 45 && r.rates.Load() != nil
	})
	if context, _ := r.rates.Load().(string); !strings.Contains(context, `"jobName":"rates"`) {
		t.Errorf("the endpoint received %s", context)
	}
	if got := r.get("/healthz"); got != "200 ok\n" {
		t.Errorf("/healthz: %s", got)
	}
	r.eventually("the runs are counted", func() bool {
		metrics := r.get("/metrics")
		for _, job := range []string{"invoices", "shipments", "rates"} {
			// A fire time of its own may come during the test.
			if !regexp.MustCompile(`elasticjob_agent_runs_total\{job_name="` + job + `",result="success"\} [1-9]`).MatchString(metrics) {
				return false
			}
		}
		return strings.Contains(metrics, "elasticjob_agent_trace_written_total")
	})
	r.end()
	if runs := r.history(); runs["invoices"] < 3 || runs["shipments"] < 2 || runs["rates"] < 1 {
		t.Errorf("the history has %v", runs)
	}
}

// TestReadinessFollowsTheSession: not ready while ZooKeeper is away, alive all the
// time, and ready again by itself.
func TestReadinessFollowsTheSession(t *testing.T) {
	r := &running{t: t}
	r.start()
	r.server.Stop()
	r.eventually("the service is not ready", func() bool { return r.get("/readyz") == "503 no session with ZooKeeper\n" })
	if got := r.get("/healthz"); got != "200 ok\n" {
		t.Errorf("/healthz: %s", got)
	}
	if err := r.server.Start(); err != nil {
		t.Fatal(err)
	}
	r.eventually("the service is ready again", func() bool { return r.get("/readyz") == "200 ok\n" })
	r.end()
}

// TestGracefulStop: what runs comes to its end and is recorded, and meanwhile the
// service says that it stops.
func TestGracefulStop(t *testing.T) {
	entered, leave := make(chan struct{}), make(chan struct{})
	r := &running{t: t, before: func(s *service) {
		s.agent.HandleFunc(coreagent.Job{Name: "slow", Shards: 1}, func(ctx context.Context, _ *coreagent.Shard) error {
			close(entered)
			select {
			case <-leave:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		})
	}}
	r.start()
	r.trigger("slow")
	<-entered
	r.stop()
	r.eventually("the service says that it stops", func() bool { return r.get("/readyz") == "503 stopping\n" })
	select {
	case err := <-r.stopped:
		t.Fatalf("stopped under a running shard: %v", err)
	default:
	}
	close(leave)
	r.end()
	if runs := r.history(); runs["slow"] != 1 {
		t.Errorf("the history has %v", runs)
	}
}

// TestStopBeforeZooKeeperAnswers: the service waits, is alive and not ready, and a
// stop then is no failure.
func TestStopBeforeZooKeeperAnswers(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	s, err := open(ctx, options{
		namespace: "billing", zookeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}}, listen: "127.0.0.1:0",
		history: sqlite.DSN(":memory:"), ratesURL: "http://127.0.0.1:1/", log: slog.New(slog.DiscardHandler),
	}, newShop())
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, base: "http://" + s.addr(), stopped: make(chan error, 1), stop: stop}
	go func() { r.stopped <- s.serve(ctx) }()
	r.eventually("it waits", func() bool { return r.get("/readyz") == "503 the jobs are not registered yet\n" })
	if got := r.get("/healthz"); got != "200 ok\n" {
		t.Errorf("/healthz: %s", got)
	}
	r.end()
}

// TestOpenFailsWhole: nothing is left when the port is taken or a setting is wrong.
func TestOpenFailsWhole(t *testing.T) {
	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	good := options{
		namespace: "billing", zookeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}}, listen: "127.0.0.1:0",
		history: sqlite.DSN(":memory:"), ratesURL: "http://127.0.0.1:1/", log: slog.New(slog.DiscardHandler),
	}
	for what, broken := range map[string]func(*options){
		"address already in use": func(o *options) { o.listen = taken.Listener.Addr().String() },
		"Namespace":              func(o *options) { o.namespace = "" },
		"HTTP: URL":              func(o *options) { o.ratesURL = "nowhere" },
		"data source name":       func(o *options) { o.history = sqlite.DSN("oracle://h/db") },
	} {
		opts := good
		broken(&opts)
		if _, err := open(t.Context(), opts, newShop()); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want an error about %s", err, what)
		}
	}
}
