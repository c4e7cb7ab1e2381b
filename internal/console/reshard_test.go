package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/statistics"
)

func TestAPIPlansReshardings(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const at = "/api/jobs/invoices/reshard-plan"
	r := b.as(t, RoleGuest, http.MethodGet, at+"?leave=10.0.0.1@-@7&leave=b&join=c&disable=10.0.0.2&enable=10.0.0.3&shards=4&strategy=ODEVITY", nil)
	wantStatus(t, r, http.StatusOK)
	want := statistics.Change{
		Leave: []string{"10.0.0.1@-@7", "b"}, Join: []string{"c"}, Disable: []string{"10.0.0.2"}, Enable: []string{"10.0.0.3"}, Shards: 4, Strategy: "ODEVITY",
	}
	if diff := cmp.Diff([]statistics.Change{want}, b.registry.changes); diff != "" {
		t.Errorf("the change asked for (-want +got):\n%s", diff)
	}
	var got reshardBody
	if err := json.Unmarshal([]byte(r.body), &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(reshardBody{
		JobName: "invoices", Reshards: true, Reason: "told to", Moves: []moveBody{{3, "a", "b"}}, Owners: []string{"b"}, Instances: []string{}, Waits: []int{},
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	for query, says := range map[string]string{
		"?shards=many":  "shards is \\\"many\\\"",
		"?shards=0":     "want a number from 1",
		"?leaves=a&x=1": "\\\"leaves\\\" is not known",
	} {
		r := b.as(t, RoleRoot, http.MethodGet, at+query, nil)
		wantStatus(t, r, http.StatusUnprocessableEntity)
		if !strings.Contains(r.body, says) {
			t.Errorf("%s: %s", query, r.body)
		}
	}
	for kind, code := range map[error]string{statistics.ErrInvalidChange: "invalid", statistics.ErrUnpredictable: "unpredictable"} {
		b.registry.set(func(f *fakeRegistry) { f.planErr = fmt.Errorf("%w: the cause", kind) })
		r := b.as(t, RoleRoot, http.MethodGet, at, nil)
		wantStatus(t, r, http.StatusUnprocessableEntity)
		if !strings.Contains(r.body, `"code":"`+code+`"`) || !strings.Contains(r.body, ": the cause.") {
			t.Errorf("%v: %s", kind, r.body)
		}
	}
	b.registry.set(func(f *fakeRegistry) { f.planErr = statistics.ErrUnavailable })
	wantStatus(t, b.as(t, RoleRoot, http.MethodGet, at, nil), http.StatusServiceUnavailable)
	wantStatus(t, b.as(t, RoleRoot, http.MethodGet, "/api/jobs/nope/reshard-plan", nil), http.StatusNotFound)
}
