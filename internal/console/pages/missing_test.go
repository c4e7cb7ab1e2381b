package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestAJobThatWasMistyped: the page of a job that there is not leads to the one that was
// probably meant, and to the list if none is near.
func TestAJobThatWasMistyped(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for path, way := range map[string]string{"/jobs/invioces": "/jobs/invoices", "/jobs/invioces/shards": "/jobs/invoices", "/jobs/zzzzzzzz": "/jobs"} {
		page := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		consoletest.WantStatus(t, page, http.StatusNotFound)
		problem := page.Doc(t).Find(`[data-testid="problem"]`)
		if got := problem.Find("a").AttrOr("href", ""); got != way {
			t.Errorf("%s leads to %q, want %q", path, got, way)
		}
		if meant := strings.Contains(problem.Text(), "Did you mean invoices?"); meant != (way == "/jobs/invoices") {
			t.Errorf("%s: %q", path, problem.Text())
		}
	}
}
