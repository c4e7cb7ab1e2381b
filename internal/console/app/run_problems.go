package app

import (
	"errors"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// NoSuchRequest is the answer about a requested run that the registry does not have.
func NoSuchRequest(job, id string) *Problem {
	return Problem{Kind: KindNotFound, Code: "no_run", GoTo: RequestedPath(job), GoToLabel: i18n.Lang.RequestBack}.Said(func(l i18n.Lang) (string, string) {
		return l.RequestNoRun(view.Clip(job, 100), view.Clip(id, 60)), l.RequestNoRunHint()
	})
}

// RequestedPath is the page of the runs of a job that were requested, or below it.
func RequestedPath(job string, more ...string) string {
	return JobPath("/jobs", job, append([]string{"requested-runs"}, more...)...)
}

// BackfillPath is the page of the backfills of a job, or below it.
func BackfillPath(job string, more ...string) string {
	return JobPath("/jobs", job, append([]string{Backfill.Verb}, more...)...)
}

// NoSuchBackfill is the answer about a backfill that the registry does not have.
func NoSuchBackfill(job, id string) *Problem {
	return Problem{Kind: KindNotFound, Code: "no_backfill", GoTo: BackfillPath(job), GoToLabel: i18n.Lang.BackfillBack}.Said(func(l i18n.Lang) (string, string) {
		return l.BackfillNone(view.Clip(job, 100), view.Clip(id, 60)), l.BackfillNoneHint()
	})
}

// runErrors are the errors about requested runs, with their answers.
var runErrors = []struct {
	err     error
	kind    kind
	code    string
	message func(i18n.Lang, string) string
	hint    func(i18n.Lang) string
}{
	{jobrun.ErrBackfilling, KindConflict, "backfilling", i18n.Lang.BackfillRefusedNow, i18n.Lang.BackfillRefusedNowHint},
	{jobrun.ErrParams, KindInvalid, "params", i18n.Lang.RequestParams, i18n.Lang.RequestParamsHint},
	{jobrun.ErrTooLarge, KindTooLarge, "too_large", i18n.Lang.RequestTooLarge, i18n.Lang.RequestTooLargeHint},
	{jobrun.ErrOptions, KindInvalid, "invalid", i18n.Lang.RequestOptions, i18n.Lang.RequestOptionsHint},
	{jobrun.ErrQueueFull, KindTooMany, "queue_full", i18n.Lang.RequestFull, i18n.Lang.RefusalQueueFull},
	{jobrun.ErrKeyInUse, KindConflict, "key_in_use", i18n.Lang.RequestKey, i18n.Lang.RequestKeyHint},
	{jobrun.ErrNotGo, KindConflict, "not_go", i18n.Lang.RequestNotGo, i18n.Lang.RefusalNotGo},
	{jobrun.ErrHeld, KindConflict, "held", i18n.Lang.HoldRefused, i18n.Lang.HoldRefusedHint},
	{jobrun.ErrNoSchedule, KindConflict, "no_schedule", i18n.Lang.BackfillNoSchedule, i18n.Lang.BackfillNoScheduleHint},
	{jobrun.ErrNotScheduled, KindConflict, "not_scheduled", i18n.Lang.RequestEnded, i18n.Lang.RequestEndedHint},
	{jobrun.ErrRunEnded, KindConflict, "ended", i18n.Lang.RequestEnded, i18n.Lang.RequestEndedHint},
}

// runProblem is the answer about an error of a requested run; nil for an error that every action can have.
func runProblem(t Target, err error) *Problem {
	switch {
	case errors.Is(err, jobrun.ErrUnknownRun):
		return NoSuchRequest(t.Job, t.Run)
	case errors.Is(err, jobrun.ErrUnknownBackfill):
		return NoSuchBackfill(t.Job, t.Run)
	}
	for _, known := range runErrors {
		if !errors.Is(err, known.err) {
			continue
		}
		p := Problem{Kind: known.kind, Code: known.code, Cause: err, GoTo: RequestedPath(t.Job), GoToLabel: i18n.Lang.RequestBack}
		switch known.code {
		case "backfilling":
			p.GoTo, p.GoToLabel = BackfillPath(t.Job), i18n.Lang.BackfillBack
		case "held", "no_schedule":
			p.GoTo, p.GoToLabel = JobPath("/jobs", t.Job), i18n.Lang.HoldBack
		case "params", "too_large":
			p.Fields = paramFields(err)
		case "invalid":
			p.Fields = []FieldBody{optionField(Because(err))}
		case "queue_full":
			p.Retry = RunQueueFullRetry
		}
		return p.Said(func(l i18n.Lang) (string, string) { return known.message(l, Because(err)), known.hint(l) })
	}
	return nil
}

// mostFields is how many fields an answer names.
const mostFields = 50

// paramFields are the problems of parameters, without their values, which may be secrets.
func paramFields(err error) []FieldBody {
	listed, ok := errors.AsType[*jobrun.ParamsError](err)
	if !ok {
		return []FieldBody{{Field: "params", Want: strings.TrimSuffix(Because(err), ".")}}
	}
	var list []FieldBody
	for _, p := range listed.Problems[:min(mostFields, len(listed.Problems))] {
		f := FieldBody{Field: "params", Want: p.Text}
		if p.Path != "" {
			f.Field += "." + view.Clip(p.Path, 200)
		}
		list = append(list, f)
	}
	return list
}

// optionField is what is wrong with another part of a request: "Delay: -5s is negative".
func optionField(text string) FieldBody {
	text = strings.TrimSuffix(text, ".")
	name, want, named := strings.Cut(text, ": ")
	switch {
	case !named && strings.Contains(text, " fire times; "):
		return FieldBody{Field: "from", Want: text}
	case !named:
		return FieldBody{Field: "delay", Want: text} // Delay and NotBefore exclude each other
	case name == "Key":
		return FieldBody{Field: "Idempotency-Key", Want: want}
	case name == "Key and Note":
		name = "Note"
	}
	return FieldBody{Field: strings.ToLower(name[:1]) + name[1:], Want: want}
}
