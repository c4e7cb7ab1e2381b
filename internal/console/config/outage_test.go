package config

import (
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TestConfigurationDuringAnOutage: an operator reads why it cannot be changed, not that
// the account may not, and finds no button of the editor.
func TestConfigurationDuringAnOutage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t, func(o *app.Options) { o.Memory = o.Jobs })
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Health.State = app.RegistrySuspended })
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/config", nil)
	consoletest.WantStatus(t, page, http.StatusOK)
	if got, want := page.Text(t, "config-guest"), i18n.English.OutageRefused(); got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if n := page.Doc(t).Find(`main button[name="use"], main [data-testid="differences"]`).Length(); n > 0 {
		t.Errorf("%d parts of the editor are there", n)
	}
}

// TestDeletingLeadsToStopping: a job with live instances can't be deleted, and the page leads to the
// shutdown that has to come first.
func TestDeletingLeadsToStopping(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/remove", nil)
	if page.Text(t, "confirm-refused") == "" {
		t.Fatal("it can be deleted")
	}
	if got := page.Doc(t).Find(`[data-testid="confirm-first"]`).AttrOr("href", ""); got != "/jobs/invoices/shutdown" {
		t.Errorf("it leads to %q", got)
	}
}
