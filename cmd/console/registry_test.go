package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// TestRequestsAreCountedByTheirAnswer: a refusal is an answer; what broke with the
// connection, or with the session, is none.
func TestRequestsAreCountedByTheirAnswer(t *testing.T) {
	t.Parallel()
	m := app.NewMetrics(prometheus.NewRegistry())
	observe := requested(m)
	for _, err := range []error{nil, zk.ErrNoNode, errors.New("anything else"), fmt.Errorf("x: %w", zk.ErrUnavailable), zk.ErrSessionLost, &zk.Error{Op: "get", Err: zk.ErrClosed}} {
		observe("get", time.Second, err)
	}
	w := httptest.NewRecorder()
	m.Handler(slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range []string{"answered", "unanswered"} {
		if line := `elasticjob_console_registry_requests_total{operation="get",result="` + result + `"} 3`; !strings.Contains(string(text), line) {
			t.Errorf("no line %s in %s", line, text)
		}
	}
}
