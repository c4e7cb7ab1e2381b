package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// series are the names that an expression may use, with their labels: those of
// the golden files, and what Prometheus makes of a histogram.
func series(t *testing.T) map[string]map[string]bool {
	t.Helper()
	names := make(map[string]map[string]bool)
	for _, path := range goldenMetrics {
		for _, m := range readMetrics(t, path) {
			m.labels["instance"] = true // of the scrape
			if m.kind != "histogram" {
				names[m.name] = m.labels
				continue
			}
			for _, suffix := range []string{"_bucket", "_sum", "_count"} {
				names[m.name+suffix] = m.labels
			}
		}
	}
	return names
}

var (
	metricName = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`)
	quoted     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	duration   = regexp.MustCompile(`\[[^\]]*\]`)
	selector   = regexp.MustCompile(`([a-z_]+)\{([^}]*)\}`)
	grouping   = regexp.MustCompile(`\b(?:by|without|on) \(([^)]*)\)`)
	// words of PromQL, and functions.
	promQL = map[string]bool{"time": true,
		"sum": true, "max": true, "min": true, "topk": true, "by": true, "rate": true, "increase": true, "histogram_quantile": true,
		"unless": true, "or": true, "and": true, "on": true, "label_values": true,
	}
)

// checkExpression says what is wrong with the names in an expression: it uses
// only metrics that exist, by labels that they have, with brackets that close.
func checkExpression(expr string, known map[string]map[string]bool) error {
	for _, pair := range []string{"()", "{}", "[]"} {
		if strings.Count(expr, pair[:1]) != strings.Count(expr, pair[1:]) {
			return fmt.Errorf("%s do not match", pair)
		}
	}
	labels, used := make(map[string]bool), 0
	bare := duration.ReplaceAllString(quoted.ReplaceAllString(expr, `""`), "")
	for _, s := range selector.FindAllStringSubmatch(bare, -1) {
		for matcher := range strings.SplitSeq(s[2], ",") {
			if name := metricName.FindString(matcher); !known[s[1]][name] {
				return fmt.Errorf("%s has no label %q", s[1], name)
			}
		}
	}
	bare = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(bare, "")
	by := grouping.FindAllStringSubmatch(bare, -1)
	bare = strings.Replace(grouping.ReplaceAllString(bare, ""), ", instance)", ")", 1) // of label_values
	for _, name := range metricName.FindAllString(bare, -1) {
		switch have, ok := known[name]; {
		case ok:
			used++
			for label := range have {
				labels[label] = true
			}
		case !promQL[name]:
			return fmt.Errorf("%s is no metric of the golden files", name)
		}
	}
	if used == 0 {
		return fmt.Errorf("no metric is used")
	}
	for _, list := range by {
		for label := range strings.SplitSeq(list[1], ",") {
			if label = strings.TrimSpace(label); label != "le" && !labels[label] {
				return fmt.Errorf("no metric in it has the label %s", label)
			}
		}
	}
	return nil
}

// TestCheckExpression: the check finds what it is for.
func TestCheckExpression(t *testing.T) {
	t.Parallel()
	known := series(t)
	for expr, ok := range map[string]bool{
		`sum by (job_name) (rate(elasticjob_agent_runs_total{result="failure"}[5m])) > 0`:   true,
		`sum by (job_name) (rate(elasticjob_agent_run_total{result="failure"}[5m])) > 0`:    false,
		`sum by (job_name) (rate(elasticjob_agent_runs_total{outcome="failure"}[5m])) > 0`:  false,
		`sum by (queue) (rate(elasticjob_agent_runs_total{result="failure"}[5m])) > 0`:      false,
		`sum by (job_name) (rate(elasticjob_agent_runs_total{result="failure"}[5m]) > 0`:    false,
		`histogram_quantile(0.9, sum by (le) (rate(elasticjob_agent_run_seconds[5m])))`:     false,
		`histogram_quantile(0.9, sum by (le) (rate(elasticjob_agent_run_seconds_sum[5m])))`: true,
		`1 > 0`: false,
	} {
		if err := checkExpression(expr, known); (err == nil) != ok {
			t.Errorf("%s: %v", expr, err)
		}
	}
}

type alertRule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// alertRules reads the rules; a key that Prometheus does not know is an error.
func alertRules(t *testing.T) []alertRule {
	t.Helper()
	file, err := os.Open("../../deploy/prometheus-rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rules struct {
		Groups []struct {
			Name  string      `yaml:"name"`
			Rules []alertRule `yaml:"rules"`
		} `yaml:"groups"`
	}
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&rules); err != nil || len(rules.Groups) != 1 {
		t.Fatalf("%d groups, %v", len(rules.Groups), err)
	}
	return rules.Groups[0].Rules
}

// TestAlertRules holds the rules to the metrics there are, and the list of
// alerts in the document to the rules.
func TestAlertRules(t *testing.T) {
	t.Parallel()
	known, seen := series(t), make(map[string]bool)
	var table strings.Builder
	for _, r := range alertRules(t) {
		if err := checkExpression(r.Expr, known); err != nil {
			t.Errorf("%s: %v", r.Alert, err)
		}
		if _, err := time.ParseDuration(r.For); r.For != "" && err != nil {
			t.Errorf("%s: for: %v", r.Alert, err)
		}
		if seen[r.Alert] || r.Alert == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
			t.Errorf("%s is documented twice, or not wholly", r.Alert)
		}
		seen[r.Alert] = true
		for _, label := range regexp.MustCompile(`\$labels\.([a-z_]+)`).FindAllStringSubmatch(r.Annotations["summary"], -1) {
			if !strings.Contains(r.Expr, "("+label[1]+")") && !strings.Contains(r.Expr, "("+label[1]+",") && strings.Contains(r.Expr, "by (") {
				t.Errorf("%s: the summary names %s, which its expression sums up", r.Alert, label[1])
			}
		}
		summary := regexp.MustCompile(`\{\{ *\$labels\.([a-z_]+) *\}\}`).ReplaceAllString(r.Annotations["summary"], "($1)")
		fmt.Fprintf(&table, "| `%s` | %s |\n", r.Alert, strings.ReplaceAll(summary, "{{ $value }}", "(number)"))
	}
	if len(seen) < 8 {
		t.Errorf("%d alerts: the test checks next to nothing", len(seen))
	}
	text, err := os.ReadFile(monitoringDocument)
	if err != nil {
		t.Fatal(err)
	}
	if want := "| Alert | What it says |\n|---|---|\n" + table.String(); !strings.Contains(string(text), want) {
		t.Errorf("%s does not have the alerts:\n%s", monitoringDocument, cmp.Diff(string(text), want))
	}
}

// TestDashboard holds every panel to the metrics there are.
func TestDashboard(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/grafana-dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	type place struct{ X, Y, W, H int }
	var board struct {
		Title      string
		Templating struct {
			List []struct{ Name, Type, Query string }
		}
		Panels []struct {
			ID      int
			Title   string
			Type    string
			GridPos place
			Targets []struct{ Expr, RefID string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	known := series(t)
	used := make(map[string]bool)
	check := func(where, expr string) {
		t.Helper()
		if err := checkExpression(expr, known); err != nil {
			t.Errorf("%s: %s: %v", where, expr, err)
		}
		for name := range known {
			used[name] = used[name] || strings.Contains(expr, name)
		}
	}
	for _, v := range board.Templating.List {
		if v.Type == "query" {
			check(v.Name, v.Query)
		}
	}
	ids, places, expressions := make(map[int]bool), make(map[place]bool), 0
	for _, p := range board.Panels {
		if ids[p.ID] || places[p.GridPos] {
			t.Errorf("%s: id %d or its place is taken", p.Title, p.ID)
		}
		ids[p.ID], places[p.GridPos] = true, true
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			expressions++
			check(p.Title, target.Expr)
		}
	}
	if expressions < 20 {
		t.Errorf("%d expressions: the test checks next to nothing", expressions)
	}
}
