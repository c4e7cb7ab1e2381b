package pages

import (
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// storyAge is how long a job's page tells of an instance that left.
	storyAge = 30 * time.Minute
	// storyLines is how many sentences it has at most.
	storyLines = 8
	// storyEvents is how many events are looked at for it.
	storyEvents = 200
)

// storyOf tells of the instances that left a job lately: who, when, what was lost,
// who runs it now, what is still open. The events are the newest first.
func storyOf(l i18n.Lang, events []members.Event, departed []members.Departed, runs []tracing.Execution, now time.Time) jobs.Story {
	var story jobs.Story
	from := slices.IndexFunc(events, func(e members.Event) bool { return now.Sub(e.At) > storyAge })
	if from < 0 {
		from = len(events)
	}
	for _, e := range slices.Backward(events[:from]) {
		if e.Kind == members.Joined {
			continue
		}
		if e.Kind == members.Left {
			e.Lost = lostWith(e, runs)
		}
		story.Lines = append(story.Lines, eventText(l, e, events))
	}
	if over := len(story.Lines) - storyLines; over > 0 {
		story.Lines = story.Lines[over:]
	}
	for _, g := range departed {
		if len(g.Open) > 0 && len(story.Lines) > 0 {
			story.Lines = append(story.Lines, l.MembersOpen(sentenceStart(shardsPhrase(l, g.Open))))
		}
	}
	return story
}

// lostWith are the shards that an instance was running when it left: by the registry,
// and by executions there that nobody ended.
func lostWith(e members.Event, runs []tracing.Execution) []int {
	lost := slices.Clone(e.Lost)
	for _, r := range runs {
		if r.CompleteTime.IsZero() && r.FailureCause == "" && !r.StartTime.After(e.At) && ranOn(r, e.Instance) && !slices.Contains(lost, r.Item) {
			lost = append(lost, r.Item)
		}
	}
	slices.Sort(lost)
	return lost
}

// ranOn reports whether an execution was that of an instance, by its task id.
func ranOn(r tracing.Execution, instance string) bool {
	parts, err := jobtree.ParseTaskID(r.TaskID)
	return err == nil && parts.InstanceID() == instance
}

// shardsPhrase names shards: shard 4, shards 4–6, 9.
func shardsPhrase(l i18n.Lang, items []int) string {
	return l.MembersShardsOf(len(items), itemRanges(l, items))
}

func sentenceStart(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// eventText says an event in a sentence; among are the events that tell when its
// shards lost their instance.
func eventText(l i18n.Lang, e members.Event, among []members.Event) string {
	at := e.At.UTC().Format("15:04:05 UTC")
	switch e.Kind {
	case members.Left:
		switch {
		case len(e.Lost) > 0:
			return l.MembersLost(e.Instance, at, shardsPhrase(l, e.Lost))
		case len(e.Shards) > 0:
			return l.MembersLeftWith(e.Instance, at, shardsPhrase(l, e.Shards))
		}
		return l.MembersLeft(e.Instance, at)
	case members.FailedOver:
		after := l.MembersWithin()
		for _, left := range among {
			if left.Kind == members.Left && left.Instance == e.From && !left.At.After(e.At) {
				after = tookIn(l, e.At.Sub(left.At))
				break
			}
		}
		return l.MembersFailedOver(e.Instance, shardsPhrase(l, e.Shards), at, after)
	case members.Assigned:
		return l.MembersAssigned(e.Instance, shardsPhrase(l, e.Shards), at)
	default:
		return l.MembersJoined(e.Instance, at)
	}
}

// eventTone is how an event looks.
func eventTone(e members.Event) ui.Tone {
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

// happenedOf is an event as a line of a list.
func happenedOf(l i18n.Lang, e members.Event, among []members.Event) jobs.Happened {
	return jobs.Happened{At: view.DateTime(e.At), Tone: eventTone(e), Text: eventText(l, e, among), Kind: string(e.Kind)}
}
