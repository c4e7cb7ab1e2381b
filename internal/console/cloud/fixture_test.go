package cloud

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// wantCode ends the test unless the answer has that status, and reports another code.
func wantCode(t *testing.T, r consoletest.Reply, status int, code string) {
	t.Helper()
	consoletest.WantStatus(t, r, status)
	var body api.ErrorBody
	if r.Into(t, &body); body.Code != code || body.Message == "" || body.Hint == "" {
		t.Errorf("%s %s: %+v, want the code %s", r.Request.Method, r.Request.URL, body, code)
	}
}
