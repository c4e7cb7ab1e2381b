package pages

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// localTime is how browsers send a time.
const localTime = "2006-01-02T15:04"

// againHours are the times at which jobs can be enabled again without writing one.
var againHours = []int{1, 4, 12, 24}

// changeLinks lead from the message about a form to what became of it, and take it
// back; none if nobody remembers.
func (s *Pages) changeLinks(l i18n.Lang, id string, undo bool) (links []ui.FlashLink) {
	if s.Options().Settings == nil || id == "" {
		return nil
	}
	if undo {
		links = append(links, ui.FlashLink{Label: l.BulkUndo(), Href: pageui.ChangePath(id) + "/undo", Post: true, TestID: "undo"})
	}
	return append(links, ui.FlashLink{Label: l.BulkResult(), Href: pageui.ChangePath(id), TestID: "result"})
}

// againField is the choice of when to enable again.
func againField(l i18n.Lang, r *bulkRequest, now time.Time) *jobs.BulkAgain {
	p := &jobs.BulkAgain{
		Choices: []ui.Choice{{Label: l.BulkAgainNever(), Selected: r.again == ""}}, At: r.at, Error: r.againErr,
		From: now.UTC().Format(localTime), Until: now.UTC().Add(console.MaxEnableIn).Format(localTime),
	}
	for _, n := range againHours {
		value := strconv.Itoa(n)
		p.Choices = append(p.Choices, ui.Choice{Value: value, Label: l.BulkAgainHour(n), Selected: r.again == value})
	}
	return p
}

// switchedBy is who disabled a job and why, in a few words: "root: INC-4821".
func switchedBy(w settings.Switch) string {
	if w.Reason == "" {
		return w.User
	}
	return w.User + ": " + w.Reason
}

// addSwitches says of the jobs that are disabled already who did it.
func (s *Pages) addSwitches(c *gin.Context, p *jobs.BulkProps) {
	if p.Verb != console.Disable.Verb {
		return
	}
	var names []string
	for _, r := range p.Rows {
		if r.Tone == ui.ToneSkip {
			names = append(names, r.Name)
		}
	}
	by := s.Switches(c, names)
	for i := range p.Rows {
		if w, ok := by[p.Rows[i].Name]; ok && p.Rows[i].Tone == ui.ToneSkip {
			p.Rows[i].Note = switchedBy(w)
		}
	}
}

// addReasons says in a list who disabled jobs and why.
func (s *Pages) addReasons(c *gin.Context, rows []jobs.Row) {
	var names []string
	for _, r := range rows {
		if r.State.Tone == ui.ToneOff {
			names = append(names, r.Name)
		}
	}
	by := s.Switches(c, names)
	for i := range rows {
		if w, ok := by[rows[i].Name]; ok && rows[i].State.Tone == ui.ToneOff {
			rows[i].State.Reason = switchedBy(w)
			rows[i].State.Title = rows[i].State.Title + "\n" + switchedBy(w)
		}
	}
}

// stayDisabled takes back that a job is enabled at a time.
func (s *Pages) stayDisabled(c *gin.Context) {
	name, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).BulkStayDone(name)}
	if err := s.StayDisabled(c, name); err != nil {
		f = pageui.FailedFlash(s.Console, c, err)
	}
	s.SetFlash(c, f)
	s.RedirectHere(c, console.JobPath("/jobs", name))
}

// changePage is what became of an action on several jobs.
func (s *Pages) changePage(c *gin.Context) {
	change, err := s.ReadChange(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	until, p := console.Undoable(change, s.Now())
	props := changeProps(i18n.From(c.Request.Context()), change, until, p, s.Now())
	props.Frame = s.Frame(c, props.Heading, console.AreaJobs)
	s.Render(c, http.StatusOK, jobs.Change(props))
}

// changeProps builds its view model. It can be taken back until a time unless the
// problem says why not.
func changeProps(l i18n.Lang, change settings.Change, until time.Time, refused *console.Problem, now time.Time) jobs.ChangeProps {
	w, o := wordsOfBulk[change.Verb], console.Action{Verb: change.Verb}
	p := jobs.ChangeProps{
		Sub: l.BulkResultSub(change.User, view.DateTime(change.At).Text),
		CSV: pageui.ChangePath(change.ID) + "/result?format=csv", JSON: pageui.ChangePath(change.ID) + "/result?format=json",
		RowLabel: l.BulkRows(), Subject: l.BulkJob(), Back: "/jobs", BackLabel: l.BulkNoneBack(),
	}
	if change.Reason != "" {
		p.Sub = l.BulkResultSubWhy(change.User, view.DateTime(change.At).Text, change.Reason)
	}
	done, same, failed := 0, 0, 0
	for _, r := range change.Results {
		row := jobs.BulkRow{Name: view.Clip(r.Job, 100), Href: console.JobPath("/jobs", r.Job)}
		shard := shardOf(change.Verb, r)
		if shard != "" {
			row.Name, row.Href = l.ShardsOne(shard), ""
			p.RowLabel, p.Subject, p.Back, p.BackLabel = l.ShardsRows(), l.JobShard(), shardsPath(r.Job), l.ShardsBack()
		}
		switch {
		case r.Code != "":
			failed++
			row.Tone, row.What, row.Note, row.Quiet = ui.ToneWarn, l.BulkImpossible(), console.RefusalOf(l, r), true
			if r.Job == "" || r.Code == "not_found" {
				row.Href = ""
			}
		case len(r.Affected) == 0:
			same++
			row.Tone, row.What, row.How, row.Quiet = ui.ToneSkip, l.BulkSkip(), w.how(l), true
		default:
			done++
			row.Tone, row.What = bulkTone(o), w.label(l)
			if shard == "" {
				row.How = w.targets(l, len(r.Affected))
			}
			if r.Label != nil {
				row.How = labelChange(l, r.Label.From, r.Label.To)
			}
		}
		p.Rows = append(p.Rows, row)
	}
	p.Heading = strings.TrimRight(w.done(l, done), ".。")
	p.Counts = []jobs.BulkCount{
		{N: view.Thousands(same), Text: l.BulkResultSame(), Tone: ui.ToneQuiet}, {N: view.Thousands(failed), Text: l.BulkResultFailed(), Tone: ui.ToneWarn},
	}
	switch {
	case len(change.Results) == 0:
		p.Notice = &ui.Notice{Tone: ui.ToneRun, Heading: l.BulkResultUnderWay(), Text: l.BulkResultUnderWayText(), TestID: "under-way"}
	case !change.Undone.IsZero():
		p.Notice = &ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkUndone(), Text: l.BulkUndoneAt(view.DateTime(change.Undone).Text), TestID: "undone"}
	case refused == nil:
		p.Undo, p.UndoNote = pageui.ChangePath(change.ID)+"/undo", l.BulkUndoUntil(view.DateTime(until).Text)
	case change.Verb == console.Trigger.Verb:
		p.UndoNote = l.BulkUndoNever()
	case console.OfRuns(change.Verb):
		p.UndoNote = l.BulkUndoNeverHold()
	case now.After(until):
		p.UndoNote = l.BulkUndoOver()
	}
	return p
}

// undoFromPage takes it back.
func (s *Pages) undoFromPage(c *gin.Context) {
	l := i18n.From(c.Request.Context())
	change, err := s.ReadChange(c)
	var results []console.BulkResult
	if err == nil {
		results, err = s.UndoChange(c, change)
	}
	f := ui.Flash{Tone: ui.ToneOK}
	switch {
	case errors.Is(err, console.ErrRepeated):
		f.Title = l.BulkUndone()
	case err != nil:
		f = pageui.FailedFlash(s.Console, c, err)
	default:
		done := 0
		for _, r := range results {
			if r.Refused != nil {
				f.Tone = ui.ToneWarn
				f.Lines = append(f.Lines, view.Clip(r.Job, 100)+": "+pageui.ProblemText(l, r.Refused))
			} else {
				done++
			}
		}
		f.Title = l.BulkUndoneDone(done)
		if change.Verb == console.ShardsDisabled || change.Verb == console.ShardsEnabled {
			f.Title = l.ShardsUndone(done)
		}
	}
	s.SetFlash(c, f)
	if change.ID == "" {
		s.RedirectHere(c, "/jobs")
		return
	}
	s.RedirectHere(c, pageui.ChangePath(change.ID))
}

// exportChange sends what became of each job as a file.
func (s *Pages) exportChange(c *gin.Context) {
	format := c.DefaultQuery("format", "json")
	if format != "csv" && format != "json" {
		s.Fail(c, console.InvalidAs(i18n.Lang.ProblemFormat, i18n.Lang.ProblemFormatHint))
		return
	}
	change, err := s.ReadChange(c)
	if err == nil {
		err = console.ExportChange(c, change, format)
	}
	if err != nil {
		s.Fail(c, err)
	}
}
