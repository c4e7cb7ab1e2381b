package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

const monitoringDocument = "../../docs/monitoring.md"

// goldenMetrics are the texts that Prometheus gets, by what shows them, held to
// the code by tests of their packages.
var goldenMetrics = map[string]string{
	"agent":   "../../coreagent/coreagentprom/testdata/metrics.txt",
	"console": "../../internal/console/app/testdata/metrics.txt",
}

// metric is a family as the text has it.
type metric struct {
	name, kind, help string
	labels           map[string]bool
}

var sampleLine = regexp.MustCompile(`^([a-z_]+)(?:\{(.*)\})? `)

// readMetrics reads a text of metrics.
func readMetrics(t *testing.T, path string) []*metric {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []*metric
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "# HELP "):
			name, help, _ := strings.Cut(strings.TrimPrefix(line, "# HELP "), " ")
			list = append(list, &metric{name: name, help: help, labels: map[string]bool{}})
		case strings.HasPrefix(line, "# TYPE "):
			list[len(list)-1].kind = line[strings.LastIndex(line, " ")+1:]
		default:
			sample := sampleLine.FindStringSubmatch(line)
			if sample == nil || len(list) == 0 {
				t.Fatalf("%s: not understood: %s", path, line)
			}
			for _, label := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(sample[2], -1) {
				if label[1] != "le" {
					list[len(list)-1].labels[label[1]] = true
				}
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("%s has no metrics", path)
	}
	return list
}

// TestMonitoringDocument compares the tables of metrics with the metrics.
func TestMonitoringDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(monitoringDocument)
	if err != nil {
		t.Fatal(err)
	}
	document := string(text)
	for _, of := range slices.Sorted(maps.Keys(goldenMetrics)) {
		begin := "<!-- " + of + " metrics: written by go test ./cmd/console -run MonitoringDocument -update -->\n"
		end := "<!-- end of " + of + " metrics -->"
		before, rest, ok := strings.Cut(document, begin)
		table, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no place for the metrics of the %s", monitoringDocument, of)
		}
		var b strings.Builder
		b.WriteString("\n| Metric | Kind | Labels | |\n|---|---|---|---|\n")
		for _, m := range readMetrics(t, goldenMetrics[of]) {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.name, m.kind, strings.Join(slices.Sorted(maps.Keys(m.labels)), ", "), m.help)
		}
		b.WriteString("\n")
		if diff := cmp.Diff(b.String(), table); diff != "" && !*update {
			t.Errorf("%s is stale, run this test with -update (-want +got):\n%s", monitoringDocument, diff)
		}
		document = before + begin + b.String() + end + after
	}
	if *update {
		if err := os.WriteFile(monitoringDocument, []byte(document), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMetricsAddress: without a host only this machine is answered.
func TestMetricsAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		":9464": "127.0.0.1:9464", "0.0.0.0:9464": "0.0.0.0:9464", "[::]:9464": "[::]:9464", "metrics:9464": "metrics:9464", "9464": "9464",
	} {
		if got := cli.MetricsAddress(given); got != want {
			t.Errorf("%s listens on %s, want %s", given, got, want)
		}
	}
}
