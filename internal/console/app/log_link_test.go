package app_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestW28LogLink: values in the template should be escaped, and a wrong template refused.
func TestW28LogLink(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 2, 30, 0, 0, time.UTC)
	e := tracing.Execution{ID: "e1", JobName: "a b&c", RunID: "20261122T023000Z", Item: 5, Attempt: 2, IP: "10.0.0.1", Hostname: "h/1", StartTime: at, CompleteTime: at.Add(time.Minute)}
	running := e
	running.CompleteTime = time.Time{}
	for template, want := range map[string][2]string{
		"": {},
		"https://grafana/explore?left=%7B%22{job}%22%7D&from={from_ms}&to={to_ms}": {
			"https://grafana/explore?left=%7B%22a%20b%26c%22%7D&from=1795314595000&to=1795314665000", "https://grafana/explore?left=%7B%22a%20b%26c%22%7D&from=1795314595000&to=1795318205000",
		},
		"http://kibana:5601/{host}/{run}/{shard}/{attempt}?q={execution}+{ip}&t={from}/{to}": {
			"http://kibana:5601/h%2F1/20261122T023000Z/5/2?q=e1+10.0.0.1&t=2026-11-22T02%3A29%3A55.000Z/2026-11-22T02%3A31%3A05.000Z", "http://kibana:5601/h%2F1/20261122T023000Z/5/2?q=e1+10.0.0.1&t=2026-11-22T02%3A29%3A55.000Z/2026-11-22T03%3A30%3A05.000Z",
		},
	} {
		link, err := app.ParseLogLink(template)
		if err != nil || link.Of(e, at.Add(time.Hour)) != want[0] || link.Of(running, at.Add(time.Hour)) != want[1] {
			t.Errorf("%s: %q and %q, %v", template, link.Of(e, at.Add(time.Hour)), link.Of(running, at.Add(time.Hour)), err)
		}
	}
	for _, template := range []string{"javascript:alert(1)", "//host/{job}", "https://{job}.example.com/", "https://host/{Job}", "https://host/{pod}", "host", "https:///x", "https://%zz/"} {
		if link, err := app.ParseLogLink(template); err == nil {
			t.Errorf("%s is taken: %+v", template, link)
		}
	}
}
