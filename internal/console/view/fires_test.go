package view

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestFires counts fires by quarters of an hour. Jobs that fire in each of them are counted apart,
// and jobs with more than a fire a minute by their rate. Jobs that can't fire are left out.
func TestFires(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 7, 0, 0, time.UTC)
	job := func(cron string, change ...func(*statistics.Job)) statistics.Job {
		j := statistics.Job{Name: cron, Cron: cron, TimeZone: "GMT+0", Servers: 1}
		for _, f := range change {
			f(&j)
		}
		return j
	}
	var plan FirePlan
	f := plan.Of([]statistics.Job{
		job("0 30 18 * * ?"), job("0 0/5 * * * ?"), job("x"), job(""), job("0 0 0 1 1 ? 2031"),
		job("0 30 18 * * ?", func(j *statistics.Job) { j.DisabledServers = 1 }),
		job("0 30 18 * * ?", func(j *statistics.Job) { j.Status = statistics.StatusCrashed }),
	}, now)
	if !f.From.Equal(now.Truncate(FireStep)) || f.Total != 1+24*12 || f.Counts[26] != 1 || f.Counts[0] != 0 || f.Steady != 1 || f.Uncounted != 0 {
		t.Errorf("%+v", f)
	}
	fast := plan.Of([]statistics.Job{job("* * * * * ?"), job("0/10 * * * * ?")}, now)
	if fast.Steady != 2 || fast.Counts[0] != 0 || fast.Total != 96*990 {
		t.Errorf("%+v", fast)
	}
}

// TestFiresAroundAnExcludedDay: a job that fires too often to be counted fires on no excluded day, and
// alike on all others.
func TestFiresAroundAnExcludedDay(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)
	var plan FirePlan
	f := plan.Of([]statistics.Job{{
		Name: "j", Cron: "0/10 * * * * ?", TimeZone: "GMT+0", Servers: 1, FireRules: statistics.FireRules{Exclude: "MON"},
	}}, monday)
	for i, n := range f.Counts {
		if want := map[bool]int{true: 90}[i >= 16]; n != want {
			t.Errorf("bucket %d: %d fires, want %d", i, n, want)
		}
	}
}

// TestFiresOfManySchedules: ten thousand different schedules are counted bit by bit,
// and the next look costs nothing.
func TestFiresOfManySchedules(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	var jobs []statistics.Job
	for i := range 10_000 {
		jobs = append(jobs, statistics.Job{Cron: fmt.Sprintf("%d %d * * * ?", i%60, i/60%60), TimeZone: fmt.Sprintf("GMT+%d", i/3600), Servers: 1})
	}
	var plan FirePlan
	first := plan.Of(jobs, now)
	if first.Uncounted == 0 || first.Total > 2*fireBudget {
		t.Errorf("the first look counted %d fires and left %d jobs", first.Total, first.Uncounted)
	}
	for range 20 {
		first = plan.Of(jobs, now)
	}
	if first.Uncounted != 0 || first.Total != 10_000*24 {
		t.Errorf("in the end %d fires, %d jobs are left", first.Total, first.Uncounted)
	}
	jobs[0].Cron = "" // A list does not change, and so nothing looks at it again.
	if warm := plan.Of(jobs, now); warm != first {
		t.Errorf("a warm look counted again: %+v", warm)
	}
}

// TestFiresOfAnotherList: what was answered last is the answer for that list and that
// quarter of an hour only.
func TestFiresOfAnotherList(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 12, 7, 0, 0, time.UTC)
	one := []statistics.Job{{Cron: "0 0/5 * * * ?", TimeZone: "GMT+0", Servers: 1}}
	two := []statistics.Job{{Cron: "0 30 18 * * ?", TimeZone: "GMT+0", Servers: 1}}
	var plan FirePlan
	for _, want := range []struct {
		jobs  []statistics.Job
		after time.Duration
		total int
	}{{one, 0, 24 * 12}, {two, 0, 1}, {two, time.Minute, 1}, {nil, 0, 0}, {one, 0, 24 * 12}, {one, FireStep, 24 * 12}} {
		at := now.Add(want.after)
		if f := plan.Of(want.jobs, at); f.Total != want.total || !f.From.Equal(at.Truncate(FireStep)) {
			t.Errorf("after %v: %d fires from %v, want %d", want.after, f.Total, f.From, want.total)
		}
	}
}
