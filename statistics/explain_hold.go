package statistics

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// judgeHold looks whether somebody has the job stand still.
func (d *diagnosis) judgeHold() {
	if !d.held.exists {
		return
	}
	stored := jobtree.DecodeHold([]byte(d.held.data))
	hold := stored.Shown()
	f := Finding{
		Code: CodeHeld, Effect: EffectJob, Hold: hold, Since: d.held.stat.Mtime,
		Sentence: fmt.Sprintf("The job is held by %s: %s.", hold.By, heldWords[hold.What]),
		Advice:   "Release the job. Fire times that passed meanwhile are not made up for; what a person asks for runs all the same.",
	}
	fires := stored.Schedule() && d.decoded != nil && d.decoded.Cron != ""
	if !fires {
		f.Effect = EffectNothing
	}
	if hold.Reason != "" {
		f.Sentence += " The reason: " + hold.Reason + "."
	}
	if java := d.javaAgents(); len(java) > 0 && fires {
		f.Sentence += fmt.Sprintf(" Java agents do not know of a hold and fire: %s.", list(java))
	}
	d.found(f, d.held)
}

var heldWords = map[string]string{
	jobtree.HoldSchedule: "its fire times pass without a run",
	jobtree.HoldRequests: "requested runs that no person asked for wait",
	jobtree.HoldAll:      "its fire times pass without a run, and requested runs that no person asked for wait",
}
