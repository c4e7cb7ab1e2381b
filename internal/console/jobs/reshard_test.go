package jobs

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestReshardDryRun: the form asks for a plan, the page tells shard by shard what the
// leader would assign, and whoever may look may ask.
func TestReshardDryRun(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const one, two, three = "10.2.0.14@-@2211", "10.2.0.15@-@918", "10.0.3.30@-@new"
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Plan = &statistics.ReshardPlan{
			Job: "invoices", Reshards: true, Owners: []string{one, three, two, three}, Instances: []string{one, two, three}, Waits: []int{1},
			Moves: []statistics.Move{{Item: 1, From: two, To: three}, {Item: 3, To: three}, {Item: 4, From: one}},
		}
	})
	form := consoletest.FormOf(b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards", nil).Doc(t).Find(`[data-testid="reshard-form"]`))
	if len(b.Registry.Changes) > 0 || form.Get("shards") == "" {
		t.Fatalf("a page made the plans %+v; the form is %v", b.Registry.Changes, form)
	}
	path := "/jobs/invoices/shards?plan=1&shards=4&strategy=ODEVITY&without=10.2.0.16@-@40551&with=10.0.3.30"
	r := b.As(t, auth.RoleGuest, http.MethodGet, path, nil)
	want := []statistics.Change{{Leave: []string{"10.2.0.16@-@40551"}, Join: []string{three}, Shards: 4, Strategy: "ODEVITY"}}
	if diff := cmp.Diff(want, b.Registry.Changes); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	if got, want := r.Text(t, "reshard-verdict"), "1 shard moves, 1 new, 1 removed. Load 1 · 1 · 2 1 of them runs now: the leader waits for its end."; got != want {
		t.Errorf("verdict %q, want %q", got, want)
	}
	rows := r.Text(t, "reshard-rows")
	for _, want := range []string{"0 eu 10.2.0.14 stays 10.2.0.14", "1 us 10.2.0.15 moves 10.0.3.30", "3 latam – new 10.0.3.30", "4 10.2.0.14 removed –"} {
		if !strings.Contains(rows, want) {
			t.Errorf("no %q in %q", want, rows)
		}
	}
	// An address alone does not tell two instances on it apart.
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Plan.Instances = append(f.Plan.Instances, "10.2.0.14@-@7") })
	if rows := b.As(t, auth.RoleGuest, http.MethodGet, path, nil).Text(t, "reshard-rows"); !strings.Contains(rows, "0 eu "+one+" stays "+one) || !strings.Contains(rows, "1 us 10.2.0.15 moves") {
		t.Errorf("of two instances on one address: %q", rows)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Plan.Instances = f.Plan.Instances[:3] })
	if got := r.Text(t, "curl"); !strings.Contains(got, "/api/jobs/invoices/reshard-plan?join=10.0.3.30") {
		t.Errorf("curl %q", got)
	}
	doc := r.Doc(t)
	if got := doc.Find(`[data-testid="reshard-form"] select[name="strategy"] option[selected]`).AttrOr("value", ""); got != "ODEVITY" {
		t.Errorf("the form forgot the strategy: %q", got)
	}
	link := doc.Find(`[data-testid="reshard-link"]`).AttrOr("href", "")
	if got := b.As(t, auth.RoleGuest, http.MethodGet, strings.TrimSuffix(link, "#reshard"), nil).Text(t, "reshard-rows"); got != rows {
		t.Errorf("%s shows %q", link, got)
	}
	// A page that keeps itself up to date does not make the plan again.
	before := len(b.Registry.Changes)
	b.As(t, auth.RoleGuest, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("X-Region", "matrix,shards,servers") })
	if len(b.Registry.Changes) != before {
		t.Error("a region made a plan")
	}
}

// TestReshardBadInput: what cannot be is said in words, and no plan is made.
func TestReshardBadInput(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for query, want := range map[string]string{
		"shards=0":              `The number of shards is "0"; it can be 1 to 100,000.`,
		"shards=1e9":            `The number of shards is "1e9"`,
		"strategy=LOTTERY":      `There is no plan for the strategy "LOTTERY"`,
		"without=10.9.9.9@-@1":  `No instance "10.9.9.9@-@1" serves the job now.`,
		"with=a/b":              `"a/b" is no address of an instance`,
		"with=%3Cscript%3E@-@1": "is no address of an instance",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/shards?plan=1&"+query, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if got := r.Text(t, "reshard-error"); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if len(b.Registry.Changes) > 0 {
		t.Errorf("plans were made: %+v", b.Registry.Changes)
	}
	for err, want := range map[error]string{statistics.ErrInvalidChange: "This cannot happen", statistics.ErrUnpredictable: "Nobody can tell", errors.New("no right"): "ZooKeeper could not be read"} {
		b.Registry.Set(func(f *consoletest.FakeRegistry) { f.PlanErr = err })
		if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/shards?plan=1", nil).Text(t, "reshard-error"); !strings.Contains(got, want) {
			t.Errorf("%v: %q", err, got)
		}
	}
}
