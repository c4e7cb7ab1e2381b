//go:build unix

package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// fetchText returns what is at an address.
func fetchText(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, resp.Status, err)
	}
	return string(text)
}

// TestServeAnswersPrometheus: without a token where --metrics-addr says, and
// never at --listen.
func TestServeAnswersPrometheus(t *testing.T) {
	t.Parallel()
	p, site := startServe(t, "--zookeeper="+startFake(t), "--namespace=metrics", "--metrics-addr=:0")
	address := strings.Fields(after(after(p.stderr.String(), "answering Prometheus"), "http://"))[0]
	if !strings.HasPrefix(address, "127.0.0.1:") {
		t.Fatalf("--metrics-addr=:0 answers at %s, want this machine only", address)
	}
	eventually(t, "the metrics", func() bool {
		text := fetchText(t, "http://"+address)
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
