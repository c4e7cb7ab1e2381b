package app

import (
	"context"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/gin-gonic/gin"
)

// TestCurlNamesTheRequest: the address has base path and registry, and what stands
// in a body stays one word of the shell.
func TestCurlNamesTheRequest(t *testing.T) {
	t.Parallel()
	s := &Console{opts: Options{BasePath: "/ops"}}
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequestWithContext(t.Context(), "GET", "http://console.example/x", nil)
	if got, want := s.Curl(c, "POST", "/api/jobs/a/disable", nil, ""), "curl -X POST 'http://console.example/ops/api/jobs/a/disable' \\\n  -H \"Authorization: Bearer $TOKEN\""; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	c.Set(secureKey, true)
	c.Request = c.Request.WithContext(context.WithValue(c.Request.Context(), placeKey{}, Place{name: "it's"}))
	got := s.Curl(c, "DELETE", "/api/servers/10.0.0.1", url.Values{"offline": {"true"}}, `{"a":"it's"}`)
	want := "curl -X DELETE 'https://console.example/ops/api/servers/10.0.0.1?offline=true&registry=it%27s' \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n" +
		`  -H 'Content-Type: application/json' \` + "\n" + `  -d '{"a":"it'\''s"}'`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
