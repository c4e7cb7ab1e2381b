package pages

import (
	"net/http"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestWrongAddressesAreAnswered: what a list is asked for and nobody knows is said,
// and the rest of the address is applied.
func TestWrongAddressesAreAnswered(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, path := range []string{
		"/jobs?state=purple&q=inv", "/jobs?status=purple", "/jobs?sort=purple", "/jobs?page=x", "/jobs?pageSize=x", "/jobs?q=state%3Apurple", "/jobs?order=sideways", "/jobs?q=purple%3Ared",
		"/runs?state=purple&job=invoices", "/runs?last=purple", "/runs?trigger=purple", "/runs?level=purple", "/runs?from=purple", "/runs?took=purple", "/runs?started=purple",
		"/executions?state=purple&job=invoices", "/executions?sort=purple", "/executions?item=purple", "/executions?from=purple", "/executions?limit=purple", "/executions?match=purple",
		"/servers?state=purple", "/servers?page=x", "/servers/10.2.0.14?span=purple", "/servers/10.2.0.14?at=purple",
		"/audit?from=purple", "/audit?limit=purple",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil)
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s: status %d", path, r.StatusCode)
			continue
		}
		if r.Doc(t).Find(`[data-testid="query-hint"]`).Length() == 0 {
			t.Errorf("%s: no hint", path)
		}
	}
}
