package demo

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

// openShop serves a shop that has been open for some time.
func openShop(t *testing.T, since time.Duration) (client, *httptest.Server) {
	t.Helper()
	shop := NewShop(slog.New(slog.DiscardHandler))
	opened := shop.opened
	shop.now = func() time.Time { return opened.Add(since) }
	server := httptest.NewServer(shop.Handler())
	t.Cleanup(server.Close)
	return newClient(server.URL), server
}

func shard(item, total int, parameter string) *coreagent.Shard {
	return &coreagent.Shard{Item: item, Total: total, Parameter: parameter, Log: slog.New(slog.DiscardHandler)}
}

// TestAnOrderGoesAllTheWay runs the bodies of the jobs in the order the crons
// have them.
func TestAnOrderGoesAllTheWay(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	shop, _ := openShop(t, 10*arrivalEvery)

	if err := shop.importOrders(ctx, shard(0, 6, "Berlin")); err != nil {
		t.Fatal(err)
	}
	if err := shop.importOrders(ctx, shard(0, 6, "Berlin")); err != nil {
		t.Fatalf("a second import at the same moment: %v", err)
	}
	counts := func(state State) int {
		n := 0
		for item := range 3 {
			found, err := shop.fetch(state, 100)(ctx, shard(item, 3, ""))
			if err != nil {
				t.Fatal(err)
			}
			n += len(found)
		}
		return n
	}
	if n := counts(Booked); n != 10 {
		t.Fatalf("%d orders booked, want 10: arrivals are booked once", n)
	}
	for item := range 3 {
		s := shard(item, 3, "")
		for _, step := range []coreagent.Dataflow[Order]{
			{Fetch: shop.fetch(Booked, 20), Process: shop.process(Invoiced)},
			{Fetch: shop.fetch(Invoiced, 20), Process: shop.process(Labelled)},
		} {
			if err := step.Handle(ctx, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := counts(Labelled); n != 10 {
		t.Errorf("%d orders labelled, want all 10", n)
	}
	var sum Report
	if err := shop.call(ctx, http.MethodGet, "/report", share(shard(0, 1, "")), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Orders != 10 || sum.ByCity["Berlin"] != 10 || sum.Cents == 0 {
		t.Errorf("report %+v, want 10 orders from Berlin", sum)
	}
}

func TestTheMailServerIsBusyNowAndThen(t *testing.T) {
	t.Parallel()
	shop, _ := openShop(t, 0)
	failures := 0
	for range 3 * busyEvery {
		if err := shop.sendReminder(t.Context(), shard(0, 1, "")); err != nil {
			failures++
			if !strings.Contains(err.Error(), "421") {
				t.Errorf("error %q does not say why", err)
			}
		}
	}
	if failures != 3 {
		t.Errorf("%d of %d reminders failed, want 3", failures, 3*busyEvery)
	}
}

func TestTheShopRefusesNonsense(t *testing.T) {
	t.Parallel()
	shop, server := openShop(t, 10*arrivalEvery)
	if err := shop.importOrders(t.Context(), shard(0, 6, "Oslo")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		method, path, header, want string
		status                     int
	}{
		{"POST", "/cities/Atlantis/orders", "", `"Atlantis"`, 404},
		{"GET", "/orders?state=booked&item=x&of=3&max=5", "", `item "x"`, 400},
		{"GET", "/orders?state=booked&item=3&of=3&max=5", "", "no share", 400},
		{"GET", "/orders?state=booked&item=0&of=3&max=0", "", `max "0"`, 400},
		{"POST", "/orders/1/" + string(Labelled), "", "cannot become labelled", 409},
		{"POST", "/orders/99999/" + string(Invoiced), "", `"99999"`, 404},
		{"POST", "/rates", "no json", "shardingContext", 400},
		{"POST", "/rates", `{"shardingParameter":"XAU"}`, `"XAU"`, 404},
		{"POST", "/rates", `{"shardingParameter":"USD"}`, "1.0", 200},
		{"GET", "/report?item=0&of=0", "", "no share", 400},
	} {
		req, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL+tt.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tt.header != "" {
			req.Header.Set("shardingContext", tt.header)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
			t.Errorf("%s %s: %d %q (%v), want %d with %q", tt.method, tt.path, resp.StatusCode, body, err, tt.status, tt.want)
		}
	}
}

// TestTheEightJobs proves that an agent accepts them and that they are the
// eight kinds the demo promises.
func TestTheEightJobs(t *testing.T) {
	t.Parallel()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: "demo", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}},
		Address: "127.0.0.11", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	all := jobs("http://127.0.0.1:1")
	if len(all) != 8 {
		t.Errorf("%d jobs, want eight", len(all))
	}
	oneOff, failover := 0, 0
	for _, e := range all {
		if err := agent.Add(e.job, e.handler); err != nil {
			t.Error(err)
		}
		if e.job.Schedule.Cron == "" {
			oneOff++
		}
		if e.job.Failover {
			failover++
		}
		if e.job.Description == "" {
			t.Errorf("%s does not say what it is", e.job.Name)
		}
	}
	if oneOff != 1 || failover != 1 {
		t.Errorf("%d one-off jobs and %d with failover, want one of each", oneOff, failover)
	}
}

func TestStockCountStopsWhenAsked(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(coreagent.ErrStopping)
	err := countStock(ctx, shard(0, 6, "Turin"))
	if err == nil || !strings.Contains(err.Error(), "Turin after 0 of 10 shelves") {
		t.Errorf("error %v, want one that tells how far it came", err)
	}
}

func TestCallsEscapeTheirQuery(t *testing.T) {
	t.Parallel()
	shop, _ := openShop(t, 0)
	err := shop.call(t.Context(), http.MethodGet, "/report", url.Values{"item": {"0&of=1"}, "of": {"1"}}, nil)
	if err == nil || !strings.Contains(err.Error(), `item "0&of=1"`) {
		t.Errorf("error %v, want the item as one value", err)
	}
}
