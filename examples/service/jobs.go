package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// addJobs declares the jobs. What is declared here is written to ZooKeeper by
// the first process that serves it; from then on operators decide.
func addJobs(agent *coreagent.Agent, s *shop, ratesURL string) error {
	for _, each := range []struct {
		job     coreagent.Job
		handler coreagent.Handler
	}{
		{invoices, coreagent.HandlerFunc(s.sendInvoices)},
		{shipments, coreagent.Dataflow[order]{Streaming: true, Fetch: s.openOrders, Process: s.ship}},
		{rates, coreagent.HTTP(coreagent.HTTPRequest{URL: ratesURL, Method: http.MethodGet})},
	} {
		if err := agent.Add(each.job, each.handler); err != nil {
			return err
		}
	}
	return nil
}

// The jobs.
var (
	invoices = coreagent.Job{
		Name: "invoices", Schedule: coreagent.Schedule{Cron: "0 0/5 * * * ?"}, Shards: 3, ShardParameters: "0=EU,1=US,2=Asia", Failover: true,
		Description: "Sends the invoices of each region.",
	}
	shipments = coreagent.Job{
		Name: "shipments", Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: 2,
		Description: "Ships open orders until none is left; a shard has those whose number it divides.",
	}
	rates = coreagent.Job{
		Name: "rates", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1,
		Description: "Has the exchange rates fetched.",
	}
)

// order is something that was bought.
type order struct{ number int }

// batch is how many orders are shipped at a time.
const batch = 10

// shop stands for the service's own data, which would be in a database.
type shop struct {
	mu       sync.Mutex
	invoices map[string]int // to be sent, by region
	sent     map[string]int
	open     map[int]order
	shipped  map[int]bool
}

// newShop returns a shop with some work to do.
func newShop() *shop {
	s := &shop{
		invoices: map[string]int{"EU": 12, "US": 7, "Asia": 9}, sent: make(map[string]int),
		open: make(map[int]order), shipped: make(map[int]bool),
	}
	for n := range 45 {
		s.open[n] = order{n}
	}
	return s
}

// sendInvoices sends those of the shard's region. It stops when its context
// ends: another process may have the shard by then.
func (s *shop) sendInvoices(ctx context.Context, shard *coreagent.Shard) error {
	for ctx.Err() == nil {
		s.mu.Lock()
		left := s.invoices[shard.Parameter]
		if left > 0 {
			s.invoices[shard.Parameter]--
			s.sent[shard.Parameter]++
		}
		s.mu.Unlock()
		if left == 0 {
			shard.Log.InfoContext(ctx, "invoices are sent", "region", shard.Parameter)
			return nil
		}
	}
	return context.Cause(ctx)
}

// openOrders fetches the next orders of the shard; none ends the run.
func (s *shop) openOrders(_ context.Context, shard *coreagent.Shard) ([]order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var next []order
	for n, o := range s.open {
		if n%shard.Total == shard.Item && len(next) < batch {
			next = append(next, o)
		}
	}
	return next, nil
}

// ship works on what openOrders returned.
func (s *shop) ship(_ context.Context, _ *coreagent.Shard, orders []order) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range orders {
		if s.shipped[o.number] {
			return fmt.Errorf("order %d is shipped already", o.number)
		}
		s.shipped[o.number] = true
		delete(s.open, o.number)
	}
	return nil
}
