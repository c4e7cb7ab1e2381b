package jobpage

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// storyAge is how long a job's page shows that an instance left if there is no history of
	// later runs.
	storyAge = 30 * time.Minute
	// storyLines is how many sentences it has at most.
	storyLines = 8
	// StoryEvents is how many events are looked at for it.
	StoryEvents = 200
	// storyNames is how many instances a sentence names at most.
	storyNames = 3
	// failoverSlack is how much earlier than the console other instances may notice that an instance
	// left, and fail its shards over.
	failoverSlack = 5 * time.Second
)

// EventsOf is the stream of events of a job that all its pages share, the newest first: the events
// that the console has seen, completed from the registry and the newest executions.
func EventsOf(job statistics.JobDetail, seen []members.Event, runs []tracing.Execution) (events []members.Event) {
	for _, e := range seen {
		if e.Kind == members.Left {
			e.Lost = lostWith(e, runs)
			events = append(events, failedOver(job, e, seen, runs)...)
		}
		events = append(events, e)
	}
	return events
}

// LastRunsIfLeft reads the newest executions of a job for [EventsOf], if an instance has left.
func LastRunsIfLeft(s *app.Console, c *gin.Context, job statistics.Job) []tracing.Execution {
	log := s.Members(c)
	if log == nil || !slices.ContainsFunc(log.Of(job.Name, StoryEvents), func(e members.Event) bool { return e.Kind == members.Left }) {
		return nil
	}
	runs, _ := s.ReadLastRuns(c, []string{job.Name}, pageui.LastExecutions(job))
	return runs[job.Name]
}

// storyOf describes the instances that left a job: the shards they were running, the instances
// that run these now, and the shards that still wait. It's empty once the job is well again. The
// events must be ordered with the newest first.
func storyOf(l i18n.Lang, job statistics.JobDetail, h health.Health, events []members.Event, departed []members.Departed, now time.Time) jobs.Story {
	var story jobs.Story
	from := slices.IndexFunc(events, func(e members.Event) bool { return e.Kind == members.Left && wellSince(job.Job, h, e.At, now) })
	if from < 0 {
		from = len(events)
	}
	if !slices.ContainsFunc(events[:from], func(e members.Event) bool { return e.Kind == members.Left }) {
		return story
	}
	for _, e := range slices.Backward(events[:from]) {
		if e.Kind != members.Joined {
			story.Lines = append(story.Lines, EventText(l, e, events))
		}
	}
	if over := len(story.Lines) - storyLines; over > 0 {
		story.Lines = story.Lines[over:]
	}
	if len(story.Lines) > 0 {
		story.Lines = append(story.Lines, openLines(l, job, departed)...)
	}
	return story
}

// wellSince reports whether a job is well again after an instance left: every shard has a live
// owner, and a run that began later has ended, if one is expected.
func wellSince(job statistics.Job, h health.Health, left, now time.Time) bool {
	switch {
	case job.UnassignedShards > 0 || job.LostShards > 0:
		return false
	case job.OneOff, h.State == explain.Held, h.State == explain.Disabled, h.State == explain.Ended:
		return true
	case !h.Known:
		return now.Sub(left) > storyAge
	}
	return h.Runs.EndedStart.After(left)
}

// failedOver are the failovers of shards that an instance was running when it left, but didn't own.
// Events are only about shards that it owned, so the tree and the executions have the new instance.
func failedOver(job statistics.JobDetail, left members.Event, events []members.Event, runs []tracing.Execution) (list []members.Event) {
	for _, item := range left.Lost {
		if slices.ContainsFunc(events, func(e members.Event) bool {
			return e.Kind == members.FailedOver && e.From == left.Instance && slices.Contains(e.Shards, item)
		}) {
			continue
		}
		over := members.Event{Kind: members.FailedOver, Job: job.Name, Shards: []int{item}, From: left.Instance}
		for _, s := range job.Shards {
			if s.Item == item && s.Failover != "" && s.Failover == s.RunningOn && s.Failover != left.Instance {
				over.Instance, over.At = s.Failover, s.RunningSince
			}
		}
		for _, r := range runs {
			parts, err := jobtree.ParseTaskID(r.TaskID)
			if over.Instance == "" && err == nil && r.Item == item && r.Trigger == tracing.TriggerFailover && r.StartTime.After(left.At.Add(-failoverSlack)) {
				over.Instance, over.At = parts.InstanceID(), r.StartTime
			}
		}
		if over.Instance != "" {
			list = append(list, over)
		}
	}
	return list
}

// openLines lists the shards that wait for an instance.
func openLines(l i18n.Lang, job statistics.JobDetail, departed []members.Departed) (lines []string) {
	var waiting, open []int
	who := freeToRun(l, job)
	for _, s := range job.Shards {
		if s.Lost && job.Failover && who != "" {
			waiting = append(waiting, s.Item)
		}
	}
	for _, g := range departed {
		open = append(open, g.Open...)
	}
	open = slices.DeleteFunc(open, func(item int) bool { return slices.Contains(waiting, item) })
	slices.Sort(open)
	if len(waiting) > 0 {
		lines = append(lines, l.MembersWaiting(SentenceStart(ShardsPhrase(l, waiting)), who))
	}
	if len(open) > 0 {
		lines = append(lines, l.MembersOpen(SentenceStart(ShardsPhrase(l, slices.Compact(open)))))
	}
	return lines
}

// freeToRun names the instances that may run shards of others; empty if there is none.
func freeToRun(l i18n.Lang, job statistics.JobDetail) string {
	var ids []string
	for _, i := range job.Instances {
		switch {
		case !i.Enabled:
		case len(ids) == storyNames:
			return l.List(ids) + " …"
		default:
			ids = append(ids, i.ID)
		}
	}
	return l.List(ids)
}

// lostWith are the shards that an instance was running when it left: by the registry,
// and by executions there that were lost.
func lostWith(e members.Event, runs []tracing.Execution) []int {
	lost := slices.Clone(e.Lost)
	for _, r := range runs {
		if r.Lost && !r.StartTime.After(e.At) && pageui.RanOn(r, e.Instance) && !slices.Contains(lost, r.Item) {
			lost = append(lost, r.Item)
		}
	}
	slices.Sort(lost)
	return lost
}

// ShardsPhrase names shards: shard 4, shards 4–6, 9.
func ShardsPhrase(l i18n.Lang, items []int) string {
	return l.MembersShardsOf(len(items), pageui.ShardRanges(l, items))
}

func SentenceStart(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:size]) + s[size:]
}

// EventText is an event as a sentence. The instance that its shards lost left in one of the events in
// among.
func EventText(l i18n.Lang, e members.Event, among []members.Event) string {
	at := e.At.UTC().Format("15:04:05 UTC")
	switch e.Kind {
	case members.Left:
		switch {
		case len(e.Lost) > 0:
			return l.MembersLost(e.Instance, at, ShardsPhrase(l, e.Lost))
		case len(e.Shards) > 0:
			return l.MembersLeftWith(e.Instance, at, ShardsPhrase(l, e.Shards))
		}
		return l.MembersLeft(e.Instance, at)
	case members.FailedOver:
		after := l.MembersWithin()
		for _, left := range among {
			if left.Kind == members.Left && left.Instance == e.From && !left.At.After(e.At) {
				after = pageui.Took(l, e.At.Sub(left.At))
				break
			}
		}
		return l.MembersFailedOver(e.Instance, ShardsPhrase(l, e.Shards), at, after)
	case members.Assigned:
		return l.MembersAssigned(e.Instance, ShardsPhrase(l, e.Shards), at)
	default:
		return l.MembersJoined(e.Instance, at)
	}
}

// EventTone is how an event looks.
func EventTone(e members.Event) ui.Tone {
	switch {
	case len(e.Lost) > 0:
		return ui.ToneLost
	case e.Kind == members.Left, e.Kind == members.FailedOver:
		return ui.ToneWarn
	case e.Kind == members.Assigned:
		return ui.ToneSkip
	}
	return ui.ToneOK
}

// Happened is an event as a line of a list.
func Happened(l i18n.Lang, e members.Event, among []members.Event) jobs.Happened {
	return jobs.Happened{At: view.DateTime(e.At), Tone: EventTone(e), Text: EventText(l, e, among), Kind: string(e.Kind)}
}
