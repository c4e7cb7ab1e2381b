package query

import (
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// TestWindow: a part of the day is the one that is on, or else the next; over midnight,
// in other zones and around changes of the clock.
func TestWindow(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, now, want string }{
		{"02:00-03:00", "2026-11-23T12:00:00Z", "2026-11-24T02:00:00Z 2026-11-24T03:00:00Z"},
		{"02:00-03:00", "2026-11-23T02:59:59Z", "2026-11-23T02:00:00Z 2026-11-23T03:00:00Z"},
		{"02:00-03:00", "2026-11-23T03:00:00Z", "2026-11-24T02:00:00Z 2026-11-24T03:00:00Z"},
		{"22:30-06:00", "2026-11-23T05:00:00Z", "2026-11-22T22:30:00Z 2026-11-23T06:00:00Z"},
		{"22:30-06:00", "2026-11-23T06:00:00Z", "2026-11-23T22:30:00Z 2026-11-24T06:00:00Z"},
		{"00:00-24:00", "2026-11-23T06:00:00Z", "2026-11-23T00:00:00Z 2026-11-24T00:00:00Z"},
		{"02:00-03:00@Asia/Shanghai", "2026-11-23T12:00:00Z", "2026-11-24T02:00:00+08:00 2026-11-24T03:00:00+08:00"},
		{"02:00-03:00@GMT+08:00", "2026-11-23T18:30:00Z", "2026-11-24T02:00:00+08:00 2026-11-24T03:00:00+08:00"},
		// In Berlin the clock is set from 02:00 to 03:00, and from 03:00 to 02:00.
		{"02:00-03:00@Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-29T02:00:00+02:00 2027-03-29T03:00:00+02:00"},
		{"02:00-03:00@Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T02:00:00+02:00 2026-10-25T03:00:00+01:00"},
	} {
		w, ok := parseWindow(tt.text)
		now, err := time.Parse(time.RFC3339, tt.now)
		if !ok || err != nil {
			t.Fatalf("%s: %v, %v", tt.text, ok, err)
		}
		from, to := w.next(now)
		if got := from.Format(time.RFC3339) + " " + to.Format(time.RFC3339); got != tt.want {
			t.Errorf("%s at %s: %s, want %s", tt.text, tt.now, got, tt.want)
		}
	}
	for _, text := range []string{"", "02:00", "2:00-3:00", "02:00-02:00", "25:00-26:00", "24:00-01:00", "02:00-03:00@", "02:00-03:00@Nowhere", "02:00-03:00@Local", "02:00-03:00@../../etc/passwd", "02:00-03:00@" + strings.Repeat("x", 100), "02:60-03:00", "02:00-03:00-04:00", "-", strings.Repeat("1", 5000)} {
		if _, ok := parseWindow(text); ok {
			t.Errorf("%q is taken for a part of the day", text)
		}
	}
}

// fireJobs finds the names of those that fire at noon of a Monday in a part of the day.
func fireJobs(t *testing.T, text string, jobs []statistics.Job) []string {
	t.Helper()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	q, problems := ParseJobsPage(url.Values{"q": {text}, "pageSize": {"200"}})
	if len(problems) > 0 {
		t.Fatal(problems.In(i18n.English))
	}
	never := new(explain.Digest)
	seen := Seen{
		Standing: NewStanding(NewListing(jobs), slices.Repeat([]*explain.Digest{never}, len(jobs)), explain.Evidence{Now: now}),
		Health:   func(*statistics.Job, *explain.Digest) health.Health { return health.Health{} },
	}
	var names []string
	for _, j := range q.Select(jobs, now, seen).Rows {
		names = append(names, j.Name)
	}
	slices.Sort(names)
	return names
}

// TestJobsThatFire: each job by its own zone; one that does not fire at all is none.
func TestJobsThatFire(t *testing.T) {
	t.Parallel()
	job := func(name, cron, zone string, change ...func(*statistics.Job)) statistics.Job {
		j := statistics.Job{Name: name, Cron: cron, TimeZone: zone, Status: statistics.StatusOK, Servers: 1, Instances: 1}
		for _, c := range change {
			c(&j)
		}
		return j
	}
	jobs := []statistics.Job{
		job("each-second", "* * * * * ?", "GMT"), job("nightly", "0 30 2 * * ?", "GMT"), job("at-three", "0 0 3 * * ?", "GMT"),
		job("shanghai", "0 30 10 * * ?", "GMT+08:00"), job("sundays", "0 30 2 ? * SUN", "GMT"), job("tuesdays", "59 59 2 ? * TUE", "GMT"),
		job("past", "0 30 2 * * ? 2020", "GMT"), job("broken-cron", "nonsense", "GMT"), job("broken-zone", "0 30 2 * * ?", "Nowhere"), job("on-trigger", "", ""),
		job("off", "0 30 2 * * ?", "GMT", func(j *statistics.Job) { j.Status, j.DisabledServers = statistics.StatusDisabled, 1 }),
		job("down", "0 30 2 * * ?", "GMT", func(j *statistics.Job) { j.Status = statistics.StatusCrashed }),
		job("unreadable", "0 30 2 * * ?", "GMT", func(j *statistics.Job) { j.Status = statistics.StatusBroken }),
		job("nightly-too", "0 30 2 * * ?", "GMT"),
	}
	for text, want := range map[string]string{
		"fires:02:00-03:00":               "each-second nightly nightly-too shanghai tuesdays",
		"fires:02:00-03:00 nightly":       "nightly nightly-too",
		"fires:10:00-11:00@Asia/Shanghai": "each-second nightly nightly-too shanghai tuesdays",
		"fires:03:00-03:01":               "at-three each-second",
	} {
		if got := strings.Join(fireJobs(t, text, jobs), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, problems := ParseJobsPage(url.Values{"q": {"fires:tonight"}}); len(problems) != 1 || !strings.Contains(problems.In(i18n.English)[0], "fires:tonight is no part of the day") {
		t.Errorf("problems %q", problems.In(i18n.English))
	}
	if list := JobSuggestions("mail", nil); !slices.Contains(list, "mail fires:02:00-03:00") {
		t.Errorf("suggestions %q", list)
	}
}

// TestJobsThatFireOfTenThousand: each job costs one look at its schedule, whether it
// fires each second or once a year; jobs of one schedule share it.
func TestJobsThatFireOfTenThousand(t *testing.T) { //nolint:paralleltest // it counts what is allocated
	var jobs []statistics.Job
	for i := range 10_000 {
		cron := fmt.Sprintf("%d/%d * * * * ?", i%60, 1+i%7)
		if i%3 == 0 {
			cron = fmt.Sprintf("%d %d %d 29 2 ?", i%60, i/60%60, i/3600%24)
		}
		jobs = append(jobs, statistics.Job{Name: fmt.Sprintf("job-%05d", i), Cron: cron, TimeZone: "GMT+1", Status: statistics.StatusOK, Servers: 1, Instances: 1})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if got := fireJobs(t, "fires:02:00-03:00", jobs); len(got) != 200 {
		t.Fatalf("%d jobs on a page", len(got))
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / 10_000; each > 2000 { // All fires of an hour need a hundred times as much.
		t.Errorf("%d bytes are allocated for each job", each)
	}
}
