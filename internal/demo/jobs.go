package demo

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// Names of the jobs that others refer to.
const (
	// OneOffJob has no cron and waits for somebody to trigger it.
	OneOffJob = "year-end-report"
	// LongJob has a long run and failover on: the one to kill an agent under.
	LongJob = "stock-count"
)

// YearEndReport is what a run of [OneOffJob] is about.
type YearEndReport struct {
	Year    int      `json:"year" param:"required;min=2000;max=2100;title=Year;description=The year that has ended."`
	Regions []string `json:"regions,omitempty" param:"maxItems=20;title=Regions;description=Cities with a branch. None means all of them. Turin answers at the second attempt."`
}

// YearEnd asks for runs of [OneOffJob].
var YearEnd = coreagent.NewTrigger[YearEndReport](OneOffJob)

// lateBranch does not answer the first attempt of a run that asks for it by name, so that
// a retry can be seen.
const lateBranch = "Turin"

// branch is how long the report of one city takes in a run that somebody has requested.
const branch = 1500 * time.Millisecond

// shelf is how long it takes to count one; shelves how many each branch has.
// Together they make the run of [LongJob] long enough to be interrupted.
const (
	shelf   = 2 * time.Second
	shelves = 10
)

// jobs are the shop's eight jobs for one agent. base is the shop's address.
func jobs(base string) []entry {
	shop := newClient(base)
	return []entry{
		{coreagent.Job{
			Name: "orders-import", Schedule: coreagent.Schedule{Cron: "0/5 * * * * ?"}, Shards: len(Cities), ShardParameters: numbered(Cities...),
			Description: "Simple: books the orders that have arrived in each city.",
		}, coreagent.HandlerFunc(shop.importOrders)},
		{coreagent.Job{
			Name: "invoices", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?"}, Shards: 3,
			Description: "Dataflow: invoices up to 20 booked orders per shard and fire.",
		}, coreagent.Dataflow[Order]{Fetch: shop.fetch(Booked, 20), Process: shop.process(Invoiced)}},
		{coreagent.Job{
			Name: "parcel-labels", Schedule: coreagent.Schedule{Cron: "5/15 * * * * ?"}, Shards: 3,
			Description: "Streaming dataflow: prints parcel labels five by five until no invoiced order is left.",
		}, coreagent.Dataflow[Order]{Streaming: true, Fetch: shop.fetch(Invoiced, 5), Process: shop.process(Labelled)}},
		{coreagent.Job{
			Name: "ledger-export", Schedule: coreagent.Schedule{Cron: "0/20 * * * * ?"}, Shards: 2, ShardParameters: "0=receivables,1=payables",
			Description: "Script: a command line that gets the sharding context as its last argument.",
		}, coreagent.Script(echo + " exporting the ledger")},
		{coreagent.Job{
			Name: "exchange-rates", Schedule: coreagent.Schedule{Cron: "0/30 * * * * ?"}, Shards: 3, ShardParameters: "0=USD,1=GBP,2=CHF",
			Description: "HTTP: asks the shop's rate service for one currency per shard.",
		}, coreagent.HTTP(coreagent.HTTPRequest{URL: base + "/rates", Method: http.MethodPost, Data: "source=demo", ConnectTimeout: 2 * time.Second, ReadTimeout: 5 * time.Second})},
		{coreagent.Job{
			Name: "payment-reminders", Schedule: coreagent.Schedule{Cron: "10/15 * * * * ?"}, Shards: 3,
			Description: "Fails now and then: the mail server is busy at every seventh reminder.",
		}, coreagent.HandlerFunc(shop.sendReminder)},
		{coreagent.Job{
			Name: LongJob, Schedule: coreagent.Schedule{Cron: "0 * * * * ?"}, Shards: len(Cities), ShardParameters: numbered(Cities...), Failover: true,
			Description: "Long run, failover on: counts ten shelves per city. Kill an agent while it runs: the others count its cities as soon as they have finished their own.",
		}, coreagent.HandlerFunc(countStock)},
		{coreagent.Job{
			Name: OneOffJob, Shards: 2, Parameter: "all branches", Retry: coreagent.Retry{Retries: 2, Backoff: 10 * time.Second},
			Description: "One-off: has no cron and runs when it is triggered, or when somebody requests a run for a year and some cities.",
		}, YearEnd.Handler(shop.yearEnd)},
	}
}

// echo is a program every system has, found without a shell.
var echo = func() string {
	if runtime.GOOS == "windows" {
		return "cmd /c echo"
	}
	return "echo"
}()

// entry is a job with its handler.
type entry struct {
	job     coreagent.Job
	handler coreagent.Handler
}

// numbered writes shard parameters: "0=Berlin,1=Hamburg".
func numbered(values ...string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = strconv.Itoa(i) + "=" + v
	}
	return strings.Join(parts, ",")
}

func (c client) importOrders(ctx context.Context, s *coreagent.Shard) error {
	var answer struct{ Booked int }
	if err := c.call(ctx, http.MethodPost, "/cities/"+url.PathEscape(s.Parameter)+"/orders", nil, &answer); err != nil {
		return err
	}
	s.Log.DebugContext(ctx, "orders booked", slog.String("city", s.Parameter), slog.Int("orders", answer.Booked))
	return nil
}

// share is the part of the orders that belongs to a shard.
func share(s *coreagent.Shard) url.Values {
	return url.Values{"item": {strconv.Itoa(s.Item)}, "of": {strconv.Itoa(s.Total)}}
}

func (c client) fetch(state State, limit int) func(context.Context, *coreagent.Shard) ([]Order, error) {
	return func(ctx context.Context, s *coreagent.Shard) ([]Order, error) {
		query := share(s)
		query.Set("state", string(state))
		query.Set("max", strconv.Itoa(limit))
		var found []Order
		err := c.call(ctx, http.MethodGet, "/orders", query, &found)
		return found, err
	}
}

func (c client) process(to State) func(context.Context, *coreagent.Shard, []Order) error {
	return func(ctx context.Context, _ *coreagent.Shard, orders []Order) error {
		for _, o := range orders {
			if err := c.call(ctx, http.MethodPost, fmt.Sprintf("/orders/%d/%s", o.ID, to), nil, nil); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c client) sendReminder(ctx context.Context, s *coreagent.Shard) error {
	began := time.Now()
	s.Log.InfoContext(ctx, "connecting to the mail server")
	if err := c.call(ctx, http.MethodPost, "/reminders", nil, nil); err != nil {
		s.Log.ErrorContext(ctx, "the mail server refused the reminder", slog.Any("err", err))
		return err
	}
	s.Log.InfoContext(ctx, "reminder sent", slog.Duration("took", time.Since(began).Round(time.Millisecond)))
	return nil
}

// countStock takes its time, shelf by shelf, and stops between two shelves
// when the shard is taken away or the agent shuts down.
func countStock(ctx context.Context, s *coreagent.Shard) error {
	tick := time.NewTicker(shelf)
	defer tick.Stop()
	for n := range shelves {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("stopped in %s after %d of %d shelves: %w", s.Parameter, n, shelves, context.Cause(ctx))
		}
	}
	return nil
}

func (c client) yearEnd(ctx context.Context, s *coreagent.Shard, p YearEndReport) error {
	if s.Run.HasParams {
		if err := visit(ctx, s, p.Regions); err != nil {
			return err
		}
	}
	var sum Report
	if err := c.call(ctx, http.MethodGet, "/report", share(s), &sum); err != nil {
		return err
	}
	s.Log.InfoContext(ctx, "year-end report", slog.Int("orders", sum.Orders), slog.Int("cents", sum.Cents))
	return s.Result(sum)
}

// visit takes its time at each of the shard's cities. A city without a branch fails the
// run for good.
func visit(ctx context.Context, s *coreagent.Shard, regions []string) error {
	named := len(regions) > 0
	if !named {
		regions = Cities
	}
	var own []string
	for n := s.Item; n < len(regions); n += s.Total {
		own = append(own, regions[n])
	}
	tick := time.NewTicker(branch)
	defer tick.Stop()
	for n, city := range own {
		s.Progress(float64(n)/float64(len(own)), city)
		if !slices.Contains(Cities, city) {
			return coreagent.Permanent(fmt.Errorf("there is no branch in %q", city))
		}
		if named && city == lateBranch && s.Run.Attempt == 1 {
			return fmt.Errorf("the branch in %s does not answer", city)
		}
		select {
		case <-tick.C:
			s.Log.InfoContext(ctx, "branch reported", slog.String("city", city))
		case <-ctx.Done():
			s.Log.WarnContext(ctx, "the report ends early", slog.String("city", city))
			return fmt.Errorf("stopped before %s: %w", city, context.Cause(ctx))
		}
	}
	s.Progress(1, "")
	return nil
}
