package coreagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

type invoiceParams struct {
	Month string `json:"month"`
}

// serving runs check with an agent that serves a job.
func serving(t *testing.T, job coreagent.Job, h coreagent.HandlerFunc, check func(t *testing.T, a *coreagent.Agent)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := coreagenttest.NewPipeServer(t)
		a, err := coreagent.New(coreagent.Config{Namespace: "test", Address: "10.0.0.1", ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		a.HandleFunc(job, h)
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		check(t, a)
		if err := a.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestW09AgentFillsDefaults: an agent fills in defaults for each run of the job.
func TestW09AgentFillsDefaults(t *testing.T) {
	t.Parallel()
	job := coreagent.Job{Name: "invoices", Shards: 1, Requests: coreagent.Requests{Schema: []byte(withDefaults)}}
	var seen string
	handle := func(_ context.Context, s *coreagent.Shard) error { seen = string(s.Run.Params); return nil }
	serving(t, job, handle, func(t *testing.T, a *coreagent.Agent) {
		ticket, err := a.Submit(t.Context(), "invoices", map[string]int{"year": 2026}, coreagent.RunOptions{})
		if err == nil {
			_, err = a.AwaitRun(t.Context(), "invoices", ticket.ID)
		}
		if err != nil || seen != `{"year":2026,"format":"pdf"}` {
			t.Errorf("the handler saw %s, %v", seen, err)
		}
	})
}

// TestW12EmptyIsNotAll: an empty list of shards isn't all of them, and empty parameters aren't none.
func TestW12EmptyIsNotAll(t *testing.T) {
	t.Parallel()
	serving(t, coreagent.Job{Name: "invoices", Shards: 2}, nop, func(t *testing.T, a *coreagent.Agent) {
		for _, r := range []struct {
			coreagent.RunRequest
			want error
		}{
			{coreagent.RunRequest{Options: coreagent.RunOptions{Shards: []int{}}}, coreagent.ErrRunOptions},
			{coreagent.RunRequest{Params: json.RawMessage{}}, coreagent.ErrParams},
			{coreagent.RunRequest{Params: json.RawMessage(nil)}, nil},
		} {
			_, one := a.Submit(t.Context(), "invoices", r.Params, r.Options)
			_, many := a.SubmitMany(t.Context(), "invoices", []coreagent.RunRequest{r.RunRequest})
			if !errors.Is(one, r.want) || !errors.Is(many, r.want) {
				t.Errorf("%+v: %v and %v, want %v", r.RunRequest, one, many, r.want)
			}
		}
	})
}

// TestW07ManyAtOnce: if more runs than fit into the queue are requested, they start in order, and
// the allowed number can be placed.
func TestW07ManyAtOnce(t *testing.T) {
	t.Parallel()
	var seen []string
	handle := func(_ context.Context, s *coreagent.Shard) error {
		seen = append(seen, string(s.Run.Params))
		return nil
	}
	serving(t, coreagent.Job{Name: "invoices", Shards: 1}, handle, func(t *testing.T, a *coreagent.Agent) {
		requests := make([]coreagent.RunRequest, 300)
		for i := range requests {
			even := i / 2 * 2 // so each key occurs twice
			requests[i] = coreagent.RunRequest{Params: map[string]int{"n": even}, Options: coreagent.RunOptions{Key: strconv.Itoa(even)}}
		}
		tickets, err := a.SubmitMany(t.Context(), "invoices", requests)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.AwaitRun(t.Context(), "invoices", tickets[len(tickets)-1].ID); err != nil || len(seen) != 150 {
			t.Fatalf("%d runs, %v", len(seen), err)
		}
		for i, params := range seen {
			if want := fmt.Sprintf(`{"n":%d}`, 2*i); params != want {
				t.Fatalf("run %d has %s, want %s", i, params, want)
			}
		}
		most := make([]coreagent.RunRequest, coreagent.MostAtOnce+1)
		for i := range most {
			most[i].Options.Delay = time.Hour
		}
		if tickets, err := a.SubmitMany(t.Context(), "invoices", most); err == nil || len(tickets) > 0 {
			t.Errorf("%d tickets for %d requests, %v", len(tickets), len(most), err)
		}
		if tickets, err := a.SubmitMany(t.Context(), "invoices", most[1:]); err != nil || len(tickets) != len(most)-1 {
			t.Errorf("%d tickets for %d requests, %v", len(tickets), len(most)-1, err)
		}
	})
}

// TestSubmit: an agent without jobs is a client, and errors have their cause.
func TestSubmit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := coreagenttest.NewPipeServer(t)
		agent := func(address string) *coreagent.Agent {
			a, err := coreagent.New(coreagent.Config{Namespace: "test", Address: address, ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		client, serves := agent("10.0.0.1"), agent("10.0.0.2")
		serves.HandleFunc(coreagent.Job{Name: "invoices", Shards: 2}, nop)
		ctx := t.Context()
		if _, err := client.Submit(ctx, "invoices", nil, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrNotStarted) {
			t.Errorf("before the start: %v", err)
		}
		for _, a := range []*coreagent.Agent{client, serves} {
			if err := a.Start(ctx); err != nil {
				t.Fatal(err)
			}
		}
		refusesWrongRequests(ctx, t, client)
		tickets, err := client.SubmitMany(ctx, "invoices", []coreagent.RunRequest{
			{Params: invoiceParams{"1"}}, {Options: coreagent.RunOptions{Delay: time.Hour}}, {Params: 7}, {},
		})
		if !errors.Is(err, coreagent.ErrParams) || !strings.Contains(err.Error(), "run 2:") || len(tickets) > 0 {
			t.Errorf("%d tickets, %v", len(tickets), err)
		}
		tickets, err = client.SubmitMany(ctx, "invoices", []coreagent.RunRequest{{Params: invoiceParams{"1"}}, {Options: coreagent.RunOptions{Delay: time.Hour}}})
		if err != nil || len(tickets) != 2 {
			t.Fatalf("%d tickets, %v", len(tickets), err)
		}
		done, err := client.AwaitRun(ctx, "invoices", tickets[0].ID)
		if err != nil || done.State != coreagent.StateSucceeded || done.Counts().OK != 2 || !done.State.Ended() {
			t.Errorf("%+v, %v", done, err)
		}
		if state, err := client.CancelRun(ctx, "invoices", tickets[1].ID, "why"); err != nil || state != coreagent.StateCancelled {
			t.Errorf("%s, %v", state, err)
		}
		if state, err := client.CancelRun(ctx, "invoices", tickets[0].ID, ""); !errors.Is(err, coreagent.ErrRunEnded) || state != coreagent.StateSucceeded {
			t.Errorf("%s, %v", state, err)
		}
		for _, a := range []*coreagent.Agent{client, serves} {
			if err := a.Stop(ctx); err != nil {
				t.Error(err)
			}
		}
		if _, err := client.Submit(ctx, "invoices", nil, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrAgentClosed) {
			t.Errorf("after the stop: %v", err)
		}
	})
}

// refusesWrongRequests: each kind of error has its cause.
func refusesWrongRequests(ctx context.Context, t *testing.T, client *coreagent.Agent) {
	t.Helper()
	for want, call := range map[error]func() error{
		coreagent.ErrParams: func() error {
			_, err := client.Submit(ctx, "invoices", []int{1}, coreagent.RunOptions{})
			return err
		},
		coreagent.ErrNoSuchJob: func() error {
			_, err := client.Submit(ctx, "letters", nil, coreagent.RunOptions{})
			return err
		},
		coreagent.ErrTooLarge: func() error {
			_, err := client.Submit(ctx, "invoices", invoiceParams{strings.Repeat("x", 70000)}, coreagent.RunOptions{})
			return err
		},
		coreagent.ErrRunOptions: func() error {
			_, err := client.Submit(ctx, "invoices", nil, coreagent.RunOptions{Delay: -time.Second})
			return err
		},
		coreagent.ErrUnknownRun: func() error {
			_, err := client.RunStatus(ctx, "invoices", "nobody's")
			return err
		},
	} {
		if err := call(); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	if _, err := client.Submit(ctx, "invoices", func() {}, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrParams) {
		t.Errorf("a function as parameters: %v", err)
	}
}

// TestJobFieldsOfRuns: each field about runs at its limits and beyond.
func TestJobFieldsOfRuns(t *testing.T) {
	t.Parallel()
	job := func(change func(*coreagent.Job)) coreagent.Job {
		j := coreagent.Job{Name: "invoices", Shards: 1}
		change(&j)
		return j
	}
	for want, j := range map[string]coreagent.Job{
		"Requests.Assign: one needs a job without Schedule.Cron":                 job(func(j *coreagent.Job) { j.Requests.Assign, j.Schedule.Cron = coreagent.AssignOne, "0 * * * * ?" }),
		"Requests.Assign: one needs a job that isn't Unmonitored":                job(func(j *coreagent.Job) { j.Requests.Assign, j.Unmonitored = coreagent.AssignOne, true }),
		`Requests.Assign: "all" is not allowed; want each or one`:                job(func(j *coreagent.Job) { j.Requests.Assign = "all" }),
		`Requests.Overlap: "x" is not allowed; want queue, one, skip or cancel`:  job(func(j *coreagent.Job) { j.Requests.Overlap = "x" }),
		`Requests.Lost: "x" is not allowed; want again or fail`:                  job(func(j *coreagent.Job) { j.Requests.Lost = "x" }),
		"Retry.Retries: 101 is not allowed; want 0 to 100":                       job(func(j *coreagent.Job) { j.Retry.Retries = 101 }),
		"Retry.Retries: -1 is not allowed; want 0 to 100":                        job(func(j *coreagent.Job) { j.Retry.Retries = -1 }),
		"Retry.Backoff: 24h0m0.000000001s is not allowed; want 0 to 24h":         job(func(j *coreagent.Job) { j.Retry.Backoff = 24*time.Hour + 1 }),
		"Retry.MaxBackoff: -1ns is not allowed; want 0 to 24h":                   job(func(j *coreagent.Job) { j.Retry.MaxBackoff = -1 }),
		"Requests.Expiry: 1ms is not allowed; want 1s to 8760h, or -1 for never": job(func(j *coreagent.Job) { j.Requests.Expiry = time.Millisecond }),
		"Requests.Keep: 1001 is not allowed; want 1 to 1000, or -1 for none":     job(func(j *coreagent.Job) { j.Requests.Keep = 1001 }),
		"PauseAfter: -1 is not allowed; want 0 to 1000":                          job(func(j *coreagent.Job) { j.PauseAfter = -1 }),
	} {
		if err := idleAgent(t).Add(j, idle); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	fine := job(func(j *coreagent.Job) {
		j.Requests.Assign, j.Requests.Overlap, j.Requests.Lost, j.Requests.Expiry, j.Requests.Keep, j.PauseAfter = coreagent.AssignOne, coreagent.OverlapSkip, coreagent.LostFail, -1, -1, 1000
		j.Retry = coreagent.Retry{Retries: 100, Backoff: 24 * time.Hour, MaxBackoff: 24 * time.Hour}
	})
	if err := idleAgent(t).Add(fine, idle); err != nil {
		t.Error(err)
	}
	for want, cfg := range map[string]coreagent.Config{
		"MaxParallel: -1 is not allowed; want 0 to 100000":          {MaxParallel: -1},
		"MaxParallel: 100001 is not allowed; want 0 to 100000":      {MaxParallel: 100001},
		`Debug: "x" is not allowed; want schedule, requests or all`: {Debug: "x"},
	} {
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
