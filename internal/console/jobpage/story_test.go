package jobpage

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestStoryOfAFailoverThatIsLost: an instance leaves that ran a shard of another as a
// failover, and had none of its own. The tree has the instance that runs the shard now
// and, after that run, its execution. Until then the page names the instances that may run it.
func TestStoryOfAFailoverThatIsLost(t *testing.T) {
	t.Parallel()
	const owner, victim, taker = "10.0.0.1@-@7", "10.0.0.2@-@8", "10.0.0.3@-@9"
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	execution := func(instance string, start time.Time, trigger tracing.Trigger) tracing.Execution {
		return tracing.Execution{TaskID: "mail@-@1@-@READY@-@" + instance, Item: 1, StartTime: start, Trigger: trigger}
	}
	events := []members.Event{{At: at, Kind: members.Left, Job: "mail", Instance: victim}}
	lost := execution(victim, at.Add(-time.Minute), tracing.TriggerFailover)
	lost.Lost = true
	job := func(shard statistics.Shard) statistics.JobDetail {
		shard.Item, shard.Instance = 1, owner
		d := statistics.JobDetail{Job: statistics.Job{Name: "mail", Failover: true}, Shards: []statistics.Shard{{Item: 0, Instance: owner}, shard}}
		for _, id := range []string{owner, taker} {
			d.Instances = append(d.Instances, statistics.Instance{ID: id, Enabled: true})
		}
		return d
	}
	const left = victim + " left at 12:00:00 UTC while it ran shard 1. "
	for name, tt := range map[string]struct {
		shard statistics.Shard
		runs  []tracing.Execution
		want  string
	}{
		"it waits": {
			statistics.Shard{Lost: true}, []tracing.Execution{lost},
			left + "Shard 1: lost. Failover waits for the first instance that is free: " + owner + ", " + taker + ".",
		},
		"it runs": {
			statistics.Shard{Failover: taker, RunningOn: taker, RunningSince: at.Add(2 * time.Second)}, []tracing.Execution{lost},
			left + taker + " runs shard 1 since 12:00:02 UTC, failed over after 2.0 s.",
		},
		"it ran": {
			statistics.Shard{}, []tracing.Execution{execution(taker, at.Add(3*time.Second), tracing.TriggerFailover), lost},
			left + taker + " runs shard 1 since 12:00:03 UTC, failed over after 3.0 s.",
		},
		"its owner runs it by the schedule": {
			statistics.Shard{RunningOn: owner, RunningSince: at.Add(time.Minute)}, []tracing.Execution{execution(owner, at.Add(time.Minute), tracing.TriggerSchedule), lost},
			strings.TrimSpace(left),
		},
	} {
		story := storyOf(i18n.English, job(tt.shard), health.Health{}, EventsOf(job(tt.shard), events, tt.runs), nil, at.Add(2*time.Minute))
		if diff := cmp.Diff(tt.want, strings.Join(story.Lines, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestW29StoryEnds: a job's pages show that an instance left until every shard has a live owner
// and a run that began afterwards has ended, however long that takes.
func TestW29StoryEnds(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	events := []members.Event{
		{At: at.Add(2 * time.Second), Kind: members.Assigned, Job: "mail", Instance: "10.0.0.1@-@7", Shards: []int{1}, From: "10.0.0.2@-@8"},
		{At: at, Kind: members.Left, Job: "mail", Instance: "10.0.0.2@-@8", Shards: []int{1}},
	}
	state := func(state explain.State, known bool, lastBegan time.Duration) health.Health {
		return health.Health{Judgement: explain.Judgement{State: state, Known: known, Runs: &explain.Digest{EndedStart: at.Add(lastBegan)}}}
	}
	for name, tt := range map[string]struct {
		job   statistics.Job
		h     health.Health
		age   time.Duration
		tells bool
	}{
		"the next run has yet to end": {statistics.Job{}, state(explain.Healthy, true, -time.Minute), 20 * time.Hour, true},
		"it has ended":                {statistics.Job{}, state(explain.Healthy, true, time.Second), 10 * time.Second, false},
		"a shard has no owner":        {statistics.Job{UnassignedShards: 1}, state(explain.Resharding, true, time.Second), 20 * time.Hour, true},
		"a shard is lost":             {statistics.Job{LostShards: 1}, state(explain.Failing, true, time.Second), 20 * time.Hour, true},
		"no schedule":                 {statistics.Job{OneOff: true}, state(explain.Healthy, true, -time.Minute), time.Second, false},
		"held":                        {statistics.Job{}, state(explain.Held, true, -time.Minute), time.Second, false},
		"no history, a moment ago":    {statistics.Job{}, state(explain.Unknown, false, -time.Minute), time.Minute, true},
		"no history, some time ago":   {statistics.Job{}, state(explain.Unknown, false, -time.Minute), time.Hour, false},
	} {
		story := storyOf(i18n.English, statistics.JobDetail{Job: tt.job}, tt.h, events, nil, at.Add(tt.age))
		if got := len(story.Lines) > 0; got != tt.tells {
			t.Errorf("%s: the page says %q", name, story.Lines)
		}
	}
}
