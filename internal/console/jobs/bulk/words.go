package bulk

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// words are the words of an action on several jobs.
type words struct {
	tone                             ui.Tone
	label, how                       func(i18n.Lang) string
	one                              func(l i18n.Lang, job string) string
	many, will, already, sum, submit func(l i18n.Lang, n int) string
	targets, done                    func(l i18n.Lang, n int) string
	effects                          []func(i18n.Lang) string
}

// actions are the actions of the page, in the order of the buttons.
var actions = []app.Action{app.Trigger, app.Disable, app.Enable, app.Hold, app.Release, app.CancelWaiting, app.Label}

// Buttons are the actions that the user may carry out on several jobs.
func Buttons(c *gin.Context, l i18n.Lang) (list []jobs.BulkButton) {
	for _, o := range actions {
		if app.May(c, o.Needs) {
			list = append(list, jobs.BulkButton{Verb: o.Verb, Label: wordsOf[o.Verb].label(l)})
		}
	}
	return list
}

var wordsOf = map[string]words{
	app.Trigger.Verb: {
		tone: ui.ToneRun, label: i18n.Lang.BulkTrigger, how: i18n.Lang.BulkSkipTrigger, one: i18n.Lang.BulkTriggerOne, many: i18n.Lang.BulkTriggerMany, will: i18n.Lang.BulkWillTrigger,
		sum: i18n.Lang.BulkAsks, submit: i18n.Lang.BulkSubmitTrigger, targets: i18n.Lang.BulkOnInstances, done: i18n.Lang.BulkDoneTrigger,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectTrigger},
	},
	app.Disable.Verb: {
		tone: ui.ToneOff, label: i18n.Lang.BulkDisable, how: i18n.Lang.BulkSkipDisable, one: i18n.Lang.BulkDisableOne, many: i18n.Lang.BulkDisableMany, will: i18n.Lang.BulkWillDisable,
		already: i18n.Lang.BulkAlreadyDisable, sum: i18n.Lang.BulkWrites, submit: i18n.Lang.BulkSubmitDisable, targets: i18n.Lang.BulkOnServers, done: i18n.Lang.BulkDoneDisable,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectDisable, i18n.Lang.BulkEffectRestart},
	},
	app.Enable.Verb: {
		tone: ui.ToneOK, label: i18n.Lang.BulkEnable, how: i18n.Lang.BulkSkipEnable, one: i18n.Lang.BulkEnableOne, many: i18n.Lang.BulkEnableMany, will: i18n.Lang.BulkWillEnable,
		already: i18n.Lang.BulkAlreadyEnable, sum: i18n.Lang.BulkWrites, submit: i18n.Lang.BulkSubmitEnable, targets: i18n.Lang.BulkOnServers, done: i18n.Lang.BulkDoneEnable,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectEnable},
	},
	app.Label.Verb: {
		tone: ui.ToneOK, label: i18n.Lang.BulkLabel, how: i18n.Lang.BulkSkipLabel, one: i18n.Lang.BulkLabelOne, many: i18n.Lang.BulkLabelMany, will: i18n.Lang.BulkWillLabel,
		already: i18n.Lang.BulkAlreadyLabel, sum: i18n.Lang.BulkWritesConfigs, submit: i18n.Lang.BulkSubmitLabel, done: i18n.Lang.BulkDoneLabel,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectLabel},
	},
	app.Hold.Verb: {
		tone: ui.ToneOff, label: i18n.Lang.BulkHold, how: i18n.Lang.BulkSkipHold, one: i18n.Lang.BulkHoldOne, many: i18n.Lang.BulkHoldMany, will: i18n.Lang.BulkWillHold,
		already: i18n.Lang.BulkAlreadyHold, sum: i18n.Lang.BulkHolds, submit: i18n.Lang.BulkSubmitHold, done: i18n.Lang.BulkDoneHold,
		effects: []func(i18n.Lang) string{i18n.Lang.HoldEffectRuns, i18n.Lang.HoldEffectPerson, i18n.Lang.HoldEffectAfter, i18n.Lang.HoldEffectJava},
	},
	app.Release.Verb: {
		tone: ui.ToneOK, label: i18n.Lang.BulkRelease, how: i18n.Lang.BulkSkipRelease, one: i18n.Lang.BulkReleaseOne, many: i18n.Lang.BulkReleaseMany, will: i18n.Lang.BulkWillRelease,
		already: i18n.Lang.BulkAlreadyRelease, sum: i18n.Lang.BulkReleases, submit: i18n.Lang.BulkSubmitRelease, done: i18n.Lang.BulkDoneRelease,
		effects: []func(i18n.Lang) string{i18n.Lang.HoldEffectAfter},
	},
	app.CancelWaiting.Verb: {
		tone: ui.ToneOK, label: i18n.Lang.BulkCancelWaiting, how: i18n.Lang.BulkSkipCancel, one: i18n.Lang.BulkCancelOne, many: i18n.Lang.BulkCancelMany, will: i18n.Lang.BulkWillCancel,
		already: i18n.Lang.BulkAlreadyCancel, sum: i18n.Lang.BulkCancels, submit: i18n.Lang.BulkSubmitCancel, targets: i18n.Lang.BulkOnRuns, done: i18n.Lang.BulkDoneCancel,
		effects: []func(i18n.Lang) string{func(l i18n.Lang) string { return l.BulkEffectCancel(maxCancelled) }},
	},
	// Changes of shards, for the page of their outcome.
	shardsDisabled: {tone: ui.ToneOff, label: i18n.Lang.BulkDisable, how: i18n.Lang.BulkSkipDisable, done: i18n.Lang.ShardsChangedDisable},
	shardsEnabled:  {tone: ui.ToneOK, label: i18n.Lang.BulkEnable, how: i18n.Lang.BulkSkipEnable, done: i18n.Lang.ShardsChangedEnable},
}

// counts are the numbers of jobs or shards that an action changes, leaves as they are or can't change, and of
// the servers or instances that it reaches.
type counts struct{ will, already, cannot, targets int }

// row adds the outcome of a job or shard to a row: it was refused for a reason, is as asked already, or n of
// its servers or instances are changed. It reports whether it is changed.
func (sum *counts) row(l i18n.Lang, w words, row *jobs.BulkRow, refused string, n int) bool {
	switch {
	case refused != "":
		sum.cannot++
		row.Tone, row.What, row.Note, row.Quiet = ui.ToneWarn, l.BulkImpossible(), refused, true
		return false
	case n == 0:
		sum.already++
		row.Tone, row.What, row.How, row.Quiet = ui.ToneSkip, l.BulkSkip(), w.how(l), true
		return false
	}
	sum.will++
	sum.targets += n
	row.Tone, row.What = w.tone, w.label(l)
	if w.targets != nil {
		row.How = w.targets(l, n)
	}
	return true
}

// preview are the counts above the question.
func (sum counts) preview(l i18n.Lang, w words) []jobs.BulkCount {
	list := []jobs.BulkCount{{N: view.Thousands(sum.will), Text: w.will(l, sum.will), Tone: w.tone}}
	if w.already != nil {
		list = append(list, jobs.BulkCount{N: view.Thousands(sum.already), Text: w.already(l, sum.already), Tone: ui.ToneQuiet})
	}
	return append(list, jobs.BulkCount{N: view.Thousands(sum.cannot), Text: l.BulkCannot(), Tone: ui.ToneWarn})
}

// refusal is why an action was refused; empty if it was not.
func (r result) refusal(l i18n.Lang) string {
	if r.refused == nil {
		return ""
	}
	return pageui.ProblemText(l, r.refused)
}

// flashOf is the message about the outcome of an action: the lines have the jobs that refused it, or that
// already were as asked (how), by their names.
func flashOf(l i18n.Lang, results []result, how string, name func(i int) string) (f ui.Flash, done int) {
	for i, r := range results {
		switch {
		case r.refused != nil:
			f.Tone = ui.ToneWarn
			f.Lines = append(f.Lines, name(i)+": "+r.refusal(l))
		case how != "" && len(r.Affected) == 0:
			f.Lines = append(f.Lines, name(i)+": "+how)
		default:
			done++
		}
	}
	return f, done
}
