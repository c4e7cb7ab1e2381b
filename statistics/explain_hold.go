package statistics

import (
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

func (d *diagnosis) judgeHold() {
	if d.unheard.exists {
		d.found(Finding{
			Code: CodeHoldUnheard, Effect: EffectNothing, Since: d.unheard.began(),
			Sentence: "The node of a hold was made by hand, and agents don't look at it: nothing is held.",
			Advice:   "Delete the node. To hold the job, use the console or the command line.",
		}, d.unheard)
	}
	if !d.held.exists {
		return
	}
	stored := jobtree.DecodeHold([]byte(d.held.data))
	hold := stored.Shown()
	f := Finding{
		Code: CodeHeld, Effect: EffectJob, Hold: hold, Since: d.held.stat.Mtime,
		Sentence: fmt.Sprintf("The job is held by %s: %s.", hold.By, d.holds(hold.What)),
		Advice:   "Release the job. Fire times that passed meanwhile are not made up for; what a person asks for runs all the same.",
	}
	fires, java := stored.Schedule() && d.decoded != nil && d.decoded.Cron != "", d.javaAgents()
	switch onlyJava := len(java) > 0 && len(java) == len(d.instanceIDs); {
	case fires && onlyJava:
		f.Effect, f.Sentence = EffectNothing, fmt.Sprintf("The job is held by %s.", hold.By)
		f.Advice = "Release the job, and disable it instead."
	case !fires:
		f.Effect = EffectNothing
	case len(java) > 0 && d.configErr == nil:
		f.Effect, f.Items = EffectShards, d.notOwnedBy(java)
	}
	if hold.Reason != "" {
		f.Sentence += " The reason: " + hold.Reason + "."
	}
	if len(java) > 0 && fires {
		f.Sentence += fmt.Sprintf(" Java agents do not know of a hold and fire: %s.", list(java))
	}
	d.found(f, d.held)
}

// notOwnedBy returns the shards that none of these instances owns.
func (d *diagnosis) notOwnedBy(ids []string) (items []int) {
	for n, owner := range d.assigned() {
		if !slices.Contains(ids, owner) {
			items = append(items, n)
		}
	}
	return items
}

// holds returns the effect of a hold for a sentence.
func (d *diagnosis) holds(what jobrun.Held) string {
	switch {
	case d.decoded == nil || d.decoded.Cron != "":
		return heldWords[what]
	case what == jobrun.HeldSchedule:
		return "it has no schedule, so nothing waits"
	}
	return heldWords[jobrun.HeldRequests]
}

var heldWords = map[jobrun.Held]string{
	jobrun.HeldSchedule: "its fire times pass without a run",
	jobrun.HeldRequests: "requested runs that no person asked for wait",
	jobrun.HeldAll:      "its fire times pass without a run, and requested runs that no person asked for wait",
}
