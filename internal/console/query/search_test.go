package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/statistics"
)

func named(names ...string) []statistics.Job {
	var jobs []statistics.Job
	for _, name := range names {
		jobs = append(jobs, statistics.Job{Name: name})
	}
	return jobs
}

func TestSearchJobs(t *testing.T) {
	t.Parallel()
	jobs := named("zinv", "ledger-inverse", "inventory-sync", "invoices", "i-n-v", "mail", "inv", "报表-作业")
	for text, want := range map[string][]string{
		"inv":                    {"inv", "invoices", "inventory-sync", "ledger-inverse", "zinv", "i-n-v"},
		"INV":                    {"inv", "invoices", "inventory-sync", "ledger-inverse", "zinv", "i-n-v"},
		"作业":                     {"报表-作业"},
		"报业":                     {"报表-作业"},
		"":                       nil,
		"nothing":                nil,
		strings.Repeat("i", 5e3): nil,
		"\xff\xfe":               nil,
	} {
		var got []string
		for _, hit := range SearchJobs(jobs, text, 6) {
			got = append(got, hit.Job.Name)
			if strings.Join(hit.Parts, "") != hit.Job.Name {
				t.Errorf("%q: %q in parts is %q", text, hit.Job.Name, hit.Parts)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.20q: %q, want %q", text, got, want)
		}
	}
	if hit := SearchJobs(jobs, "verse", 1); len(hit) != 1 || hit[0].Parts[1] != "verse" {
		t.Errorf("%v", hit)
	}
	if hits := SearchJobs(jobs, "inv", 3); len(hits) != 3 || hits[0].Job.Name != "inv" || hits[1].Job.Name != "invoices" {
		t.Errorf("%v", hits)
	}
}

func BenchmarkSearchJobs(b *testing.B) {
	jobs := make([]statistics.Job, 10_000)
	for i := range jobs {
		jobs[i].Name = fmt.Sprintf("team-%02d.billing.invoice-export-%05d", i%40, i)
	}
	for b.Loop() {
		SearchJobs(jobs, "invoice", 8)
	}
}
