package bulk_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

var errNoRight = errors.New("no right")

// TestShardsAreSwitchedFromAPage: the page says what happens to each shard, asks why,
// and what was done can be taken back, shard by shard.
func TestShardsAreSwitchedFromAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.List[0].Shards[2].Disabled = true })
	ask := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/shards/disable?item=1&item=2&item=0&item=99&item=x&item=1", nil)
	consoletest.WantStatus(t, ask, http.StatusOK)
	if got, want := ask.Text(t, "bulk-counts"), "2 will be disabled 1 is disabled already 1 cannot be 2 entries are written"; got != want {
		t.Errorf("counts %q, want %q", got, want)
	}
	form := consoletest.FormOf(ask.Doc(t).Find(`[data-testid="bulk-form"]`))
	if diff := cmp.Diff([]string{"0", "1"}, form["item"]); diff != "" {
		t.Errorf("the form sends (-want +got):\n%s", diff)
	}
	if got := ask.Text(t, "curl"); !strings.Contains(got, "/api/jobs/invoices/sharding/1/disable") {
		t.Errorf("curl %q", got)
	}
	if len(b.Registry.Given()) > 0 {
		t.Fatalf("asking did %q", b.Registry.Given())
	}

	again := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/shards/disable", form)
	consoletest.WantStatus(t, again, http.StatusUnprocessableEntity)
	if got := again.Text(t, "bulk-error"); !strings.HasPrefix(got, "Write a reason.") || len(b.Registry.Given()) > 0 {
		t.Errorf("without a reason: %q, %q", got, b.Registry.Given())
	}
	form.Set("reason", "INC-4821")
	location, after := b.Follow(t, "/jobs/invoices/shards/disable", form)
	if got := after.Text(t, "flash"); location != "/jobs/invoices/shards" || got != "Disabled 2 shards of invoices. Undo Result" {
		t.Errorf("to %q with %q", location, got)
	}
	if r := b.LastRecord(t); r.Target != "invoices" || !strings.Contains(r.Detail, "shards=0,1 ") || !strings.HasSuffix(r.Detail, "reason=INC-4821") {
		t.Errorf("the audit says %q of %q", r.Detail, r.Target)
	}
	// The same form once more changes nothing.
	if _, twice := b.Follow(t, "/jobs/invoices/shards/disable", form); !strings.HasPrefix(twice.Text(t, "flash"), "The form was sent twice") {
		t.Errorf("sent twice: %q", twice.Text(t, "flash"))
	}
	if diff := cmp.Diff([]string{"disable invoices shard 0", "disable invoices shard 1"}, b.Registry.Given()); diff != "" {
		t.Errorf("actions (-want +got):\n%s", diff)
	}

	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List[0].Shards[0].Disabled, f.List[0].Shards[1].Disabled = true, true
	})
	result := after.Doc(t).Find(`[data-testid="result"]`).AttrOr("href", "")
	page := b.As(t, auth.RoleRoot, http.MethodGet, result, nil)
	if got := page.Text(t, "bulk-rows"); !strings.Contains(got, "Shard 1") {
		t.Errorf("the result: %q", got)
	}
	if _, undone := b.Follow(t, result+"/undo", url.Values{}); undone.Text(t, "flash") != "Taken back for 2 shards." {
		t.Errorf("undone: %q", undone.Text(t, "flash"))
	}
	if diff := cmp.Diff([]string{"enable invoices shard 0", "enable invoices shard 1"}, b.Registry.Given()[2:]); diff != "" {
		t.Errorf("undone by (-want +got):\n%s", diff)
	}
}

// TestShardsOfOthers: a guest sees neither boxes nor pages, and what fails is said
// shard by shard.
func TestShardsOfOthers(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards", nil).Doc(t)
	if n := guest.Find(`[data-testid="shard-bar"], .sel, [data-testid="shard-disable"]`).Length(); n > 0 {
		t.Errorf("a guest sees %d controls", n)
	}
	root := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/shards", nil).Doc(t)
	if n := root.Find(`[data-testid="shard-bar"], [data-testid="shard-disable"]`).Length(); n < 2 {
		t.Errorf("root sees %d controls", n)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards/disable?item=0", nil), http.StatusForbidden)
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/shards/enable", nil).Text(t, "bulk-none"); !strings.HasPrefix(got, "No shard is selected.") {
		t.Errorf("without a shard: %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.ActionErr = &lifecycle.Error{Op: "disable shard", Job: "invoices", Kind: lifecycle.ErrForbidden, Err: errNoRight}
	})
	form := url.Values{"item": {"0", "1"}, "reason": {"x"}, "once": {ui.NewFormID()}}
	if _, after := b.Follow(t, "/jobs/invoices/shards/disable", form); !strings.Contains(after.Text(t, "flash"), "Shard 1: ZooKeeper did not let the console disable shard 1 of invoices.") {
		t.Errorf("refused: %q", after.Text(t, "flash"))
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.ActionErr = &lifecycle.Error{Op: "disable shard", Job: "invoices", Kind: lifecycle.ErrUnavailable, Err: errNoRight}
	})
	form.Set("once", ui.NewFormID())
	before := len(b.Registry.Given())
	if _, after := b.Follow(t, "/jobs/invoices/shards/disable", form); !strings.Contains(after.Text(t, "flash"), "ZooKeeper could not be read") {
		t.Errorf("away: %q", after.Text(t, "flash"))
	}
	if n := len(b.Registry.Given()) - before; n != 1 {
		t.Errorf("%d shards were tried while ZooKeeper was away", n)
	}
	if r := b.LastRecord(t); r.Outcome != app.CodeRegistryDown {
		t.Errorf("the audit says %+v", r)
	}
}
