package statistics

import (
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// judgeRunProps names the properties about requested runs that are wrong. The job fires all
// the same, and its runs are made as if they were absent.
func (d *diagnosis) judgeRunProps() {
	if d.generation() == jobconfig.Generation2x { // It takes no requested runs.
		return
	}
	_, problems := runs.SettingsOf(d.decoded)
	for _, err := range problems {
		p, ok := errors.AsType[*jobconfig.FieldError](err)
		if !ok {
			continue
		}
		consequence := "Its default counts in its place."
		if p.Field == "props."+runs.PropAssign && p.Value == string(jobrun.AssignOne) { // It is fine, and does not fit the job.
			consequence = "It counts all the same."
		}
		d.found(Finding{
			Code: CodeRunPropertyWrong, Effect: EffectNothing, Field: p.Field, Value: p.Value, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("%v. %s", err, consequence),
			Advice:   fmt.Sprintf("Correct %s; agents follow at once.", p.Field),
		}, d.config)
	}
}

// waitsLong is how long a run may wait for an agent to take it before that is worth a word.
const waitsLong = 10 * time.Second

// judgeWait names the first requested run on which no handler works, and the reason.
func (d *diagnosis) judgeWait() {
	w := d.oldest.Wait
	if !d.waits || (w.Code == jobrun.WaitAgent || w.Code == jobrun.WaitNode) && d.now.Sub(d.oldest.Due) < waitsLong {
		return
	}
	worked := !d.oldest.Began.IsZero() && d.oldest.State == jobrun.Running // Since when it waits isn't known.
	if worked && w.Code == jobrun.WaitAgent {
		return
	}
	f := Finding{
		Code: CodeRunWaits, Effect: EffectNothing, Run: d.oldest.ID, Wait: w,
		Sentence: fmt.Sprintf("Run %s waits. %s", jobtree.Shown(d.oldest.ID), w.Sentence), Advice: w.Remedy,
	}
	if w.Code != jobrun.WaitTime && !worked {
		f.Since = d.oldest.Due
	}
	d.found(f, node{path: w.Node})
}
