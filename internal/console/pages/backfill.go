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
	p.From.Value, p.To.Value, p.Params.Value = f.from, f.to, f.params
	p.Effects = []string{l.BackfillEffectEach(), l.BackfillEffectOrder(), l.BackfillEffectTime(), l.BackfillEffectRepeat(strconv.Itoa(jobrun.MostBackfilled))}
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, f.ignored...)
	body := map[string]any{"from": isoOr(f.from), "to": isoOr(f.to), "preview": p.Preview == nil}
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
	f := backfillForm{from: strings.TrimSpace(c.PostForm("from")), to: strings.TrimSpace(c.PostForm("to")), params: strings.TrimSpace(c.PostForm("params"))}
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
	if p.From.Error+p.To.Error+p.Params.Error != "" || console.Resumed(c) {
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
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: l.BackfillDid(result.Created), Lines: []string{l.BackfillDidRepeated(result.Repeated)}})
	s.RedirectHere(c, console.RequestedPath(job))
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
		want := field.WantIn(l)
		switch name, path, _ := strings.Cut(field.Field, "."); {
		case name == "from":
			p.From.Error = want
		case name == "to":
			p.To.Error = want
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
		p.Refused = append(p.Refused, jobs.BackfillRefused{At: view.DateTime(refused.At), Why: refusedWhy(l, refused.Property)})
	}
	if more := plan.RefusedCount - len(p.Refused); more > 0 {
		p.RefusedMore = l.BackfillMore(more)
	}
	return p
}
