package requested

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// backfillPage asks between which moments the fire times are.
func (s pages) backfillPage(c *gin.Context) error {
	v, l := c.Request.URL.Query(), i18n.From(c.Request.Context())
	var p jobs.BackfillProps
	for name, f := range map[string]*ui.Field{"from": &p.From, "to": &p.To} {
		text := v.Get(name)
		if _, ok := query.ParseInstant(text); ok || text == "" {
			f.Value = text
		} else {
			p.Frame.Ignored = append(p.Frame.Ignored, l.AddressTime(name, strconv.Quote(view.Clip(text, 40))))
		}
	}
	slices.Sort(p.Frame.Ignored)
	if p.From.Value == "" && p.To.Value == "" {
		today := s.Now().UTC().Truncate(24 * time.Hour)
		p.From.Value, p.To.Value = query.InputTime(today.AddDate(0, 0, -1)), query.InputTime(today.Add(-time.Second))
	}
	return s.askBackfill(c, http.StatusOK, p)
}

// askBackfill shows the form with the values that were typed and their errors, or the preview.
func (s pages) askBackfill(c *gin.Context, status int, p jobs.BackfillProps) error {
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	list, err := s.backfills(c, job.Name)
	if err != nil {
		return err
	}
	l, ignored := i18n.From(c.Request.Context()), p.Frame.Ignored
	p.Job, p.Frame = job.Name, s.Frame(c, l.BackfillTitle(job.Name), app.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, ignored...)
	for _, b := range list {
		look := lookOf(jobrun.Run{State: b.State, Cancelled: b.Cancel})
		p.Rows = append(p.Rows, jobs.BackfillRow{BackfillProgress: b, Job: job.Name, Look: ui.State{Tone: look.tone, Label: look.word(l), TestID: "backfill-state"}})
	}
	body := map[string]any{"from": isoOr(p.From.Value), "to": isoOr(p.To.Value), "preview": p.Preview == nil}
	if n, err := strconv.Atoi(p.Parallel.Value); err == nil {
		body["parallel"] = n
	}
	if json.Valid([]byte(p.Params.Value)) {
		body["params"] = json.RawMessage(p.Params.Value)
	}
	text, _ := json.Marshal(body) // Of texts, a truth value and valid JSON.
	p.Curl = s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", job.Name, app.Backfill.Verb), nil, string(text))
	s.Render(c, status, jobs.Backfill(p))
	return nil
}

// isoOr is an instant that was typed, as the REST interface takes it.
func isoOr(text string) string {
	if at, ok := query.ParseInstant(text); ok {
		return view.IsoTime(at)
	}
	return text
}

// backfillFromPage is the target of the form: it shows the preview, and with a confirmation
// requests the runs.
func (s pages) backfillFromPage(c *gin.Context, job string) error {
	l := i18n.From(c.Request.Context())
	typed := func(name string) ui.Field { return ui.Field{Value: strings.TrimSpace(c.PostForm(name))} }
	p := jobs.BackfillProps{From: typed("from"), To: typed("to"), Params: typed("params"), Parallel: typed("parallel")}
	var b jobrun.Backfill
	var ok bool
	if b.From, ok = query.ParseInstant(p.From.Value); !ok {
		p.From.Error = l.BackfillWrongTime()
	}
	if b.To, ok = query.ParseInstant(p.To.Value); !ok {
		p.To.Error = l.BackfillWrongTime()
	}
	if p.Params.Value != "" {
		if b.Params = json.RawMessage(p.Params.Value); !json.Valid(b.Params) {
			p.Params.Error = l.BackfillWrongParams()
		}
	}
	if p.Parallel.Value != "" {
		n, err := strconv.Atoi(p.Parallel.Value)
		if b.Parallel = n; err != nil || n < 1 || n > jobrun.MostBackfillParallel {
			p.Parallel.Error = l.BackfillWrongParallel(strconv.Itoa(jobrun.MostBackfillParallel))
		}
	}
	if p.From.Error+p.To.Error+p.Params.Error+p.Parallel.Error != "" || app.Resumed(c) {
		app.Refused(c, "invalid")
		return s.askBackfill(c, app.FormStatus(c), p)
	}
	plan, err := s.planBackfill(c, job, b)
	if err != nil {
		return s.refuseBackfill(c, p, err)
	}
	if c.PostForm("confirm") != "yes" {
		app.Refused(c, "not_confirmed")
		p.Preview = &plan
		return s.askBackfill(c, http.StatusOK, p)
	}
	result, err := s.beginBackfill(c, job, fromPage, b)
	if err != nil {
		return s.refuseBackfill(c, p, err)
	}
	return pageui.Done(s.Console, c, jobs.BackfillPath(job), ui.Flash{Title: l.BackfillDid(result.Total)}, nil)
}

// refuseBackfill shows the form again, with the reasons next to its fields.
func (s pages) refuseBackfill(c *gin.Context, p jobs.BackfillProps, err error) error {
	problem := app.AsProblem(err)
	if len(problem.Fields) == 0 {
		return err
	}
	l := i18n.From(c.Request.Context())
	fields := map[string]*ui.Field{"from": &p.From, "to": &p.To, "parallel": &p.Parallel}
	var wrong []string
	for _, field := range problem.Fields {
		want := app.WantIn(l, field.Want)
		name, path, _ := strings.Cut(field.Field, ".")
		switch f := fields[name]; {
		case f != nil:
			f.Error = want
		case path != "":
			wrong = append(wrong, path+": "+want)
		default:
			wrong = append(wrong, want)
		}
	}
	p.Params.Error = strings.Join(wrong, l.AddressBetween())
	app.Refused(c, problem.Code)
	return s.askBackfill(c, app.FormStatus(c), p)
}

// cancelBackfillPage asks before a backfill is cancelled.
func (s pages) cancelBackfillPage(c *gin.Context, job, id string) error {
	return s.askCancelBackfill(c, http.StatusOK, job, id, ui.Field{})
}

func (s pages) askCancelBackfill(c *gin.Context, status int, job, id string, reason ui.Field) error {
	if _, err := s.readBackfill(c, job, id); err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	return s.renderCancel(c, status, jobs.RequestCancelProps{
		Job: job, List: l.BackfillList(), ListHref: jobs.BackfillPath(job), Back: l.BackfillBack(), BackHref: jobs.BackfillPath(job),
		Submit: l.BackfillCancelSubmit(), Post: jobs.BackfillPath(job, id, "cancel"), Reason: reason,
		Effects: []string{l.BackfillCancelEffectRest(), l.BackfillCancelEffectRunning()},
	}, l.BackfillCancelTitle(job), "backfills", id)
}

// cancelBackfillFromPage is the target of the question's form.
func (s pages) cancelBackfillFromPage(c *gin.Context, job, id string) error {
	reason := typedReason(c)
	if !pageui.Confirmed(c) || reason.Error != "" {
		return s.askCancelBackfill(c, app.FormStatus(c), job, id, reason)
	}
	l := i18n.From(c.Request.Context())
	p, err := s.cancelBackfill(c, job, id, reason.Value)
	flash := ui.Flash{Title: l.BackfillDidCancel()}
	if err == nil && !p.State.Ended() {
		flash.Title = l.BackfillDidAsk()
	}
	return pageui.Done(s.Console, c, jobs.BackfillPath(job), flash, err)
}
