package pages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// backfillShown is how many times of a preview are listed; it says how many there are.
const backfillShown = 30

// backfillForm is what was typed.
type backfillForm struct {
	from, to, params string
	parallel         string
	ignored          []string // of the address
}

// backfillPage asks between which moments the fire times are.
func (s requestPages) backfillPage(c *gin.Context) {
	v := c.Request.URL.Query()
	f := backfillForm{from: v.Get("from"), to: v.Get("to")}
	l := i18n.From(c.Request.Context())
	for name, text := range map[string]*string{"from": &f.from, "to": &f.to} {
		if _, ok := query.ParseInstant(*text); !ok && *text != "" {
			f.ignored = append(f.ignored, l.AddressTime(name, strconv.Quote(view.Clip(*text, 40))))
			*text = ""
		}
	}
	slices.Sort(f.ignored)
	if f.from == "" && f.to == "" {
		today := s.Now().UTC().Truncate(24 * time.Hour)
		f.from, f.to = query.InputTime(today.AddDate(0, 0, -1)), query.InputTime(today.Add(-time.Second))
	}
	s.askBackfill(c, http.StatusOK, f, jobs.BackfillProps{})
}

// askBackfill shows the form, with what was typed and what is wrong with it, or the
// preview.
func (s requestPages) askBackfill(c *gin.Context, status int, f backfillForm, p jobs.BackfillProps) {
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	p.Heading, p.Job, p.JobHref = l.BackfillTitle(job.Name), job.Name, console.JobPath("/jobs", job.Name)
	p.Post = console.JobPath("/jobs", job.Name, console.Backfill.Verb)
	list, err := s.requested().Backfills(c, job.Name)
	if err != nil {
		s.Fail(c, err)
		return
	}
	for _, b := range list {
		p.Rows = append(p.Rows, backfillRow(l, job.Name, b))
	}
	p.UnderWay = len(list) > 0 && !list[0].State.Ended()
	most := strconv.Itoa(jobrun.MostBackfillParallel)
	p.From.Value, p.To.Value, p.Params.Value, p.Parallel.Value = f.from, f.to, f.params, f.parallel
	p.ParallelHelp = l.BackfillParallelHelp(most)
	p.Effects = []string{l.BackfillEffectEach(), l.BackfillEffectOrder(), l.BackfillEffectTime(), l.BackfillEffectPortions(jobrun.MostBackfilled)}
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, f.ignored...)
	body := map[string]any{"from": isoOr(f.from), "to": isoOr(f.to), "preview": p.Preview == nil}
	if n, err := strconv.Atoi(f.parallel); err == nil {
		body["parallel"] = n
	}
	if json.Valid([]byte(f.params)) {
		body["params"] = json.RawMessage(f.params)
	}
	text, _ := json.Marshal(body) // Of texts, a truth value and valid JSON.
	p.Curl = s.Curl(c, http.MethodPost, console.JobPath("/api/jobs", job.Name, console.Backfill.Verb), nil, string(text))
	s.Render(c, status, jobs.Backfill(p))
}

// isoOr is an instant that was typed, as the REST interface takes it.
func isoOr(text string) string {
	if at, ok := query.ParseInstant(text); ok {
		return view.IsoTime(at)
	}
	return text
}

// backfill is the target of the form: it shows the preview, and with a confirmation
// requests the runs.
func (s requestPages) backfill(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	f := backfillForm{from: strings.TrimSpace(c.PostForm("from")), to: strings.TrimSpace(c.PostForm("to")), params: strings.TrimSpace(c.PostForm("params")), parallel: strings.TrimSpace(c.PostForm("parallel"))}
	var p jobs.BackfillProps
	b := jobrun.Backfill{Params: json.RawMessage(f.params)}
	var ok bool
	if b.From, ok = query.ParseInstant(f.from); !ok {
		p.From.Error = l.BackfillWrongTime()
	}
	if b.To, ok = query.ParseInstant(f.to); !ok {
		p.To.Error = l.BackfillWrongTime()
	}
	if f.params == "" {
		b.Params = nil
	} else if !json.Valid(b.Params) {
		p.Params.Error = l.BackfillWrongParams()
	}
	if f.parallel != "" {
		if b.Parallel, err = strconv.Atoi(f.parallel); err != nil || b.Parallel < 1 || b.Parallel > jobrun.MostBackfillParallel {
			p.Parallel.Error = l.BackfillWrongParallel(strconv.Itoa(jobrun.MostBackfillParallel))
		}
	}
	if p.From.Error+p.To.Error+p.Params.Error+p.Parallel.Error != "" || console.Resumed(c) {
		console.Refused(c, "invalid")
		s.askBackfill(c, console.FormStatus(c), f, p)
		return
	}
	plan, err := s.requested().PlanBackfill(c, job, b)
	if err != nil {
		s.backfillRefused(c, f, err)
		return
	}
	if c.PostForm("confirm") != "yes" {
		console.Refused(c, "not_confirmed")
		p.Preview = backfillPreview(l, plan)
		s.askBackfill(c, http.StatusOK, f, p)
		return
	}
	result, err := s.requested().Backfill(c, job, console.FromPage, b)
	if err != nil {
		s.backfillRefused(c, f, err)
		return
	}
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: l.BackfillDid(result.Total)})
	s.RedirectHere(c, console.BackfillPath(job))
}

// backfillRefused shows the form again, with why it was refused beside its fields.
func (s requestPages) backfillRefused(c *gin.Context, f backfillForm, err error) {
	problem := console.AsProblem(err)
	if len(problem.Fields) == 0 {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	var p jobs.BackfillProps
	var params []string
	for _, field := range problem.Fields {
		want := console.WantIn(l, field.Want)
		switch name, path, _ := strings.Cut(field.Field, "."); {
		case name == "from":
			p.From.Error = want
		case name == "to":
			p.To.Error = want
		case name == "parallel":
			p.Parallel.Error = want
		case path != "":
			params = append(params, path+": "+want)
		default:
			params = append(params, want)
		}
	}
	p.Params.Error = strings.Join(params, l.AddressBetween())
	console.Refused(c, problem.Code)
	s.askBackfill(c, console.FormStatus(c), f, p)
}

// backfillPreview lists the times: those that get a run, and those that get none.
func backfillPreview(l i18n.Lang, plan jobrun.BackfillPlan) *jobs.BackfillPreview {
	p := &jobs.BackfillPreview{Count: l.BackfillCount(len(plan.Times)), Any: len(plan.Times) > 0}
	if plan.ZoneAssumed {
		p.Note = l.BackfillZone()
	}
	if p.Any {
		p.Span = l.BackfillSpan(view.IsoTime(plan.Times[0]), view.IsoTime(plan.Times[len(plan.Times)-1]))
	}
	for _, at := range plan.Times[:min(len(plan.Times), backfillShown)] {
		p.Times = append(p.Times, view.DateTime(at))
	}
	if more := len(plan.Times) - len(p.Times); more > 0 {
		p.More = l.BackfillMore(more)
	}
	if plan.RefusedCount > 0 {
		p.RefusedCount = l.BackfillRefused(plan.RefusedCount)
	}
	for _, refused := range plan.Refused[:min(len(plan.Refused), backfillShown)] {
		p.Refused = append(p.Refused, jobs.BackfillRefused{At: view.DateTime(refused.At), Why: pageui.RefusedWhy(l, refused.Property)})
	}
	if more := plan.RefusedCount - len(p.Refused); more > 0 {
		p.RefusedMore = l.BackfillMore(more)
	}
	return p
}

// backfillRow returns a backfill as the list shows it.
func backfillRow(l i18n.Lang, job string, b jobrun.BackfillProgress) jobs.BackfillRow {
	r := jobs.BackfillRow{
		ID: b.ID, Problem: b.Problem, Requested: view.DateTime(b.Requested), From: view.DateTime(b.From), To: view.DateTime(b.To),
		Total: b.Total, Done: b.Total - b.Runs[jobrun.Queued] - b.Runs[jobrun.Running]}
	look := lookOf(jobrun.Run{State: b.State, Cancelled: b.Cancel})
	r.State = ui.State{Tone: look.tone, Label: look.word(l), TestID: "backfill-state"}
	if b.By.Name != "" {
		r.By = l.BackfillBy(b.By.Name)
	}
	r.Progress = l.BackfillDoneOf(r.Done, r.Total)
	if !b.Next.IsZero() {
		next := view.DateTime(b.Next)
		r.Next = &next
	}
	var counts []string
	for _, one := range []struct {
		state jobrun.State
		count func(i18n.Lang, int) string
	}{
		{jobrun.Queued, i18n.Lang.BackfillWaiting}, {jobrun.Running, i18n.Lang.BackfillRunning}, {jobrun.Succeeded, i18n.Lang.BackfillSucceeded},
		{jobrun.Failed, i18n.Lang.BackfillFailed}, {jobrun.Cancelled, i18n.Lang.BackfillCancelled}, {jobrun.Skipped, i18n.Lang.BackfillSkipped},
		{jobrun.Expired, i18n.Lang.BackfillExpired}, {jobrun.Unknown, i18n.Lang.BackfillUnknown},
	} {
		if n := b.Runs[one.state]; n > 0 {
			counts = append(counts, one.count(l, n))
		}
	}
	r.Runs = strings.Join(counts, l.AddressBetween())
	if !b.State.Ended() && b.Cancel == nil {
		r.CancelHref = console.BackfillPath(job, b.ID, "cancel")
	}
	return r
}

// cancelBackfillPage asks before a backfill is cancelled.
func (s requestPages) cancelBackfillPage(c *gin.Context) {
	s.askCancelBackfill(c, http.StatusOK, jobs.RequestField{})
}

// askCancelBackfill shows the question with the reason that was typed.
func (s requestPages) askCancelBackfill(c *gin.Context, status int, reason jobs.RequestField) {
	job, id, err := s.requested().NamedBackfill(c)
	if err == nil {
		_, err = s.requested().ReadBackfill(c, job, id)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	p := jobs.RequestCancelProps{
		Heading: l.BackfillCancelTitle(job), Job: job, JobHref: console.JobPath("/jobs", job), ListHref: console.BackfillPath(job), RunHref: console.BackfillPath(job),
		List: l.BackfillList(), Submit: l.BackfillCancelSubmit(), Back: l.BackfillBack(), Post: console.BackfillPath(job, id, "cancel"), Reason: reason,
		Effects: []string{l.BackfillCancelEffectRest(), l.BackfillCancelEffectRunning()},
	}
	s.renderCancel(c, status, p, console.JobPath("/api/jobs", job, "backfills", id, "cancel"))
}

// cancelBackfill is the target of the question's form.
func (s requestPages) cancelBackfill(c *gin.Context) {
	job, id, err := s.requested().NamedBackfill(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	reason := typedReason(c, l)
	if c.PostForm("confirm") != "yes" || reason.Error != "" || console.Resumed(c) {
		console.Refused(c, "not_confirmed")
		s.askCancelBackfill(c, console.FormStatus(c), reason)
		return
	}
	p, err := s.requested().CancelBackfill(c, job, id, reason.Value)
	flash := ui.Flash{Tone: ui.ToneOK, Title: l.BackfillDidCancel()}
	if err == nil && !p.State.Ended() {
		flash.Title = l.BackfillDidAsk()
	}
	if err != nil {
		problem := console.AsProblem(err)
		s.LogFailure(c, problem)
		flash = pageui.ProblemFlash(l, problem)
	}
	s.SetFlash(c, flash)
	s.RedirectHere(c, console.BackfillPath(job))
}
