package query

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// selectAt is a moment at which jobs are selected.
var selectAt = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// drawJobs are up to some jobs with their digests, by name or in any order.
func drawJobs(rt *rapid.T) (jobs []statistics.Job, digests []*explain.Digest) {
	n := rapid.IntRange(0, 30).Draw(rt, "jobs")
	for i := range n {
		jobs = append(jobs, statistics.Job{
			Name:   fmt.Sprintf("job-%02d", i),
			Status: rapid.SampledFrom(JobStatuses).Draw(rt, "status"),
			Cron:   rapid.SampledFrom([]string{"0/5 * * * * ?", "0 0 * * * ?", "x", ""}).Draw(rt, "cron"),
			Label:  rapid.SampledFrom([]string{"pay", "mail"}).Draw(rt, "label"),
			Shards: rapid.IntRange(1, 3).Draw(rt, "shards"), Instances: rapid.IntRange(0, 2).Draw(rt, "instances"),
			RunningShards: rapid.IntRange(0, 1).Draw(rt, "running"), TimeZone: "GMT", Servers: 1,
			Held: jobrun.Hold{What: rapid.SampledFrom([]jobrun.Held{"", "", jobrun.HeldSchedule, jobrun.HeldRequests}).Draw(rt, "held")},
		})
		d := &explain.Digest{}
		if rapid.Bool().Draw(rt, "ran") {
			d.LastStart = selectAt.Add(-time.Duration(rapid.IntRange(1, 5).Draw(rt, "ago")) * time.Minute)
		}
		if rapid.Bool().Draw(rt, "failed") {
			d.Failed = []int{0}
		}
		digests = append(digests, d)
	}
	if rapid.Bool().Draw(rt, "by name") {
		return jobs, digests
	}
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	order := rapid.Permutation(places).Draw(rt, "order")
	other := slices.Clone(jobs)
	mixed := slices.Clone(digests)
	for to, from := range order {
		other[to], mixed[to] = jobs[from], digests[from]
	}
	return other, mixed
}

// plainly selects as the list is documented: job by job, and then sorted as a whole.
func plainly(q Jobs, jobs []statistics.Job, digests []*explain.Digest) (names []string, states map[explain.State]int, all int) {
	type row struct {
		j     *statistics.Job
		d     *explain.Digest
		state explain.State
		plan  view.Plan
	}
	var rows []row
	states = make(map[explain.State]int)
	filter := q.terms()
	for i := range jobs {
		r := row{&jobs[i], digests[i], explain.StateOf(explain.Evidence{Job: &jobs[i], Runs: digests[i], Known: true, Now: selectAt}), view.PlanOf(jobs[i], selectAt, 1)}
		never := explain.Evidence{Job: r.j, Runs: r.d, Known: true}.NeverRan()
		if !filter.match(&PlannedJob{Job: r.j, Digest: r.d, State: r.state, NeverRan: never}, Seen{}, selectAt) {
			continue
		}
		all++
		states[r.state]++
		if never {
			states[NeverRan]++
		}
		held := r.j.Held.What != ""
		if held {
			states[Held]++
		}
		if (q.Status == "" || r.j.Status == q.Status) && (q.State == "" || r.state == q.State || q.State == NeverRan && never || q.State == Held && held) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row) int {
		order := map[string]int{
			"name":      cmp.Compare(a.j.Name, b.j.Name),
			"status":    cmp.Compare(slices.Index(JobStatuses, a.j.Status), slices.Index(JobStatuses, b.j.Status)),
			"next":      a.plan.Compare(b.plan),
			"shards":    cmp.Compare(a.j.Shards, b.j.Shards),
			"instances": cmp.Compare(a.j.Instances, b.j.Instances),
			"state":     cmp.Compare(a.state.Rank(), b.state.Rank()),
			"last":      b.d.LastStart.Compare(a.d.LastStart),
		}[q.Sort]
		if q.Descending {
			order = -order
		}
		return cmp.Or(order, cmp.Compare(a.j.Name, b.j.Name))
	})
	for _, r := range rows {
		names = append(names, r.j.Name)
	}
	return names, states, all
}

// TestSelectAsPlainly: what is kept for all who ask about a list answers as one would
// who looks at each job.
func TestSelectAsPlainly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		jobs, digests := drawJobs(rt)
		standing := NewStanding(NewListing(jobs), digests, explain.Evidence{Known: true, Now: selectAt})
		seen := Seen{Standing: standing, Health: func(*statistics.Job, *explain.Digest) health.Health { return health.Health{} }}
		for range 3 { // One standing serves many.
			q := Jobs{
				Text:       rapid.SampledFrom([]string{"", "", "job-1", "label:pay", "state:held", "last:failed", "ran:<3m"}).Draw(rt, "q"),
				Status:     rapid.SampledFrom(append([]statistics.Status{"", ""}, JobStatuses...)).Draw(rt, "of status"),
				State:      rapid.SampledFrom([]explain.State{"", "", explain.Failing, explain.Running, NeverRan, Held}).Draw(rt, "of state"),
				Sort:       rapid.SampledFrom(JobSorts).Draw(rt, "sort"),
				Descending: rapid.Bool().Draw(rt, "descending"), Page: rapid.IntRange(1, 3).Draw(rt, "page"), Size: rapid.IntRange(1, 12).Draw(rt, "size"),
				forPage: true,
			}
			want, states, all := plainly(q, jobs, digests)
			got := q.Select(jobs, selectAt, seen)
			var names []string
			for _, j := range got.Rows {
				names = append(names, j.Name)
			}
			if from := got.First - 1; got.Total != len(want) || got.All != all || !slices.Equal(names, want[from:min(from+q.Size, len(want))]) {
				rt.Fatalf("%+v: %v of %d, want %v", q, names, got.Total, want)
			}
			for _, state := range jobStates {
				if got.States[state] != states[state] {
					rt.Fatalf("%+v: %d are %s, want %d", q, got.States[state], state, states[state])
				}
			}
			if found := seen.DigestOf("job-00"); len(jobs) > 0 && found != digests[slices.IndexFunc(jobs, func(j statistics.Job) bool { return j.Name == "job-00" })] {
				rt.Fatal("another digest")
			}
		}
	})
}

// TestAPlanIsKeptUntilItsFirePasses: a list tells each time the next fire of now.
func TestAPlanIsKeptUntilItsFirePasses(t *testing.T) {
	t.Parallel()
	jobs := []statistics.Job{
		{Name: "a", Cron: "0 * * * * ?", TimeZone: "GMT", Status: statistics.StatusOK},
		{Name: "b", Cron: "0 * * * * ?", TimeZone: "GMT+8:00", Status: statistics.StatusOK},
		{Name: "c", Cron: "0 * * * * ?", TimeZone: "GMT", Status: statistics.StatusCrashed},
		{Name: "d", Cron: "0 0 0 1 1 ? 2020", TimeZone: "GMT", Status: statistics.StatusOK},
		{Name: "e", Cron: "0 * * * * ?", TimeZone: "GMT", Status: statistics.StatusOK, Held: jobrun.Hold{What: "schedule"}},
	}
	l := NewListing(jobs)
	for _, after := range []time.Duration{0, time.Second, 59 * time.Second, time.Minute, 61 * time.Second, -time.Hour, 0} {
		now := selectAt.Add(after)
		for i, p := range l.Plans(now) {
			want := view.PlanOf(jobs[i], now, 1)
			if !p.Next().Equal(want.Next()) || p.Why != want.Why || l.Plan(i, now) != p {
				t.Errorf("%s at %v: %v %q, want %v %q", jobs[i].Name, after, p.Next(), p.Why, want.Next(), want.Why)
			}
		}
	}
	if l.Plan(0, selectAt) == l.Plan(1, selectAt) || l.Plan(0, selectAt) == l.Plan(2, selectAt) || l.Plan(0, selectAt) == l.Plan(4, selectAt) {
		t.Error("jobs with other schedules have one plan")
	}
}
