package bulk

import (
	"cmp"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// undoFor is how long an action on several jobs can be undone.
const undoFor = 10 * time.Minute

// keepDisabled cancels that a job is enabled again at a time.
func (s service) keepDisabled(c *gin.Context, job string) error {
	if s.Options().Settings == nil {
		return app.NoSettings()
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	err := s.Options().Settings.StayDisabled(ctx, s.RegistryOf(c).Name(), job)
	if errors.Is(err, settings.ErrNotFound) {
		return app.Problem{Kind: app.KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemNotTimed(job), l.ProblemNothingChanged()
		})
	}
	if err != nil {
		return app.SettingsDown(err)
	}
	return nil
}

// readChange reads the action on several jobs that the address names. It must be about the registry of
// the request.
func (s service) readChange(c *gin.Context) (settings.Change, error) {
	id := c.Param("id")
	absent := app.NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoChange(strconv.Quote(view.Clip(id, 40))), l.ProblemNoChangeHint()
	})
	if s.Options().Settings == nil {
		return settings.Change{}, absent
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	change, err := s.Options().Settings.Change(ctx, id)
	switch {
	case errors.Is(err, settings.ErrNotFound), err == nil && change.Registry != s.RegistryOf(c).Name():
		return change, absent
	case err != nil:
		return change, app.SettingsDown(err)
	}
	return change, nil
}

// undoable returns the end of the time to undo an action, and why it can't be undone.
func undoable(change settings.Change, now time.Time) (until time.Time, p *app.Problem) {
	until = change.At.Add(undoFor)
	refuse := func(why func(i18n.Lang) string) *app.Problem {
		return app.Problem{Kind: app.KindConflict, Code: "conflict", GoTo: pageui.ChangePath(change.ID)}.SaidAs(why, i18n.Lang.ProblemNothingChanged)
	}
	switch {
	case ofRuns(change.Verb):
		return until, refuse(i18n.Lang.ProblemUndoHold)
	case !slices.Contains([]string{app.Disable.Verb, app.Enable.Verb, shardsDisabled, shardsEnabled, app.Label.Verb}, change.Verb):
		return until, refuse(i18n.Lang.ProblemUndoTrigger)
	case !change.Undone.IsZero():
		return until, refuse(i18n.Lang.ProblemUndoDone)
	case now.After(until):
		return until, refuse(i18n.Lang.ProblemUndoLate)
	case len(change.Results) == 0:
		return until, refuse(i18n.Lang.ProblemUndoBusy)
	}
	return until, nil
}

// undo undoes an action: it switches the servers that the action switched, and
// no others. A job that was switched in between stays as it is.
func (s service) undo(c *gin.Context, change settings.Change) ([]result, error) {
	if _, p := undoable(change, s.Now()); p != nil {
		return nil, p
	}
	if change.Verb == app.Label.Verb {
		if p := app.Label.Forbidden(c, ""); p != nil {
			return nil, p
		}
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	names := make([]string, len(change.Results))
	for i, r := range change.Results {
		names[i] = r.Job
	}
	now, err := s.Options().Settings.Switches(ctx, change.Registry, names)
	if err == nil {
		err = s.Options().Settings.UndoChange(ctx, change.ID, s.Now())
	}
	if errors.Is(err, settings.ErrExists) {
		return nil, app.ErrRepeated
	} else if err != nil {
		return nil, app.SettingsDown(err)
	}
	var results []result
	switch change.Verb {
	case shardsDisabled, shardsEnabled:
		return s.undoShards(c, change)
	case app.Label.Verb:
		results = s.undoLabels(c, change)
	default:
		results = s.undoSwitches(c, change, now)
	}
	refused := 0
	for _, r := range results {
		if r.refused != nil {
			refused++
		}
	}
	app.Refused(c, "")
	s.Note(c, slog.String("order", "undo "+change.Verb), slog.String("target", strings.Join(names, ", ")),
		slog.Int("done", len(results)-refused), slog.Int("refused", refused), slog.String("change", change.ID))
	return results, nil
}

// undoSwitches switches the jobs of a change again, unless they were switched since.
func (s service) undoSwitches(c *gin.Context, change settings.Change, now map[string]settings.Switch) (results []result) {
	for _, r := range change.Results {
		if len(r.Affected) == 0 {
			continue
		}
		one := result{Outcome: lifecycle.Outcome{Job: r.Job}}
		if w, disabled := now[r.Job]; disabled != (change.Verb == app.Disable.Verb) || disabled && w.Change != change.ID {
			one.refused = conflict("conflict", func(l i18n.Lang) string { return l.ProblemSwitchedSince(cmp.Or(w.User, l.ProblemSomebody())) })
		} else {
			one = s.undoOne(c, change, r)
		}
		results = append(results, one)
	}
	return results
}

// undoOne switches the servers of one job that the action switched. With all of a
// job's servers it is one transaction.
func (s service) undoOne(c *gin.Context, change settings.Change, r settings.ChangeResult) result {
	whole, single := app.Enable, app.EnableServer
	if change.Verb == app.Enable.Verb {
		whole, single = app.Disable, app.DisableServer
		var before settings.Switch
		if r.Before != nil { // as it was, with who did it
			before = settings.Switch{Reason: r.Before.Reason, EnableAt: r.Before.EnableAt}
		}
		app.SetSwitch(c, before)
	}
	if len(r.Skipped) == 0 {
		return outcome(s.Submit(c, whole, app.Target{Job: r.Job}))
	}
	all := lifecycle.Outcome{Job: r.Job}
	for _, ip := range r.Affected {
		out, err := s.Submit(c, single, app.Target{Job: r.Job, IP: ip})
		if err != nil {
			return outcome(all, err)
		}
		all.Affected = append(all.Affected, out.Affected...)
	}
	s.RememberSwitch(c, whole, app.Target{Job: r.Job}, all)
	return outcome(all, nil)
}

// changeLinks lead from the message about a form to its outcome, and undo it;
// none if the outcome isn't stored.
func (s service) changeLinks(l i18n.Lang, id string, undo bool) (links []ui.FlashLink) {
	if s.Options().Settings == nil || id == "" {
		return nil
	}
	if undo {
		links = append(links, ui.FlashLink{Label: l.BulkUndo(), Href: pageui.ChangePath(id) + "/undo", Post: true, TestID: "undo"})
	}
	return append(links, ui.FlashLink{Label: l.BulkResult(), Href: pageui.ChangePath(id), TestID: "result"})
}

// changePage is the outcome of an action on several jobs.
func (s service) changePage(c *gin.Context) error {
	change, err := s.readChange(c)
	if err != nil {
		return err
	}
	until, p := undoable(change, s.Now())
	props := changeProps(i18n.From(c.Request.Context()), change, until, p, s.Now())
	props.Frame = s.Frame(c, props.Heading, app.AreaJobs)
	s.Render(c, http.StatusOK, jobs.Change(props))
	return nil
}

// changeProps is its view model. Until a time it can be undone, unless refused is why not.
func changeProps(l i18n.Lang, change settings.Change, until time.Time, refused *app.Problem, now time.Time) jobs.ChangeProps {
	w := wordsOf[change.Verb]
	p := jobs.ChangeProps{
		Sub:      l.BulkResultSub(change.User, view.DateTime(change.At).Text),
		Download: pageui.ChangePath(change.ID) + "/result?format=",
		RowLabel: l.BulkRows(), Subject: l.BulkJob(), Back: "/jobs", BackLabel: l.BulkNoneBack(),
	}
	if change.Reason != "" {
		p.Sub = l.BulkResultSubWhy(change.User, view.DateTime(change.At).Text, change.Reason)
	}
	var sum counts
	for _, r := range change.Results {
		row := jobs.BulkRow{Name: view.Clip(r.Job, 100), Href: app.JobPath("/jobs", r.Job)}
		shard, refusal := shardOf(change.Verb, r), ""
		if shard != "" {
			row.Name, row.Href = l.ShardsOne(shard), ""
			p.RowLabel, p.Subject, p.Back, p.BackLabel = l.ShardsRows(), l.JobShard(), pageui.ShardsPath(r.Job), l.ShardsBack()
		}
		if r.Code != "" {
			refusal = cmp.Or(r.Said[l.Tag()], r.Message, r.Code)
			if r.Job == "" || r.Code == "not_found" {
				row.Href = ""
			}
		}
		if sum.row(l, w, &row, refusal, len(r.Affected)) && r.Label != nil {
			row.How = labelChange(l, r.Label.From, r.Label.To)
		}
		p.Rows = append(p.Rows, row)
	}
	p.Heading = strings.TrimRight(w.done(l, sum.will), ".。")
	p.Counts = []jobs.BulkCount{
		{N: view.Thousands(sum.already), Text: l.BulkResultSame(), Tone: ui.ToneQuiet}, {N: view.Thousands(sum.cannot), Text: l.BulkResultFailed(), Tone: ui.ToneWarn},
	}
	switch {
	case len(change.Results) == 0:
		p.Notice = &ui.Notice{Tone: ui.ToneRun, Heading: l.BulkResultUnderWay(), Text: l.BulkResultUnderWayText(), TestID: "under-way"}
	case !change.Undone.IsZero():
		p.Notice = &ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkUndone(), Text: l.BulkUndoneAt(view.DateTime(change.Undone).Text), TestID: "undone"}
	case refused == nil:
		p.Undo, p.UndoNote = pageui.ChangePath(change.ID)+"/undo", l.BulkUndoUntil(view.DateTime(until).Text)
	case change.Verb == app.Trigger.Verb:
		p.UndoNote = l.BulkUndoNever()
	case ofRuns(change.Verb):
		p.UndoNote = l.BulkUndoNeverHold()
	case now.After(until):
		p.UndoNote = l.BulkUndoOver()
	}
	return p
}

// undoFromPage undoes it.
func (s service) undoFromPage(c *gin.Context) error {
	l, to := i18n.From(c.Request.Context()), "/jobs"
	change, err := s.readChange(c)
	var results []result
	if err == nil {
		results, err = s.undo(c, change)
	}
	if change.ID != "" {
		to = pageui.ChangePath(change.ID)
	}
	if errors.Is(err, app.ErrRepeated) {
		return pageui.Done(s.Console, c, to, ui.Flash{Title: l.BulkUndone()}, nil)
	}
	f, done := flashOf(l, results, "", func(i int) string { return view.Clip(results[i].Job, 100) })
	f.Title = l.BulkUndoneDone(done)
	if change.Verb == shardsDisabled || change.Verb == shardsEnabled {
		f.Title = l.ShardsUndone(done)
	}
	return pageui.Done(s.Console, c, to, f, err)
}

// exported is the file of an action on several jobs.
type exported struct {
	ID       string                  `json:"id"`
	At       string                  `json:"at"`
	User     string                  `json:"user"`
	Order    string                  `json:"order"`
	Reason   string                  `json:"reason"`
	UndoneAt string                  `json:"undoneAt,omitempty"`
	Results  []settings.ChangeResult `json:"results"`
}

// exportChange sends the outcome for each job as a file, CSV or JSON.
func (s service) exportChange(c *gin.Context) error {
	format := c.DefaultQuery("format", "json")
	if format != "csv" && format != "json" {
		return app.InvalidAs(i18n.Lang.ProblemFormat, i18n.Lang.ProblemFormatHint)
	}
	change, err := s.readChange(c)
	if err != nil {
		return err
	}
	for i := range change.Results {
		change.Results[i].Before, change.Results[i].Said = nil, nil
	}
	if format == "json" {
		e := exported{
			ID: change.ID, At: view.IsoTime(change.At), User: change.User, Order: change.Verb, Reason: change.Reason, Results: change.Results,
		}
		if !change.Undone.IsZero() {
			e.UndoneAt = view.IsoTime(change.Undone)
		}
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		c.Header("Content-Disposition", `attachment; filename="result.json"`)
		c.Data(http.StatusOK, "application/json; charset=utf-8", append(body, '\n'))
		return nil
	}
	c.Header("Content-Disposition", `attachment; filename="result.csv"`)
	rows := [][]string{{"job", "order", "affected", "skipped", "code", "message"}}
	for _, r := range change.Results {
		skipped := make([]string, len(r.Skipped))
		for i, skip := range r.Skipped {
			skipped[i] = skip.Target
		}
		rows = append(rows, []string{r.Job, change.Verb, strings.Join(r.Affected, " "), strings.Join(skipped, " "), r.Code, r.Message})
	}
	return app.WriteRows(c, rows)
}
