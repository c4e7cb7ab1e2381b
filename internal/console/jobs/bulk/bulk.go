package bulk

import (
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// service carries actions out on several jobs or shards, for the pages and the REST interface.
type service struct{ *app.Console }

// bulk is one action on several jobs.
type bulk struct {
	action app.Action
	jobs   []string
	// reason is for the audit; at most [app.MaxReason] characters.
	reason string
	// preview changes nothing: the results are what would happen.
	preview bool
	// enableAt is when the console enables disabled jobs again; zero for never.
	enableAt time.Time
	// label is for [app.Label]: empty removes the label of the jobs, nil asks for one.
	label *string
	// what names the part of the jobs that [app.Hold] holds, one of [app.Holds].
	what jobrun.Held
	// change is the id of the form: with it the action is carried out once, can be looked at afterwards
	// and undone. Empty for none, and without a database of the console's own.
	change string
}

// result is the outcome for one of the jobs, or the outcome that it would have.
type result struct {
	lifecycle.Outcome
	// refused is why nothing happened; nil if it was carried out, or would be.
	refused *app.Problem
	had     string // the label before [app.Label]
}

// refuse is the result of an action that a job refuses.
func refuse(p *app.Problem) result { return result{refused: p} }

// conflict is the problem of an action that doesn't fit the state of a job.
func conflict(code string, why func(i18n.Lang) string) *app.Problem {
	return app.Problem{Kind: app.KindConflict, Code: code}.SaidAs(why, func(i18n.Lang) string { return "" })
}

// actionNamed returns the action on several jobs with a verb.
func actionNamed(verb string) (o app.Action, ok bool) {
	for _, o := range slices.Concat(app.Actions, []app.Action{app.Label, app.Hold, app.Release, app.CancelWaiting}) {
		if o.Verb == verb {
			return o, true
		}
	}
	return o, false
}

// checkEnableAt returns the problem of a time to enable jobs again; nil if it has none.
func (s service) checkEnableAt(at time.Time) *app.Problem {
	now := s.Now()
	switch {
	case at.IsZero():
		return nil
	case s.Options().Settings == nil:
		return app.NoSettings()
	case !at.After(now) || at.After(now.Add(app.MaxEnableIn)):
		return app.Invalid("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemWrongTime(view.DateTime(at).Text), l.ProblemWrongTimeHint()
		})
	}
	return nil
}

// submit carries the action out, or returns a preview. It fails only if nothing can be read or
// changed for any job, or with [app.ErrRepeated].
func (s service) submit(c *gin.Context, b bulk) ([]result, error) {
	if b.preview {
		return s.submitEach(c, b)
	}
	if err := s.BeginChange(c, settings.Change{ID: b.change, Verb: b.action.Verb, Reason: b.reason}); err != nil {
		return nil, err
	}
	var before map[string]settings.Switch
	if b.change != "" {
		before = s.Switches(c, b.jobs)
	}
	app.SetSwitch(c, settings.Switch{Change: b.change, Reason: b.reason, EnableAt: b.enableAt})
	results, err := s.submitEach(c, b)
	stored := make([]settings.ChangeResult, len(results))
	for i, r := range results {
		stored[i] = app.ChangeResult(b.jobs[i], r.Outcome, r.refused)
		if w, ok := before[b.jobs[i]]; ok {
			stored[i].Before = &w
		}
		if b.label != nil && len(r.Affected) > 0 {
			stored[i].Label = &settings.LabelChange{From: r.had, To: *b.label}
		}
	}
	s.FinishChange(c, b.change, stored, err)
	return results, err
}

func (s service) submitEach(c *gin.Context, b bulk) ([]result, error) {
	var results []result
	done := 0
	for _, name := range b.jobs {
		r := s.submitOne(c, b, name)
		switch {
		case r.refused == nil:
			done++
		case r.refused.Status() >= 500 && done == 0:
			return nil, r.refused
		default:
			r.Outcome = lifecycle.Outcome{}
		}
		r.Job = view.Clip(name, 100)
		results = append(results, r)
	}
	app.Refused(c, "") // single refusals are in the record
	s.Note(c, slog.String("order", "bulk "+b.action.Verb), slog.String("target", strings.Join(b.jobs, ", ")), slog.Bool("preview", b.preview),
		slog.Int("done", done), slog.Int("refused", len(results)-done))
	if b.label != nil {
		s.Note(c, slog.String("label", *b.label))
	}
	s.noteReason(c, b.reason)
	return results, nil
}

func (s service) noteReason(c *gin.Context, reason string) {
	if reason != "" {
		s.Note(c, slog.String("reason", reason))
	}
}

// submitOne carries the action out on a job, or returns a preview.
func (s service) submitOne(c *gin.Context, b bulk, name string) result {
	if jobtree.ValidateNodeName(name) != nil {
		return refuse(app.NoSuchJob(view.Clip(name, 100)))
	}
	if p := b.action.Forbidden(c, name); p != nil {
		return refuse(p)
	}
	switch {
	case b.preview:
		return s.foresee(c, b, name)
	case b.action.Verb == app.Label.Verb:
		return s.setLabel(c, b, name)
	case ofRuns(b.action.Verb):
		return s.submitRuns(c, b, name)
	}
	out, err := s.Submit(c, b.action, app.Target{Job: name})
	return outcome(out, err)
}

// outcome is the result of an action; an error is its refusal.
func outcome(out lifecycle.Outcome, err error) result {
	if err != nil {
		return result{Outcome: out, refused: app.AsProblem(err)}
	}
	return result{Outcome: out}
}

// foresee returns what an action would do to a job.
func (s service) foresee(c *gin.Context, b bulk, name string) result {
	job, err := s.LookUp(c, name)
	switch {
	case err != nil:
		return refuse(app.AsProblem(err))
	case b.action.Verb == app.Label.Verb:
		return foreseeLabel(job, *b.label)
	case ofRuns(b.action.Verb):
		return s.foreseeRuns(c, b, job)
	}
	r := foreseen(b.action, job)
	if r.refused == nil && b.action.Verb == app.Remove.Verb {
		if r.CancelledRuns, err = s.OpenRuns(c, name); err != nil {
			return refuse(app.AsProblem(err))
		}
	}
	return r
}

// foreseen returns what an action on the servers or instances of a job would do.
func foreseen(o app.Action, job statistics.JobDetail) (r result) {
	add := func(id string, yes bool, why lifecycle.SkipWhy, otherwise string) {
		if yes {
			r.Affected = append(r.Affected, id)
		} else {
			r.Skipped = append(r.Skipped, lifecycle.Skip{Target: id, Reason: otherwise, Why: why})
		}
	}
	switch o.Verb {
	case app.Trigger.Verb, app.Shutdown.Verb:
		for _, i := range job.Instances {
			add(i.ID, i.Enabled || o.Verb == app.Shutdown.Verb, lifecycle.SkipServerOff, i18n.English.ProblemServerOff())
		}
		switch {
		case len(job.Instances) == 0:
			return refuse(conflict("no_instances", func(l i18n.Lang) string { return l.ProblemNoLive(job.Name) }))
		case len(r.Affected) == 0:
			return refuse(conflict("conflict", i18n.Lang.ProblemAllOff))
		}
	case app.Disable.Verb, app.Enable.Verb:
		for _, srv := range job.Servers {
			add(srv.IP, srv.Enabled == (o.Verb == app.Disable.Verb), lifecycle.SkipSame, i18n.English.ProblemSoAlready())
		}
		if len(job.Servers) == 0 {
			return refuse(conflict("conflict", i18n.Lang.ProblemNoServers))
		}
	case app.Remove.Verb:
		if n := len(job.Instances); n > 0 {
			return refuse(conflict("conflict", func(l i18n.Lang) string { return l.ProblemAlive(n) }))
		}
	}
	return r
}
