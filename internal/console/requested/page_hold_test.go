package requested

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestAJobIsHeldAndReleased: the question keeps what was typed and says what is wrong,
// every page of the job says who holds it and why, and a press releases it.
func TestAJobIsHeldAndReleased(t *testing.T) {
	consoletest.EachTree(t, consoletest.TakingRuns("j"), func(t *testing.T, b consoletest.TreeBench) {
		get := func(role auth.Role, path string) consoletest.Reply { return b.As(t, role, http.MethodGet, path, nil) }
		post := func(path string, form url.Values) consoletest.Reply {
			return b.As(t, auth.RoleRoot, http.MethodPost, path, form)
		}
		ask := get(auth.RoleRoot, "/jobs/j/hold")
		consoletest.WantStatus(t, ask, http.StatusOK)
		if got := consoletest.Fields(t, ask, "hold-form").Get("what"); got != "schedule" {
			t.Errorf("chosen at first: %q", got)
		}
		consoletest.WantStatus(t, get(auth.RoleGuest, "/jobs/j/hold"), http.StatusForbidden)
		wrong := post("/jobs/j/hold", url.Values{"what": {"orders"}, "reason": {"migration"}})
		consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
		if fields := consoletest.Fields(t, wrong, "hold-form"); fields.Get("reason") != "migration" || !strings.Contains(wrong.Body, "Choose what stands still.") {
			t.Errorf("what was typed: %v", fields)
		}
		consoletest.WantStatus(t, post("/jobs/j/hold", url.Values{"what": {"all"}, "reason": {"migration"}}), http.StatusSeeOther)
		for _, path := range []string{"/jobs/j", "/jobs/j/shards", "/jobs/j/requested-runs"} {
			page := get(auth.RoleGuest, path)
			if got := page.Text(t, "held"); !strings.Contains(got, "Held by root since ") || !strings.Contains(got, ": migration") || !strings.Contains(got, "Fire times pass without a run, and requested runs") {
				t.Errorf("%s says %q", path, got)
			}
			if page.Doc(t).Find(`[data-testid="release"]`).Length() != 0 {
				t.Errorf("%s lets a guest release the job", path)
			}
		}
		if got := get(auth.RoleRoot, "/jobs/j/explain").Doc(t).Text(); !strings.Contains(got, "The job is held by root: its fire times pass without a run, and requested runs that no person asked for wait. The reason: migration.") {
			t.Errorf("Explain does not say that the job is held:\n%s", got)
		}
		if _, page := b.Follow(t, "/jobs/j/hold", url.Values{"what": {"all"}}); !strings.Contains(page.Text(t, "flash"), "is held already, by root since 20") {
			t.Errorf("the second is answered %q", page.Text(t, "flash"))
		}
		if get(auth.RoleRoot, "/jobs/j").Doc(t).Find(`[data-testid="release"]`).Length() != 1 {
			t.Error("there is no button that releases the job")
		}
		consoletest.WantStatus(t, post("/jobs/j/release", url.Values{}), http.StatusSeeOther)
		page := get(auth.RoleRoot, "/jobs/j")
		if page.Doc(t).Find(`[data-testid="held"]`).Length() != 0 || page.Doc(t).Find(`[data-testid="ask-hold"]`).Length() != 1 {
			t.Error("a released job is shown as held")
		}
	})
}
