package coreagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

type reportParams struct {
	Month   string   `json:"month" param:"required;pattern=^\\d{4}-(0[1-9]|1[0-2])$"`
	Tenants []string `json:"tenants,omitempty" param:"maxItems=2"`
	Size    int8     `json:"size" param:"min=1;default=10"`
	Paper   struct {
		Kind string `json:"kind" param:"enum=A4|A5;default=A4"`
	} `json:"paper"`
	Since *time.Time `json:"since,omitempty"`
}

var reports = coreagent.NewTrigger[reportParams]("reports")

type undone struct{ Done chan int }

// TestNewTriggerPanics: a programming error is found at the start of the program.
func TestNewTriggerPanics(t *testing.T) {
	t.Parallel()
	for want, make := range map[string]func(){
		"coreagent: NewTrigger[coreagent_test.undone]: field Done chan int cannot be a parameter": func() { coreagent.NewTrigger[undone]("a") },
		"coreagent: NewTrigger[int]: int is not a struct":                                         func() { coreagent.NewTrigger[int]("a") },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("\n got %v\nwant %s", got, want)
				}
			}()
			make()
		}()
	}
}

// TestTriggerHandler: the parameters that a handler gets, and the ones it never sees.
func TestTriggerHandler(t *testing.T) {
	t.Parallel()
	var got *reportParams
	h := reports.Handler(func(_ context.Context, _ *coreagent.Shard, p reportParams) error {
		got = &p
		return nil
	})
	filled := func(month string, size int8, kind string, tenants ...string) *reportParams {
		p := &reportParams{Month: month, Size: size, Tenants: tenants}
		p.Paper.Kind = kind
		return p
	}
	for params, want := range map[string]*reportParams{
		``:   filled("", 10, "A4"),
		`{}`: filled("", 10, "A4"),
		`{"month":"2026-10","tenants":["a"],"size":3,"paper":{"kind":"A5"}}`: filled("2026-10", 3, "A5", "a"),
		`{"size":null,"more":1}`: filled("", 10, "A4"), // of a later version
		`{"size":300}`:           nil,
		`{"since":"today"}`:      nil,
		`[1]`:                    nil,
		`{"month`:                nil,
	} {
		got = nil
		s := &coreagent.Shard{Run: coreagent.RunInfo{Params: []byte(params), HasParams: params != ""}}
		err := h.Handle(t.Context(), s)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", params, diff)
		}
		if (err == nil) != (want != nil) || err != nil && !errors.Is(err, coreagent.ErrParams) {
			t.Errorf("%s: %v", params, err)
		}
		p, err := coreagent.Params[reportParams](s)
		if want != nil && (err != nil || !cmp.Equal(*want, p)) || want == nil && (!errors.Is(err, coreagent.ErrParams) || !cmp.Equal(p, reportParams{})) {
			t.Errorf("%s: %+v, %v", params, p, err)
		}
	}
	if _, err := coreagent.Params[undone](&coreagent.Shard{}); err == nil || err.Error() != "Params[coreagent_test.undone]: field Done chan int cannot be a parameter" {
		t.Error(err)
	}
	if reports.Handler(nil) != nil {
		t.Error("a handler of nothing")
	}
}

// TestTriggerSchema: it's always the same, and callers can't change it.
func TestTriggerSchema(t *testing.T) {
	t.Parallel()
	want := string(coreagent.NewTrigger[reportParams]("another").Schema())
	clear(reports.Schema())
	if got := string(reports.Schema()); got != want || !json.Valid([]byte(got)) || !strings.HasPrefix(got, `{"type":"object","properties":{"month":{"type":"string","pattern":`) {
		t.Error(got)
	}
}

// TestTriggerSubmit: wrong parameters are refused before ZooKeeper is involved, for any caller.
func TestTriggerSubmit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := coreagenttest.NewPipeServer(t)
		agent, err := coreagent.New(coreagent.Config{Namespace: "test", Address: "10.0.0.1", ZooKeeper: server.ZooKeeper(), Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		calls := make(chan reportParams, 3)
		err = agent.Add(coreagent.Job{Name: "reports", Shards: 1, Retry: coreagent.Retry{Retries: 3}},
			reports.Handler(func(_ context.Context, _ *coreagent.Shard, p reportParams) error {
				calls <- p
				return nil
			}))
		if err != nil {
			t.Fatal(err)
		}
		ctx := t.Context()
		october := reportParams{Month: "2026-10", Size: 1}
		october.Paper.Kind = "A4"
		if _, err := reports.Submit(ctx, agent, october, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrNotStarted) {
			t.Error(err)
		}
		if err := agent.Start(ctx); err != nil {
			t.Fatal(err)
		}
		wrong := reportParams{Month: "2026-13", Tenants: []string{"a", "b", "c"}}
		_, err = reports.Submit(ctx, agent, wrong, coreagent.RunOptions{})
		const want = `submit a run of job "reports": parameters refused: month: "2026-13" is not allowed; want text that matches ^\d{4}-(0[1-9]|1[0-2])$; ` +
			`tenants: a list of 3 values is not allowed; want at most 2 values; size: 0 is not allowed; want a whole number from 1 to 127; paper.kind: "" is not allowed; want one of "A4", "A5"`
		if list := (*coreagent.ParamsError)(nil); !errors.Is(err, coreagent.ErrParams) || err.Error() != want || !errors.As(err, &list) || len(list.Problems) != 4 {
			t.Errorf("\n got %v\nwant %s", err, want)
		}
		for what, c := range map[string]struct {
			list []reportParams
			o    coreagent.RunOptions
			want error
		}{
			"one is wrong": {[]reportParams{october, wrong}, coreagent.RunOptions{}, coreagent.ErrParams},
			"with a key":   {[]reportParams{october}, coreagent.RunOptions{Key: "k"}, coreagent.ErrRunOptions},
		} {
			if tickets, err := reports.SubmitMany(ctx, agent, c.list, c.o); len(tickets) > 0 || !errors.Is(err, c.want) {
				t.Errorf("%s: %d tickets, %v", what, len(tickets), err)
			}
		}
		tickets, err := reports.SubmitMany(ctx, agent, []reportParams{october, october}, coreagent.RunOptions{})
		if err != nil || len(tickets) != 2 {
			t.Errorf("%d tickets, %v", len(tickets), err)
		}
		for range tickets {
			if p := <-calls; p.Month != october.Month {
				t.Errorf("the handler got %+v", p)
			}
		}
		late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
		if _, err := reports.Submit(ctx, agent, reportParams{Since: &late}, coreagent.RunOptions{}); !errors.Is(err, coreagent.ErrParams) {
			t.Error(err)
		}
		ticket, err := reports.Submit(ctx, agent, october, coreagent.RunOptions{Key: "october"})
		if err != nil {
			t.Fatal(err)
		}
		if status, err := agent.AwaitRun(ctx, "reports", ticket.ID); err != nil || status.State != coreagent.StateSucceeded || !cmp.Equal(<-calls, october) {
			t.Errorf("%+v, %v", status, err)
		}
		// A caller without the struct is refused by the agent's stored schema.
		_, err = agent.Submit(ctx, "reports", json.RawMessage(`{"size":"x"}`), coreagent.RunOptions{})
		if !errors.Is(err, coreagent.ErrParams) || !strings.Contains(err.Error(), "month: is missing; size: \"x\" is not allowed") || len(calls) > 0 {
			t.Error(err)
		}
		if err := agent.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
}
