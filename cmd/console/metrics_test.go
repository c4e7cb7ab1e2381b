//go:build unix

package main

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
)

// TestServeAnswersPrometheus: without a token where --metrics-addr says, and
// never at --listen.
func TestServeAnswersPrometheus(t *testing.T) {
	t.Parallel()
	p, site := startServe(t, "--zookeeper="+startFake(t), "--namespace=metrics", "--metrics-addr=:0")
	address := strings.Fields(after(after(p.Stderr.String(), "answering Prometheus"), "http://"))[0]
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("--metrics-addr=:0 answers at %s, want this machine only", address)
	}
	eventually(t, "the metrics", func() bool {
		text := clitest.Text(t, "http://"+address)
		for _, want := range []string{
			`elasticjob_console_registry_state{state="connected"} 1`, `elasticjob_console_database_up 1`,
			`elasticjob_console_registry_requests_total{operation="children",result="answered"} [1-9]`,
			`elasticjob_console_snapshot_age_seconds [0-9]`, `go_goroutines [1-9]`,
		} {
			if !regexp.MustCompile("(?m)^" + want).MatchString(text) {
				return false
			}
		}
		return true
	})
	if got := status(t, site+"/metrics"); got != http.StatusUnauthorized {
		t.Errorf("%s/metrics answers %d to a stranger", site, got)
	}
	if got := status(t, "http://"+address+"/api/jobs"); got != http.StatusNotFound {
		t.Errorf("the listener for Prometheus answers %d for anything else", got)
	}
}
