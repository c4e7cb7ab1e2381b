package console

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// UndoFor is how long an action on several jobs can be taken back.
const UndoFor = 10 * time.Minute

// MaxEnableIn bounds how far ahead the time is at which jobs are enabled again.
const MaxEnableIn = 90 * 24 * time.Hour

// whyKey is where a request keeps the [Bulk] that its actions are part of.
const whyKey = "console.why"

// CheckEnableAt says what is wrong with a time to enable jobs again; nil if nothing
// is.
func (s *Console) CheckEnableAt(at time.Time) *Problem {
	now := s.Now()
	switch {
	case at.IsZero():
		return nil
	case s.opts.Settings == nil:
		return NoSettings()
	case !at.After(now) || at.After(now.Add(MaxEnableIn)):
		return Invalid("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemWrongTime(view.DateTime(at).Text), l.ProblemWrongTimeHint()
		})
	}
	return nil
}

// Storing bounds a change in the console's own database. It goes on if the browser goes away.
func (s *Console) Storing(c *gin.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.opts.ReadTimeout)
}

// beginChange remembers that the form is being carried out, and returns who had
// disabled its jobs.
func (s *Console) beginChange(c *gin.Context, b Bulk) (map[string]settings.Switch, error) {
	if b.Change == "" || s.opts.Settings == nil {
		return nil, nil
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	err := s.opts.Settings.BeginChange(ctx, settings.Change{
		ID: b.Change, At: s.Now(), User: Caller(c).Name, Registry: s.RegistryOf(c).name, Verb: b.Action.Verb, Reason: b.Reason,
	})
	if errors.Is(err, settings.ErrExists) {
		return nil, ErrRepeated
	}
	var before map[string]settings.Switch
	if err == nil {
		before, err = s.opts.Settings.Switches(ctx, s.RegistryOf(c).name, b.Jobs)
	}
	if err != nil {
		return nil, SettingsDown(err)
	}
	return before, nil
}

// finishChange remembers what became of it. An action that failed as a whole has
// one result without a job.
func (s *Console) finishChange(c *gin.Context, b Bulk, before map[string]settings.Switch, results []BulkResult, failure error) {
	if b.Change == "" || s.opts.Settings == nil {
		return
	}
	list := make([]settings.ChangeResult, 0, len(results))
	for i, r := range results {
		one := settings.ChangeResult{Job: b.Jobs[i], Affected: r.Affected}
		for _, skip := range r.Skipped {
			one.Skipped = append(one.Skipped, settings.ChangeSkipped{Target: skip.Target, Reason: skip.Reason})
		}
		if r.Refused != nil {
			refusedAs(&one, r.Refused)
		}
		if w, ok := before[b.Jobs[i]]; ok {
			one.Before = &w
		}
		if b.Action.Verb == Label.Verb && len(r.Affected) > 0 {
			one.Label = &settings.LabelChange{From: r.had, To: b.Label}
		}
		list = append(list, one)
	}
	if failure != nil {
		one := settings.ChangeResult{}
		refusedAs(&one, AsProblem(failure))
		list = append(list, one)
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	if err := s.opts.Settings.FinishChange(ctx, b.Change, list); err != nil {
		s.Log.WarnContext(c, "what became of an action is in the audit only", slog.String("request_id", RequestID(c)), slog.Any("err", err))
	}
}

// refusedAs puts a refusal into a result, in the words of each language: what it was
// about may no longer exist when somebody reads it.
func refusedAs(r *settings.ChangeResult, p *Problem) {
	r.Code, r.Message = p.Code, p.Message
	for _, l := range i18n.Languages[1:] {
		if message, _ := p.In(l); message != p.Message {
			if r.Said == nil {
				r.Said = make(map[string]string)
			}
			r.Said[l.Tag()] = message
		}
	}
}

// RefusalOf is why a job of a past action was refused, in a reader's language as far as
// it was stored in it.
func RefusalOf(l i18n.Lang, r settings.ChangeResult) string {
	return cmp.Or(r.Said[l.Tag()], r.Message)
}

// rememberSwitch keeps who disabled a job and why, until it is enabled or removed.
// The audit has it, too, so that an action does not fail for it.
func (s *Console) rememberSwitch(c *gin.Context, o Action, t Target, out lifecycle.Outcome) {
	if s.opts.Settings == nil || t.Job == "" || t.IP != "" || t.IsShard {
		return
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	var err error
	switch o.Verb {
	case Disable.Verb:
		if len(out.Affected) == 0 {
			return // it was disabled before
		}
		found, _ := c.Get(whyKey)
		why, _ := found.(Bulk)
		err = s.opts.Settings.PutSwitch(ctx, settings.Switch{
			Registry: s.RegistryOf(c).name, Job: t.Job, Change: why.Change, User: Caller(c).Name, Reason: why.Reason, At: s.Now(), EnableAt: why.EnableAt,
		})
	case Enable.Verb, Remove.Verb:
		err = s.opts.Settings.DropSwitch(ctx, s.RegistryOf(c).name, t.Job)
	}
	if err != nil {
		s.Log.WarnContext(c, "who disabled a job is in the audit only", slog.String("request_id", RequestID(c)), slog.Any("err", err))
	}
}

// Switches are who disabled which of some jobs, and why; none if the console's own
// database cannot tell.
func (s *Console) Switches(c *gin.Context, jobs []string) map[string]settings.Switch {
	if s.opts.Settings == nil || len(jobs) == 0 {
		return nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.opts.Settings.Switches(ctx, s.RegistryOf(c).name, jobs)
	if err != nil && !callerLeft(c) {
		s.Log.WarnContext(c, "who disabled jobs could not be read", slog.String("request_id", RequestID(c)), slog.Any("err", err))
	}
	return list
}

// StayDisabled takes back that a job is to be enabled again at a time.
func (s *Console) StayDisabled(c *gin.Context, job string) error {
	if s.opts.Settings == nil {
		return NoSettings()
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	err := s.opts.Settings.StayDisabled(ctx, s.RegistryOf(c).name, job)
	if errors.Is(err, settings.ErrNotFound) {
		return Problem{Kind: KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemNotTimed(job), l.ProblemNothingChanged()
		})
	}
	if err != nil {
		return SettingsDown(err)
	}
	return nil
}

// ReadChange looks up an action on several jobs of the registry that the request is
// about.
func (s *Console) ReadChange(c *gin.Context) (settings.Change, error) {
	id := c.Param("id")
	absent := NotFound("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemNoChange(strconv.Quote(view.Clip(id, 40))), l.ProblemNoChangeHint()
	})
	if s.opts.Settings == nil {
		return settings.Change{}, absent
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	change, err := s.opts.Settings.Change(ctx, id)
	switch {
	case errors.Is(err, settings.ErrNotFound), err == nil && change.Registry != s.RegistryOf(c).name:
		return change, absent
	case err != nil:
		return change, SettingsDown(err)
	}
	return change, nil
}

// Undoable says until when an action can be taken back, and why it cannot be.
func Undoable(change settings.Change, now time.Time) (until time.Time, p *Problem) {
	until = change.At.Add(UndoFor)
	refuse := func(why func(i18n.Lang) string) *Problem {
		return Problem{Kind: KindConflict, Code: "conflict", GoTo: "/jobs/bulk/" + change.ID}.SaidAs(why, i18n.Lang.ProblemNothingChanged)
	}
	switch {
	case OfRuns(change.Verb):
		return until, refuse(i18n.Lang.ProblemUndoHold)
	case !slices.Contains([]string{Disable.Verb, Enable.Verb, ShardsDisabled, ShardsEnabled, Label.Verb}, change.Verb):
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

// UndoChange takes an action back: what it switched is switched again, server by
// server, and nothing else. A job that somebody switched meanwhile stays as it is.
func (s *Console) UndoChange(c *gin.Context, change settings.Change) ([]BulkResult, error) {
	if _, p := Undoable(change, s.Now()); p != nil {
		return nil, p
	}
	if change.Verb == Label.Verb && !May(c, Label.Needs) {
		return nil, forbidden(c, Label.Needs)
	}
	ctx, cancel := s.Storing(c)
	defer cancel()
	jobs := make([]string, len(change.Results))
	for i, r := range change.Results {
		jobs[i] = r.Job
	}
	now, err := s.opts.Settings.Switches(ctx, change.Registry, jobs)
	if err == nil {
		err = s.opts.Settings.UndoChange(ctx, change.ID, s.Now())
	}
	if errors.Is(err, settings.ErrExists) {
		return nil, ErrRepeated
	} else if err != nil {
		return nil, SettingsDown(err)
	}
	if change.Verb == ShardsDisabled || change.Verb == ShardsEnabled {
		return undoShards(s, c, change)
	}
	if change.Verb == Label.Verb {
		return undone(s, c, change, jobs, undoLabels(s, c, change)), nil
	}
	var results []BulkResult
	for _, r := range change.Results {
		if len(r.Affected) == 0 {
			continue
		}
		result := BulkResult{Outcome: lifecycle.Outcome{Job: r.Job}}
		if w, disabled := now[r.Job]; disabled != (change.Verb == Disable.Verb) || disabled && w.Change != change.ID {
			who := ""
			if disabled {
				who = w.User
			}
			result.Refused = Problem{Kind: KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
				return l.ProblemSwitchedSince(cmp.Or(who, l.ProblemSomebody())), ""
			})
		} else {
			result.Outcome, result.Refused = s.undoOne(c, change, r)
		}
		results = append(results, result)
	}
	return undone(s, c, change, jobs, results), nil
}

// undone notes what became of taking an action back.
func undone(s *Console, c *gin.Context, change settings.Change, jobs []string, results []BulkResult) []BulkResult {
	refused := 0
	for _, r := range results {
		if r.Refused != nil {
			refused++
		}
	}
	Refused(c, "")
	s.Note(c, slog.String("order", "undo "+change.Verb), slog.String("target", strings.Join(jobs, ", ")),
		slog.Int("done", len(results)-refused), slog.Int("refused", refused), slog.String("change", change.ID))
	return results
}

// undoOne switches the servers of one job that the action switched. With all of a
// job's servers it is one transaction.
func (s *Console) undoOne(c *gin.Context, change settings.Change, r settings.ChangeResult) (lifecycle.Outcome, *Problem) {
	whole, single := Enable, EnableServer
	if change.Verb == Enable.Verb {
		whole, single = Disable, DisableServer
		if r.Before != nil { // as it was, with who did it
			c.Set(whyKey, Bulk{Reason: r.Before.Reason, EnableAt: r.Before.EnableAt})
		} else {
			c.Set(whyKey, Bulk{})
		}
	}
	if len(r.Skipped) == 0 {
		out, err := s.Submit(c, whole, Target{Job: r.Job})
		if err != nil {
			return out, AsProblem(err)
		}
		return out, nil
	}
	all := lifecycle.Outcome{Job: r.Job}
	for _, ip := range r.Affected {
		out, err := s.Submit(c, single, Target{Job: r.Job, IP: ip})
		if err != nil {
			return all, AsProblem(err)
		}
		all.Affected = append(all.Affected, out.Affected...)
	}
	s.rememberSwitch(c, whole, Target{Job: r.Job}, all)
	return all, nil
}

// changeExport is the file of an action on several jobs.
type changeExport struct {
	ID       string                  `json:"id"`
	At       string                  `json:"at"`
	User     string                  `json:"user"`
	Order    string                  `json:"order"`
	Reason   string                  `json:"reason"`
	UndoneAt string                  `json:"undoneAt,omitempty"`
	Results  []settings.ChangeResult `json:"results"`
}

// ExportChange writes what became of each job as a file, CSV or JSON.
func ExportChange(c *gin.Context, change settings.Change, format string) error {
	for i := range change.Results {
		change.Results[i].Before, change.Results[i].Said = nil, nil
	}
	if format == "json" {
		e := changeExport{
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
	return WriteRows(c, rows)
}
