package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func TestAPIExplains(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	zone := time.FixedZone("GMT+08:00", 8*60*60)
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Why = statistics.Explanation{
			At: consoletest.Noon, NextFire: time.Date(2026, 11, 22, 1, 0, 0, 0, zone), Zone: "GMT+8:00",
			Findings: []statistics.Finding{{
				Code: statistics.CodeItemDisabled, Effect: statistics.EffectShards, Sentence: "Shard 1: switched off by an operator.", Advice: "Enable the shard.",
				Node: "/ns/invoices/sharding/1/disabled", Since: consoletest.Noon, Items: []int{1},
			}},
		}
	})
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/invoices/explain", nil)
	consoletest.WantStatus(t, r, http.StatusOK)
	var got api.Explanation
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
		t.Fatal(err)
	}
	want := api.Explanation{
		JobName: "invoices", At: "2026-11-21T12:00:07Z", Health: "PARTIAL",
		Summary: "A part of the job starts no runs: it fires next at 2026-11-22 01:00:00 (GMT+8:00). Shard 1: switched off by an operator.", Obstacle: true, Cron: got.Cron,
		TimeZone: "GMT+8:00", NextFireTime: "2026-11-21T17:00:00Z", NextFireLocal: "2026-11-22T01:00:00+08:00",
		Findings: []api.Finding{{
			Code: "ITEM_DISABLED", Effect: "ITEMS", Sentence: "Shard 1: switched off by an operator.", Advice: "Enable the shard.",
			Node: "/ns/invoices/sharding/1/disabled", Since: "2026-11-21T12:00:07Z", Items: []int{1}, ItemCount: 1,
		}},
		Checks: []api.Rule{
			{Code: "LAST_RUN_SUCCEEDED", Sentence: "The last run on record did not fail.", Node: "the newest runs in the trace database"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Why = statistics.Explanation{} })
	if r := b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/invoices/explain", nil); !json.Valid([]byte(r.Body)) || !strings.Contains(r.Body, `"findings":[{"code":"UNSTABLE"`) {
		t.Errorf("without findings: %s", r.Body)
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/nope/explain", nil), http.StatusNotFound)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("away") })
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/invoices/explain", nil), http.StatusServiceUnavailable)
}

func TestPageExplains(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	if doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices", nil).Doc(t); doc.Find("[data-testid=why]").AttrOr("href", "") != "/jobs/invoices/explain" {
		t.Error("the job's page does not lead to the explanation")
	}
	if got := consoletest.Words(b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t).Find("[data-testid=explanation]")); !strings.HasPrefix(got, "The job is unstable") {
		t.Errorf("without findings: %q", got)
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Why = statistics.Explanation{
			Findings: []statistics.Finding{
				{Code: statistics.CodeConfigUnusable, Effect: statistics.EffectJob, Sentence: "The cron is <b>wrong</b>.", Advice: "Correct cron.", Node: "/ns/invoices/config", Field: "cron", Value: "<x>", Since: consoletest.Noon.Add(-time.Minute)},
				{Code: statistics.CodeMonitorOff, Effect: statistics.EffectNothing, Sentence: "Nothing is known.", Node: "/ns/invoices/config"},
			},
			Checks: []statistics.Check{
				{Code: statistics.CheckEnabled, Sentence: "The job is not disabled: 2 of 3 servers are enabled.", Node: "/ns/invoices/servers", N: 2, M: 3},
				{Code: statistics.CheckInstances, Sentence: "Instances are alive: 2 instances, and 1 of them may run shards.", Node: "/ns/invoices/instances", N: 1, M: 2},
				{Code: statistics.CheckLeader, Sentence: "A leader is elected.", Node: "/ns/invoices/leader/election/instance", Value: "10.0.0.1@-@7"},
			},
		}
	})
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t)
	if got := consoletest.Words(doc.Find("[data-testid=explanation]")); got != "The job starts no runs The cron is <b>wrong</b>." {
		t.Errorf("explanation %q", got)
	}
	var rows []string
	for _, row := range doc.Find("[data-testid=finding]").EachIter() {
		rows = append(rows, row.AttrOr("data-code", "")+": "+consoletest.Words(row))
	}
	want := []string{
		"CONFIG_UNUSABLE: The cron is <b>wrong</b>. Correct cron. the job · 1 min ago /ns/invoices/config cron: <x>",
		"MONITOR_OFF: Nothing is known. /ns/invoices/config",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	wantChecks(t, b, doc)
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/nope/explain", nil), http.StatusNotFound)
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.ReadErr = errors.New("away") })
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil), http.StatusServiceUnavailable)
}

// wantChecks compares what is fine on the page of a guest, and what leads to where
// something can be done.
func wantChecks(t *testing.T, b *consoletest.Bench, doc *goquery.Document) {
	t.Helper()
	var holds []string
	for _, row := range doc.Find("[data-testid=check]").EachIter() {
		holds = append(holds, row.AttrOr("data-code", "")+": "+consoletest.Words(row))
	}
	want := []string{
		"JOB_ENABLED: Job is not disabled 2 of 3 servers /ns/invoices/servers",
		"INSTANCES_ALIVE: Instances are alive 2 instances, 1 of which may run shards /ns/invoices/instances",
		"LEADER_ELECTED: A leader is elected 10.0.0.1@-@7 /ns/invoices/leader/election/instance",
		"LAST_RUN_SUCCEEDED: The last run on record did not fail the newest runs in the trace database",
	}
	if diff := cmp.Diff(want, holds); diff != "" {
		t.Errorf("what is fine (-want +got):\n%s", diff)
	}
	if remedies := doc.Find("[data-testid=remedy]").Length(); remedies != 0 {
		t.Errorf("%d buttons for a guest", remedies)
	}
	doc = b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t)
	if href := doc.Find("[data-testid=remedy]").AttrOr("href", ""); href != "/jobs/invoices/config" {
		t.Errorf("the configuration is corrected at %q", href)
	}
	checks, _ := consoletest.GetJSON[api.Explanation](t, b, "/api/jobs/invoices/explain")
	if len(checks.Checks) != 4 || checks.Checks[0] != (api.Rule{Code: "JOB_ENABLED", Sentence: "The job is not disabled: 2 of 3 servers are enabled.", Node: "/ns/invoices/servers"}) {
		t.Errorf("the API's checks: %+v", checks.Checks)
	}
}

// TestExplainsFailures: a job that runs and fails, or is late, says so, in the
// heading and as a finding, and nothing holds it up for that.
func TestExplainsFailures(t *testing.T) {
	t.Parallel()
	failed := func(item int) tracing.Execution {
		return tracing.Execution{
			ID: fmt.Sprintf("x%d", item), JobName: "invoices", RunID: "r9", Item: item, Attempt: 1, IP: "10.2.0.15",
			StartTime: consoletest.Noon.Add(-time.Minute), CompleteTime: consoletest.Noon, FailureCause: "disk is full",
		}
	}
	const owner = "10.2.0.15@-@7"
	late := failed(0)
	late.TaskID = jobtree.TaskID("invoices", []int{0}, owner, "")
	late.StartTime, late.FailureCause, late.Success = consoletest.Noon.Add(-time.Hour), "", true
	late.CompleteTime = late.StartTime.Add(time.Minute)
	for _, test := range []struct {
		name          string
		rows          []tracing.Execution
		heading, code string
	}{
		{"one shard", []tracing.Execution{failed(2)}, "The job runs, and one of its shards fails", "FAILING"},
		{"two shards", []tracing.Execution{failed(2), failed(5)}, "The job runs, and two of its shards fail", "FAILING"},
		{"late", []tracing.Execution{late}, "The job is late", "LATE"},
		{"none", nil, "The state of the job is unknown", "NOT_RECORDED"},
	} {
		b := consoletest.New(t)
		b.History.Rows, b.History.OldRuns = test.rows, nil
		b.Registry.Set(func(f *consoletest.FakeRegistry) {
			i := slices.IndexFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == "invoices" })
			f.List[i].ReadySince = consoletest.Noon.Add(-24 * time.Hour)
			f.List[i].Owners, f.List[i].OwnersSince = []string{owner}, []time.Time{f.List[i].ReadySince}
			f.Why = statistics.Explanation{Findings: []statistics.Finding{{Code: statistics.CodeMonitorOff, Effect: statistics.EffectNothing, Sentence: "Nothing is known."}}}
		})
		doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/explain", nil).Doc(t)
		first := doc.Find("[data-testid=finding]").First()
		if got := consoletest.Words(doc.Find("[data-testid=explanation] h2")); got != test.heading {
			t.Errorf("%s: heading %q, want %q", test.name, got, test.heading)
		}
		if code := first.AttrOr("data-code", ""); test.code != "" && code != test.code {
			t.Errorf("%s: first finding %s: %s", test.name, code, consoletest.Words(first))
		}
		got, _ := consoletest.GetJSON[api.Explanation](t, b, "/api/jobs/invoices/explain")
		if got.Obstacle || test.code != "" && (got.Findings[0].Code != test.code || got.Findings[0].Advice == "" || got.Findings[0].Node == "") {
			t.Errorf("%s: the API says %+v", test.name, got)
		}
	}
}

// TestExplainAtATime: with at the answer says what became of that time, and a time
// that is none is refused.
func TestExplainAtATime(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var got api.Explanation
	b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/invoices/explain?at=2026-11-21T11:40", nil).Into(t, &got)
	if p := got.Past; p == nil || p.At != "2026-11-21T11:40:00Z" || p.FireTime != p.At || p.Verdict == "" || p.Statement == "" || len(p.Unknown) == 0 {
		t.Errorf("%+v", p)
	}
	got = api.Explanation{}
	if b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/invoices/explain", nil).Into(t, &got); got.Past != nil {
		t.Error("speaks of a past that nobody asked for")
	}
	for _, wrong := range []string{"yesterday", "2099-01-01T00:00Z", "0001-01-01T00:00Z"} {
		consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/invoices/explain?at="+wrong, nil), http.StatusUnprocessableEntity)
	}
}

// TestW88ActionsOfTheAudit: a past time is explained by the actions that the console has recorded.
// An action stopped the job, and its opposite ended that.
func TestW88ActionsOfTheAudit(t *testing.T) {
	t.Parallel()
	const bulk = `{"order":%q,"jobs":["invoices"],"preview":%v}`
	for name, c := range map[string]struct {
		stops, starts [3]string // method, path, body
		want          string
	}{
		"the job":             {[3]string{"POST", "/api/jobs/invoices/disable"}, [3]string{"DELETE", "/api/jobs/invoices/disable"}, "The job was disabled since"},
		"the job, in bulk":    {[3]string{"POST", "/api/bulk", fmt.Sprintf(bulk, "disable", false)}, [3]string{"POST", "/api/bulk", fmt.Sprintf(bulk, "enable", false)}, "The job was disabled since"},
		"the job, tried out":  {[3]string{"POST", "/api/bulk", fmt.Sprintf(bulk, "disable", true)}, [3]string{}, ""},
		"a server of the job": {[3]string{"POST", "/api/servers/10.2.0.14/jobs/invoices/disable"}, [3]string{"POST", "/api/servers/10.2.0.14/jobs/invoices/enable"}, "10.2.0.14 was switched off"},
		"a server":            {[3]string{"POST", "/api/servers/10.2.0.14/disable"}, [3]string{"DELETE", "/api/servers/10.2.0.14/disable"}, "10.2.0.14 was switched off"},
		"a server, shut down": {[3]string{"POST", "/api/servers/10.2.0.14/jobs/invoices/shutdown"}, [3]string{}, "Its instances on 10.2.0.14 were stopped"},
		"a shard":             {[3]string{"POST", "/api/jobs/invoices/sharding/0/disable"}, [3]string{"POST", "/api/jobs/invoices/sharding/0/enable"}, "Shard 0 was switched off"},
		"the schedule":        {[3]string{"POST", "/api/jobs/invoices/hold", `{"what":"schedule"}`}, [3]string{"POST", "/api/jobs/invoices/release"}, "Its schedule was held since"},
		"the requests":        {[3]string{"POST", "/api/jobs/invoices/hold", `{"what":"requests"}`}, [3]string{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := consoletest.New(t)
			fire := consoletest.Noon.Add(30 * time.Minute)
			task := ""
			b.Registry.Set(func(f *consoletest.FakeRegistry) {
				for i := range f.List[0].Instances {
					f.List[0].Instances[i].Agent.Ours = true
					f.List[0].Instances[i].Since = consoletest.Noon.Add(-time.Hour)
				}
				task = jobtree.TaskID("invoices", nil, f.List[0].Instances[0].ID, "")
			})
			rows := func(at time.Time, shards ...int) {
				for _, item := range shards {
					b.History.Rows = append([]tracing.Execution{{ID: fmt.Sprint(at.Unix(), item), JobName: "invoices", TaskID: task, RunID: fmt.Sprint(at.Unix()), Item: item,
						ScheduledAt: at, Trigger: tracing.TriggerSchedule, StartTime: at, CompleteTime: at.Add(time.Second), Success: true}}, b.History.Rows...)
				}
			}
			b.Settings.Write(settings.Record{At: consoletest.Noon, Action: "POST /api/jobs/:job/disable", Target: "invoices", Outcome: "done", Registry: "elsewhere"})
			b.History.Rows = nil
			rows(consoletest.Noon, 0, 1, 2, 3, 4, 5, 6)
			if strings.Contains(c.want, "Shard") {
				rows(fire, 1, 2, 3)
			}
			rows(fire.Add(20*time.Minute), 0, 1, 2, 3, 4, 5, 6)
			answer := func() (p api.Past) {
				var got api.Explanation
				b.As(t, auth.RoleRoot, http.MethodGet, "/api/jobs/invoices/explain?at="+fire.Format("2006-01-02T15:04"), nil).Into(t, &got)
				return *got.Past
			}
			do := func(a [3]string) {
				b.Pass(10 * time.Minute)
				if a[0] != "" {
					consoletest.WantStatus(t, b.As(t, auth.RoleRoot, a[0], a[1], nil, consoletest.JSONBody(a[2])), http.StatusOK)
				}
			}
			do(c.stops)
			b.Pass(2 * time.Hour)
			p := answer()
			if reasons := strings.Join(p.Reasons, " "); c.want != "" && !strings.Contains(reasons, c.want) || c.want == "" && !strings.Contains(reasons, "isn't remembered") {
				t.Errorf("stopped: %s %q, because %q", p.Verdict, p.Statement, p.Reasons)
			}
			b.Pass(-2 * time.Hour)
			if do(c.starts); c.starts[0] == "" {
				return
			}
			b.Pass(2 * time.Hour)
			if p := answer(); !strings.Contains(strings.Join(p.Reasons, " "), "isn't remembered") {
				t.Errorf("started again: %s %q, because %q", p.Verdict, p.Statement, p.Reasons)
			}
		})
	}
}
