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

// judgeRunProps adds findings about invalid properties for requested runs. The job still fires, and
// its requested runs use the defaults.
func (d *diagnosis) judgeRunProps() {
	if d.generation() == jobconfig.Generation2x { // 2.x has no requested runs.
		return
	}
	_, problems := runs.SettingsOf(d.decoded)
	for _, err := range problems {
		p, ok := errors.AsType[*jobconfig.FieldError](err)
		if !ok {
			continue
		}
		consequence := "Its default counts in its place."
		// This value is valid, although it doesn't suit the job.
		if p.Field == "props."+runs.PropAssign && p.Value == string(jobrun.AssignOne) {
			consequence = "It counts all the same."
		}
		d.found(Finding{
			Code: CodeRunPropertyWrong, Effect: EffectNothing, Field: p.Field, Value: p.Value, Since: d.config.stat.Mtime,
			Sentence: fmt.Sprintf("%v. %s", err, consequence),
			Advice:   fmt.Sprintf("Correct %s; agents follow at once.", p.Field),
		}, d.config)
	}
}

// waitsLong is how long a run should wait for an agent before we report it.
const waitsLong = 10 * time.Second

// judgeWait adds a finding about the first requested run that no handler works on.
func (d *diagnosis) judgeWait() {
	w := d.oldest.Wait
	if !d.waits || (w.Code == jobrun.WaitAgent || w.Code == jobrun.WaitNode) && d.now.Sub(d.oldest.Due) < waitsLong {
		return
	}
	worked := !d.oldest.Began.IsZero() && d.oldest.State == jobrun.Running // We don't know since when it waits.
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
