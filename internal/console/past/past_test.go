package past_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func run(fire time.Duration, took time.Duration, state rdb.RunState) rdb.Run {
	at := noon.Add(fire)
	return rdb.Run{JobName: "mail", ID: "r", ScheduledAt: at, Start: at.Add(200 * time.Millisecond), End: at.Add(took), State: state, Shards: 4, Failed: 2, Lost: 1}
}

func record(at time.Duration, action string) settings.Record {
	return settings.Record{At: noon.Add(at), User: "root", Action: action, Outcome: "done"}
}

// explainTest is a change of what is known of a job that is due each ten minutes, and
// what is said of noon then.
type explainTest struct {
	change  func(*past.Input)
	verdict past.Verdict
	heading string
	reason  string
	unknown string
}

func (test explainTest) run(t *testing.T, name string) {
	t.Helper()
	const a = "10.0.0.1@-@7"
	in := past.Input{Job: statistics.Job{Name: "mail", Cron: "0 0/10 * * * ?", TimeZone: "GMT+0"}, Live: []string{a}, At: noon, HasRuns: true, Before: true, After: true, EventsSince: noon.Add(-time.Hour), HasRecords: true}
	test.change(&in)
	p := past.Explain(i18n.English, in)
	if p.Verdict != test.verdict || !strings.Contains(p.Heading, test.heading) || !strings.Contains(strings.Join(p.Reasons, " "), test.reason) || !strings.Contains(strings.Join(p.Unknown, " "), test.unknown) {
		t.Errorf("%s: %s %q, because %q, unknown %q", name, p.Verdict, p.Heading, p.Reasons, p.Unknown)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	const a = "10.0.0.1@-@7"
	for name, test := range map[string]explainTest{
		"succeeded": {func(in *past.Input) { in.Runs = []rdb.Run{run(0, time.Second, rdb.RunSuccess)} }, past.Ran, "ran", "", "schedule of today"},
		"failed":    {func(in *past.Input) { in.Runs = []rdb.Run{run(0, time.Second, rdb.RunFailed)} }, past.Failed, "2 of 4 shards failed", "", ""},
		"lost":      {func(in *past.Input) { in.Runs = []rdb.Run{run(0, time.Second, rdb.RunLost)} }, past.Lost, "1 of 4 shards", "", ""},
		"of Java": {func(in *past.Input) {
			r := run(0, time.Second, rdb.RunSuccess)
			r.ScheduledAt, r.Grouped = time.Time{}, true
			in.Runs = []rdb.Run{r}
		}, past.Ran, "ran", "", "grouped"},
		"not due": {func(in *past.Input) { in.At = noon.Add(7 * time.Minute) }, past.NotDue, "last fire time before was 2026-11-23 12:00:00 UTC", "", ""},
		"still on": {func(in *past.Input) {
			in.At = noon.Add(7 * time.Minute)
			in.Runs = []rdb.Run{run(0, 9*time.Minute, rdb.RunSuccess)}
		}, past.NotDue, "was running", "", ""},
		"no reason": {func(*past.Input) {}, past.Missed, "did not run", "nothing on record", ""},
		"disabled":  {func(in *past.Input) { in.Records = []settings.Record{record(-time.Hour, "POST /jobs/:job/disable")} }, past.Missed, "did not run", "disabled since 2026-11-23 11:00:00 UTC, by root", ""},
		"W88 held":  {func(in *past.Input) { in.Records = []settings.Record{record(-time.Hour, "POST /jobs/:job/hold")} }, past.Missed, "did not run", "held since 2026-11-23 11:00:00 UTC, by root", ""},
		"W88 held and released": {func(in *past.Input) {
			in.Records = []settings.Record{record(-time.Minute, "POST /api/jobs/:job/release"), record(-time.Hour, "POST /api/jobs/:job/hold")}
		}, past.Missed, "did not run", "nothing on record", ""},
		"W88 held in bulk": {func(in *past.Input) {
			r := record(-time.Hour, "POST /jobs/bulk")
			r.Target, r.Detail = "invoices, mail", "order=bulk hold affected=2"
			in.Records = []settings.Record{r}
		}, past.Missed, "did not run", "held since", ""},
		"W88 a server was off": {func(in *past.Input) {
			r := record(-time.Hour, "POST /api/servers/:ip/jobs/:job/disable")
			r.Target = "10.0.0.1 mail"
			in.Records = []settings.Record{r}
		}, past.Missed, "did not run", "10.0.0.1 was switched off", ""},
		"W88 the server was off, and the job enabled": {func(in *past.Input) {
			r := record(-time.Hour, "POST /api/servers/:ip/jobs/:job/disable")
			r.Target = "10.0.0.1 mail"
			in.Records = []settings.Record{record(-time.Minute, "POST /jobs/:job/enable"), r}
		}, past.Missed, "did not run", "nothing on record", ""},
		"W88 its instances were stopped": {func(in *past.Input) {
			in.EventsSince, in.Records = time.Time{}, []settings.Record{record(-time.Hour, "POST /api/jobs/:job/shutdown")}
		}, past.Missed, "did not run", "instances were stopped", ""},
		"W88 they were stopped, and others came": {func(in *past.Input) {
			in.Records = []settings.Record{record(-time.Hour, "POST /api/jobs/:job/shutdown")}
		}, past.Missed, "did not run", "nothing on record", ""},
		"W88 pruned":        {func(in *past.Input) { in.Before = false }, past.NoRecord, "No run of", "no runs of the job are on record from before", ""},
		"W88 nothing since": {func(in *past.Input) { in.After = false }, past.NoRecord, "No run of", "no runs of the job are on record", ""},
		"W88 not due by the schedule of today": {func(in *past.Input) {
			in.Job.Cron, in.Runs = "0 7 3 * * ?", []rdb.Run{run(0, time.Second, rdb.RunSuccess)}
		}, past.Ran, "ran", "", ""},
		"W88 not due today, edited since": {func(in *past.Input) {
			in.Job.Cron, in.Records = "0 7 3 * * ?", []settings.Record{record(time.Hour, "PUT /api/jobs/config")}
		}, past.Unknown, "No run of", "changed since", ""},
		"W88 without a shard that was off": {func(in *past.Input) {
			r := record(-time.Hour, "POST /api/jobs/:job/sharding/:item/disable")
			r.Target = "mail 3"
			in.Job.Shards, in.Records, in.Runs = 5, []settings.Record{r}, []rdb.Run{run(0, time.Second, rdb.RunSuccess)}
		}, past.Partial, "4 of 5 shards", "Shard 3 was switched off", ""},
		"W88 without a shard, for an unknown reason": {func(in *past.Input) {
			in.Job.Shards, in.Runs = 5, []rdb.Run{run(0, time.Second, rdb.RunSuccess)}
		}, past.Partial, "4 of 5 shards", "nothing on record", ""},
		"W88 the number of shards was edited since": {func(in *past.Input) {
			in.Job.Shards, in.Runs, in.Records = 5, []rdb.Run{run(0, time.Second, rdb.RunSuccess)}, []settings.Record{record(time.Hour, "PUT /api/jobs/config")}
		}, past.Ran, "ran", "", ""},
		"on again": {func(in *past.Input) {
			in.Records = []settings.Record{record(-time.Minute, "POST /jobs/:job/enable"), record(-time.Hour, "POST /jobs/:job/disable")}
		}, past.Missed, "did not run", "nothing on record", ""},
		"a shard": {func(in *past.Input) {
			in.Records = []settings.Record{record(-time.Hour, "POST /api/jobs/:job/sharding/:item/disable")}
		}, past.Missed, "did not run", "nothing on record", ""},
		"busy": {func(in *past.Input) { in.Runs = []rdb.Run{run(-10*time.Minute, 15*time.Minute, rdb.RunSuccess)} }, past.Missed, "did not run", "was still running", ""},
		"nobody": {func(in *past.Input) {
			in.Events = []members.Event{{At: noon.Add(time.Hour), Kind: members.Joined, Instance: a}}
		}, past.Missed, "did not run", "No instance lived", ""},
		"one left": {func(in *past.Input) {
			in.Events = []members.Event{{At: noon.Add(-time.Second), Kind: members.Left, Instance: "10.0.0.2@-@7"}}
		}, past.Missed, "did not run", "10.0.0.2@-@7 left", ""},
		"edited":     {func(in *past.Input) { in.Records = []settings.Record{record(time.Hour, "PUT /api/jobs/config")} }, past.Unknown, "No run of", "changed since", "changed at 2026-11-23 13:00:00 UTC by root"},
		"no history": {func(in *past.Input) { in.HasRuns = false }, past.Unknown, "not known", "", ""},
		"long ago":   {func(in *past.Input) { in.EventsSince = noon.Add(time.Hour) }, past.Missed, "did not run", "", "remembered since 2026-11-23 13:00:00 UTC"},
		"a guest":    {func(in *past.Input) { in.HasRecords = false }, past.Missed, "did not run", "", "operators"},
		"no cron":    {func(in *past.Input) { in.Job.Cron = "" }, past.NotDue, "no schedule", "", ""},
		"bad cron":   {func(in *past.Input) { in.Job.Cron = "x" }, past.Unknown, "cannot be read", "", ""},
	} {
		test.run(t, name)
	}
}

// TestExplainBeforeItWasServed: of a time before the job was there, or served as it is
// now, it is not said that it was due and did not run.
func TestExplainBeforeItWasServed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]explainTest{
		"before it was there": {func(in *past.Input) { in.Job.Created = noon.Add(time.Second) }, past.NotYet, "did not exist at 2026-11-23 12:00:00 UTC: its configuration was created at 2026-11-23 12:00:01 UTC", "", ""},
		"before it was there, not due": {func(in *past.Input) {
			in.At, in.Job.Created = noon.Add(-7*time.Minute), noon
		}, past.NotYet, "did not exist", "", ""},
		"ran before it was created anew": {func(in *past.Input) {
			in.Job.Created, in.Runs = noon.Add(time.Hour), []rdb.Run{run(0, time.Second, rdb.RunSuccess)}
		}, past.Ran, "ran", "", ""},
		"before it was served": {func(in *past.Input) { in.Job.ReadySince = noon.Add(time.Minute) }, past.Unknown, "whether an instance served the job then is not known", "since 2026-11-23 12:01:00 UTC", ""},
		"before it was enabled again": {func(in *past.Input) {
			in.Job.ReadySince, in.Records = noon.Add(time.Minute), []settings.Record{record(-time.Hour, "POST /jobs/:job/disable")}
		}, past.Missed, "did not run", "disabled since", ""},
		"served since": {func(in *past.Input) {
			in.Job.Created, in.Job.ReadySince = noon.Add(-time.Hour), noon.Add(-time.Second)
		}, past.Missed, "did not run", "nothing on record", ""},
	} {
		test.run(t, name)
	}
}

// TestAround: what happened about then is listed in its order, and not more of it than
// can be read.
func TestAround(t *testing.T) {
	t.Parallel()
	in := past.Input{At: noon, HasRuns: true}
	for i := range 500 {
		at := noon.Add(time.Duration(i-250) * 2 * time.Second)
		in.Runs = append(in.Runs, rdb.Run{Start: at, End: at.Add(time.Second)})
	}
	in.Events = []members.Event{{At: noon, Kind: members.Left}, {At: noon.Add(-time.Hour), Kind: members.Left}}
	p := past.Explain(i18n.English, in)
	left := 0
	for i, m := range p.Around {
		if i > 0 && m.At.Before(p.Around[i-1].At) {
			t.Fatal("not in their order")
		}
		if m.Event != nil {
			left++
		}
	}
	if len(p.Around) > 100 || left != 1 {
		t.Errorf("%d moments, %d of them departures", len(p.Around), left)
	}
}
