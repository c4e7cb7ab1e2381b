package cloud

import (
	"net/http"
	"testing"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/pages"
	"github.com/elasticjob-go/elasticjob/internal/console/reference"
	"github.com/elasticjob-go/elasticjob/internal/console/rest"
	"github.com/elasticjob-go/elasticjob/internal/console/settings"
)

func TestMain(m *testing.M) {
	consoletest.Parts = []console.Part{pages.Routes, rest.Routes, settings.Routes, Routes, reference.Routes}
	goleak.VerifyTestMain(m)
}

// wantCode ends the test unless the answer has that status, and reports another code.
func wantCode(t *testing.T, r consoletest.Reply, status int, code string) {
	t.Helper()
	consoletest.WantStatus(t, r, status)
	var body api.ErrorBody
	if r.Into(t, &body); body.Code != code || body.Message == "" || body.Hint == "" {
		t.Errorf("%s %s: %+v, want the code %s", r.Request.Method, r.Request.URL, body, code)
	}
}

// inChinese asks for a page as a browser does that prefers Chinese.
func inChinese(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN,zh;q=0.9") }
