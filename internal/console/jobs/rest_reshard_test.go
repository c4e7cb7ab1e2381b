package jobs

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

func TestAPIPlansReshardings(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const at = "/api/jobs/invoices/reshard-plan"
	r := b.As(t, auth.RoleGuest, http.MethodGet, at+"?leave=10.0.0.1@-@7&leave=b&join=c&disable=10.0.0.2&enable=10.0.0.3&shards=4&strategy=ODEVITY", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	want := statistics.Change{
		Leave: []string{"10.0.0.1@-@7", "b"}, Join: []string{"c"}, Disable: []string{"10.0.0.2"}, Enable: []string{"10.0.0.3"}, Shards: 4, Strategy: "ODEVITY",
	}
	if diff := cmp.Diff([]statistics.Change{want}, b.Registry.Changes); diff != "" {
		t.Errorf("the change asked for (-want +got):\n%s", diff)
	}
	var got api.Reshard
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(api.Reshard{
		JobName: "invoices", Reshards: true, Reason: "asked to fail", MoveCount: 1, Moves: []api.Move{{Item: 3, From: "a", To: "b"}}, Owners: []string{"b"}, Instances: []string{}, Waits: []int{},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	for query, says := range map[string]string{
		"?shards=many":   "shards is \\\"many\\\"",
		"?shards=0":      "want a number from 1",
		"?shards=100001": "shards is \\\"100001\\\", want a number from 1 to 100000",
		"?from=-1":       "from is \\\"-1\\\"",
		"?limit=1001":    "want a number from 1 to 1000",
		"?leaves=a&x=1":  "\\\"leaves\\\" is not known",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, at+query, nil)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		if !strings.Contains(r.Body, says) {
			t.Errorf("%s: %s", query, r.Body)
		}
	}
	for kind, code := range map[error]string{statistics.ErrInvalidChange: "invalid", statistics.ErrUnpredictable: "unpredictable"} {
		b.Registry.Set(func(f *consoletest.FakeRegistry) { f.PlanErr = fmt.Errorf("%w: the cause", kind) })
		r := b.As(t, auth.RoleRoot, http.MethodGet, at, nil)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		if !strings.Contains(r.Body, `"code":"`+code+`"`) || !strings.Contains(r.Body, ": the cause.") {
			t.Errorf("%v: %s", kind, r.Body)
		}
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.PlanErr = statistics.ErrUnavailable })
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, at, nil), http.StatusServiceUnavailable)
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/nope/reshard-plan", nil), http.StatusNotFound)
}

// TestV20PlansAreBounded: an answer is about at most a thousand shards however
// many there are, and the parts make up the whole.
func TestV20PlansAreBounded(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const shards = 2500
	plan := &statistics.ReshardPlan{Job: "invoices", Reshards: true, Reason: "asked to fail", Instances: []string{"a"}}
	long := strings.Repeat("ø", 50<<10)
	for n := range shards {
		plan.Owners = append(plan.Owners, "a")
		plan.Moves = append(plan.Moves, statistics.Move{Item: n, From: long, To: "a"})
		plan.Waits = append(plan.Waits, n)
	}
	plan.Moves = append(plan.Moves, statistics.Move{Item: 1_000_000, From: "b"})
	b.Registry.Plan = plan

	var asked, moves, waits []int
	owners := 0
	for from, more := 0, true; more; {
		asked = append(asked, from)
		r := b.As(t, auth.RoleGuest, http.MethodGet, fmt.Sprintf("/api/jobs/invoices/reshard-plan?from=%d", from), nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if len(r.Body) > 2<<20 {
			t.Errorf("from %d: %d bytes", from, len(r.Body))
		}
		var got api.Reshard
		if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
			t.Fatal(err)
		}
		if got.MoveCount != shards+1 || got.WaitCount != shards || got.From != from {
			t.Errorf("from %d: %d moves, %d waits, from %d", from, got.MoveCount, got.WaitCount, got.From)
		}
		for _, m := range got.Moves {
			moves = append(moves, m.Item)
		}
		waits = append(waits, got.Waits...)
		owners += len(got.Owners)
		if more = got.Next != nil; more {
			from = *got.Next
		}
	}
	if diff := cmp.Diff([]int{0, 1000, 2000, 1_000_000}, asked); diff != "" {
		t.Errorf("the parts (-want +got):\n%s", diff)
	}
	if len(moves) != shards+1 || moves[shards-1] != shards-1 || moves[shards] != 1_000_000 || len(waits) != shards || owners != shards {
		t.Errorf("%d moves, %d waits, %d owners", len(moves), len(waits), owners)
	}
}

// TestV20OnePlanAtATime: while a plan is made for an account, others of that
// account are refused and those of another account are made.
func TestV20OnePlanAtATime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.PlanGate = make(chan chan struct{})
	const at = "/api/jobs/invoices/reshard-plan?shards=100000"
	status := func(role auth.Role) <-chan int {
		done := make(chan int, 1)
		go func() { done <- b.As(t, role, http.MethodGet, at, nil).StatusCode }()
		return done
	}
	first := status(auth.RoleGuest)
	gate := <-b.Registry.PlanGate
	for range 30 {
		r := b.As(t, auth.RoleGuest, http.MethodGet, at, nil)
		consoletest.WantStatus(t, r, http.StatusTooManyRequests)
		if r.Header.Get("Retry-After") != "1" || !strings.Contains(r.Body, `"code":"busy"`) {
			t.Fatalf("Retry-After %q, %s", r.Header.Get("Retry-After"), r.Body)
		}
	}
	other := status(auth.RoleRoot)
	close(<-b.Registry.PlanGate)
	if got := <-other; got != http.StatusOK {
		t.Errorf("root: %d", got)
	}
	close(gate)
	if got := <-first; got != http.StatusOK {
		t.Errorf("the first of guest: %d", got)
	}
	again := status(auth.RoleGuest)
	close(<-b.Registry.PlanGate)
	if got := <-again; got != http.StatusOK {
		t.Errorf("guest once more: %d", got)
	}
}
