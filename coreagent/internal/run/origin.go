package run

import (
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// origin says for a history to which run of the job a batch belongs, and why. The
// instances agree on it without asking each other: by the fire time, or by the
// transaction that placed a trigger, which an operator places for all of them at once.
type origin struct {
	id      string
	trigger tracing.Trigger
	fire    time.Time // zero if the run stands for no fire time
}

// runIDLayout writes a fire time as the id of its run.
const runIDLayout = "20060102T150405Z"

// originOf returns the origin of a batch whose handlers are about to begin. A missed
// fire time that is made up for, and what is failed over, belong to the run of
// their fire time, as far as anybody knows it.
func (b *batch) originOf() origin {
	if b.claim != nil {
		return claimOrigin(b.claim.Record)
	}
	o := origin{trigger: tracing.TriggerSchedule, fire: b.at}
	switch b.kind {
	case fireTime:
	case misfired:
		o.trigger = tracing.TriggerMisfire
	case failedOver:
		if o.trigger = tracing.TriggerFailover; !b.fires() {
			o.fire = time.Time{}
		}
	case trigger, claimed, slotted:
		o.trigger, o.fire = tracing.TriggerManual, time.Time{}
	}
	switch {
	case b.placed != 0:
		o.id = "t" + strconv.FormatInt(b.placed, 16)
	case o.fire.IsZero() || b.view.Schedule == nil: // Nothing says for which run it is.
		o.id, o.fire = string(o.trigger)+"-"+strconv.FormatInt(b.at.UnixMilli(), 16), time.Time{}
	default:
		o.id = o.fire.UTC().Format(runIDLayout)
	}
	return o
}

// claimOrigin is the origin of a requested run.
func claimOrigin(r jobtree.RunRecord) origin {
	o := origin{id: r.ID, trigger: tracing.TriggerManual}
	switch {
	case r.By.Kind == "code", r.By.Kind == "api" && !r.Manual:
		o.trigger = tracing.TriggerAPI
	case r.By.Kind == runs.ByRetry:
		o.trigger = tracing.TriggerRetry
	}
	if r.Fire != 0 {
		o.fire = time.UnixMilli(r.Fire)
	}
	return o
}

// runInfo is the run of a batch as handlers see it.
func (b *batch) runInfo() core.RunInfo {
	if b.claim == nil {
		return core.RunInfo{ID: b.origin.id, Attempt: 1}
	}
	return core.Requested(b.claim.Record.RunRequest)
}

// attempt counts the attempts of a run from 1.
func (b *batch) attempt() int {
	if b.claim == nil {
		return 1
	}
	return b.claim.Record.Attempt
}
