package bulk

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// maxBody bounds the form of [pageui.BulkRoute]. A job's name has up to nine bytes per character there.
const maxBody = 256 << 10

// localTime is how browsers send a time.
const localTime = "2006-01-02T15:04"

// againHours are the times at which jobs can be enabled again without writing one.
var againHours = []int{1, 4, 12, 24}

// Routes are the pages and REST routes of actions on several jobs or shards.
func Routes(s *app.Console) []app.Route {
	const operate, reg, hist, own = app.Operates, app.TheRegistry, app.TheHistory, app.TheSettings
	p := service{s}
	list := []app.Route{
		app.Get(pageui.BulkRoute, operate, reg|hist, p.page).Asks(slices.Concat(query.JobsNames, []string{"do", "job", "all", "return", "once", "reason", "again", "at", "label", "what"})...),
		app.Post(pageui.BulkRoute, operate, reg, p.fromPage).WithBody(maxBody).Resumes(),
		app.Get(pageui.BulkRoute+"/:id", operate, reg|own, p.changePage).Asks(),
		app.Get(pageui.BulkRoute+"/:id/result", operate, reg|own, p.exportChange),
		app.Post(pageui.BulkRoute+"/:id/undo", operate, reg|own, p.undoFromPage),
		app.Post("/jobs/:job/stay-disabled", operate, reg|own, p.stayDisabled),
		app.Get(ExportRoute, app.SignedIn, reg|hist, p.exportJobs),
		app.Post("/api/bulk", operate, reg, p.post).PerJob().Documented(documentation),
	}
	for _, o := range []app.Action{app.DisableShard, app.EnableShard} {
		list = append(list,
			app.Get("/jobs/:job/shards/"+o.Verb, operate, reg, p.shardsPage(o)).Asks("item", "reason", "once"),
			app.Post("/jobs/:job/shards/"+o.Verb, operate, reg, p.shardsFromPage(o)).Resumes())
	}
	return list
}

// request is an action on several jobs as the address of the page, or its form, asks for it.
type request struct {
	bulk
	asked int // the number of jobs; of more than are taken at once it is about the first
	back  string
	// again and at are the fields of the time at which to enable.
	again, at string
	// reasonErr and againErr are the errors of the form, ignored the unknown parts of its address.
	reasonErr, againErr string
	ignored             []string
}

// read reads the request.
func (s service) read(c *gin.Context, v url.Values) (*request, error) {
	verb := v.Get("do")
	i := slices.IndexFunc(actions, func(o app.Action) bool { return o.Verb == verb })
	if i < 0 {
		return nil, app.Invalid("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemNoAction(strconv.Quote(view.Clip(verb, 40))), l.ProblemNoActionHint()
		})
	}
	r := &request{bulk: bulk{action: actions[i], reason: strings.TrimSpace(v.Get("reason")), change: pageui.FormID(v)}, back: "/jobs", again: v.Get("again"), at: v.Get("at")}
	if back := v.Get("return"); back != "" {
		r.back = strings.TrimPrefix(app.SafeNext(back), app.PlaceOf(c).Prefix)
	}
	if r.action.Verb == app.Label.Verb && v.Has("label") {
		label := strings.TrimSpace(v.Get("label"))
		r.label = &label
	}
	if what := jobrun.Held(v.Get("what")); what != "" && !slices.Contains(app.Holds, what) {
		return nil, unknown("what", string(what), "schedule, requests, all")
	}
	if r.action.Verb == app.Hold.Verb {
		r.what = cmp.Or(jobrun.Held(v.Get("what")), jobrun.HeldSchedule)
	}
	var err error
	r.jobs, r.asked, err = s.selectedJobs(c, v)
	return r, err
}

// unknown is the problem of a value in the address that isn't one of those in want.
func unknown(name, value, want string) *app.Problem {
	return app.Misunderstood(query.Problems{func(l i18n.Lang) string {
		return l.AddressUnknown(name, strconv.Quote(view.Clip(value, 40)), want)
	}}, i18n.Lang.AddressCorrectFilter)
}

// selectedJobs are the jobs that an address selects: the named jobs, or with all
// the jobs of a view. Of more than are taken at once it returns the first; asked is their number.
func (s service) selectedJobs(c *gin.Context, v url.Values) (names []string, asked int, err error) {
	switch all := v.Get("all"); all {
	case "1":
	case "":
		for _, name := range v["job"] {
			if name != "" && !slices.Contains(names, name) {
				asked++
				if asked <= app.MostAtOnce {
					names = append(names, name)
				}
			}
		}
		return names, asked, nil
	default:
		return nil, 0, unknown("all", all, "1")
	}
	q, problems := query.ParseJobsPage(v)
	if len(problems) > 0 { // an unknown filter must not select all jobs
		return nil, 0, app.Misunderstood(problems, i18n.Lang.AddressCorrectFilter)
	}
	list, err := s.ReadJobs(c)
	if err != nil {
		return nil, 0, err
	}
	q.Page, q.Size = 1, app.MostAtOnce
	seen := s.ReadHealth(c, list).Seen()
	if seen.OnServer, err = s.JobsOn(c, q.Server()); err != nil {
		return nil, 0, err
	}
	found := q.Select(list, s.Now(), seen)
	for _, j := range found.Rows {
		names = append(names, j.Name)
	}
	return names, found.Total, nil
}

// page shows what an action on several jobs would do, and asks.
func (s service) page(c *gin.Context) error {
	r, err := s.read(c, c.Request.URL.Query())
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	if r.action.Verb == app.Disable.Verb {
		s.readAgain(l, r)
	}
	_, problems := query.ParseJobsPage(c.Request.URL.Query())
	r.ignored = problems.In(l)
	return s.ask(c, r, http.StatusOK)
}

// ask renders the page.
func (s service) ask(c *gin.Context, r *request, status int) error {
	var results []result
	var list []statistics.Job
	var err error
	l := i18n.From(c.Request.Context())
	labelErr := r.wrongLabel(l)
	if len(r.jobs) > 0 {
		if !r.asksLabel() {
			preview := r.bulk
			preview.preview, preview.reason = true, ""
			results, err = s.submit(c, preview)
		}
		if err == nil {
			list, err = s.ReadJobs(c)
		}
		if err != nil {
			return err
		}
	}
	p := props(l, r, results, list)
	p.Frame = s.Frame(c, p.Heading, app.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, r.ignored...)
	s.addSwitches(c, &p)
	if r.action.Verb == app.Label.Verb && len(r.jobs) > 0 {
		p.Label = labelField(r, labelErr, list)
	}
	if p.Once = r.change; p.Once == "" {
		p.Once = ui.NewFormID()
	}
	stores := s.Options().Settings != nil
	if r.action.Verb == app.Disable.Verb && p.Button != "" {
		if stores {
			p.Again = againField(l, r, s.Now())
			p.Effects = append(p.Effects, l.BulkAgainEffect())
		} else {
			p.NoAgain = l.BulkAgainNone()
		}
	}
	if p.Button != "" && canUndo(r.action.Verb) && stores {
		p.Effects = append(p.Effects, l.BulkEffectUndo())
	}
	if len(p.Names) > 0 && !r.asksLabel() {
		p.Curl = s.Curl(c, http.MethodPost, "/api/bulk", nil, r.curlBody(p.Names))
	}
	s.Render(c, status, jobs.Bulk(p))
	return nil
}

// curlBody is the body of the REST request that does the same as the form.
func (r *request) curlBody(names []string) string {
	body := api.BulkRequest{Order: r.action.Verb, Jobs: names, Preview: new(bool), Reason: r.reason, Label: r.label, What: r.what}
	if !r.enableAt.IsZero() {
		body.EnableAt = view.IsoTime(r.enableAt)
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("bulk: JSON of strings: %v", err)) // strings always marshal
	}
	return string(text)
}

// props are the parts of the page that show what would happen.
func props(l i18n.Lang, r *request, results []result, list []statistics.Job) jobs.BulkProps {
	w := wordsOf[r.action.Verb]
	p := jobs.BulkProps{
		Heading: w.many(l, len(r.jobs)), RowLabel: l.BulkRows(), Subject: l.BulkJob(), Post: pageui.BulkRoute, Field: "job", Verb: r.action.Verb, Return: r.back,
	}
	if len(r.jobs) == 1 {
		p.Heading, p.Job, p.JobHref = w.one(l, view.Clip(r.jobs[0], 100)), view.Clip(r.jobs[0], 100), app.JobPath("/jobs", r.jobs[0])
	}
	if len(r.jobs) == 0 {
		p.Empty = &ui.Empty{Heading: l.BulkNone(), Text: l.BulkNoneText(), Href: r.back, Label: l.BulkNoneBack(), TestID: "bulk-none"}
		return p
	}
	warn := func(heading, text, id string) {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: heading, Text: text, TestID: id})
	}
	if r.asked > len(r.jobs) {
		warn(l.BulkTooMany(r.asked), l.BulkTooManyText(len(r.jobs)), "bulk-too-many")
	}
	if r.asksLabel() {
		p.Rows = labelRows(l, r, list)
		return p
	}
	sum := r.addRows(l, &p, results, list)
	if p.Counts = sum.preview(l, w); sum.will == 0 {
		warn(l.BulkNothing(), l.BulkNothingText(), "bulk-nothing")
		return p
	}
	p.Sum, p.Button = w.sum(l, sum.targets), w.submit(l, sum.will)
	if r.label != nil {
		p.Fields = [][2]string{{"label", *r.label}}
	}
	if r.what != "" {
		p.What = pageui.HoldChoices(l, r.what)
	}
	for _, effect := range w.effects {
		p.Effects = append(p.Effects, effect(l))
	}
	p.Reason = reasonField(l.BulkReasonHint(), r.reason, r.reasonErr, r.action.Verb == app.Disable.Verb)
	return p
}

// reasonField asks for the reason of an action.
func reasonField(hint, value, wrong string, required bool) *jobs.BulkReason {
	return &jobs.BulkReason{Hint: hint, Value: value, Error: wrong, Required: required, Most: strconv.Itoa(app.MaxReason)}
}

// wrongReason is the error of a reason. missing is the error of an empty one; empty if it may be empty.
func wrongReason(l i18n.Lang, reason, missing string) string {
	switch n := utf8.RuneCountInString(reason); {
	case n == 0:
		return missing
	case n > app.MaxReason:
		return l.BulkReasonLong(n, app.MaxReason)
	}
	return ""
}

// addRows adds what would happen to each job.
func (r *request) addRows(l i18n.Lang, p *jobs.BulkProps, results []result, list []statistics.Job) (sum counts) {
	running := make(map[string]bool)
	for _, j := range list {
		running[j.Name] = j.RunningShards > 0
	}
	for i, one := range results {
		name := r.jobs[i]
		row := jobs.BulkRow{Name: one.Job, Href: app.JobPath("/jobs", name)}
		if sum.row(l, wordsOf[r.action.Verb], &row, one.refusal(l), len(one.Affected)) {
			if r.label != nil {
				row.How = labelChange(l, one.had, *r.label)
			}
			if running[name] && r.action.Verb == app.Disable.Verb {
				row.Note = l.BulkRunning()
			}
			p.Names = append(p.Names, name)
		} else if one.refused != nil && one.refused.Status() == http.StatusNotFound {
			row.Href = ""
		}
		p.Rows = append(p.Rows, row)
	}
	return sum
}

// canUndo reports whether an action on several jobs can be undone.
func canUndo(verb string) bool { return verb != app.Trigger.Verb && !ofRuns(verb) }

// fromPage is the target of the page's form.
func (s service) fromPage(c *gin.Context) error {
	if err := c.Request.ParseForm(); err != nil {
		return app.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged)
	}
	r, err := s.read(c, c.Request.PostForm)
	if err != nil {
		return err
	}
	l, missing := i18n.From(c.Request.Context()), ""
	if r.action.Verb == app.Disable.Verb {
		missing = l.BulkReasonMissing()
		s.readAgain(l, r)
	}
	r.reasonErr = wrongReason(l, r.reason, missing)
	if r.reasonErr != "" || r.againErr != "" || r.asksLabel() || len(r.jobs) == 0 || r.asked > len(r.jobs) || app.Resumed(c) {
		app.Refused(c, "not_confirmed")
		return s.ask(c, r, app.FormStatus(c))
	}
	results, err := s.submit(c, r.bulk)
	if errors.Is(err, app.ErrRepeated) {
		return pageui.Done(s.Console, c, r.back, pageui.RepeatedFlash(l, r.change), nil)
	}
	w := wordsOf[r.action.Verb]
	f, done := flashOf(l, results, w.how(l), func(i int) string { return results[i].Job })
	f.Title, f.Links = w.done(l, done), s.changeLinks(l, r.change, canUndo(r.action.Verb))
	return pageui.Done(s.Console, c, r.back, f, err)
}

// readAgain reads the time to enable again, and its error.
func (s service) readAgain(l i18n.Lang, r *request) {
	var err error
	if r.at != "" {
		r.enableAt, err = time.Parse(localTime, r.at)
	} else if r.again != "" {
		var hours int
		hours, err = strconv.Atoi(r.again)
		if !slices.Contains(againHours, hours) {
			err = strconv.ErrRange
		}
		r.enableAt = s.Now().Add(time.Duration(hours) * time.Hour)
	}
	if err != nil || s.checkEnableAt(r.enableAt) != nil {
		r.enableAt, r.againErr = time.Time{}, l.BulkAgainWrong()
	}
}

// againField is the choice of when to enable again.
func againField(l i18n.Lang, r *request, now time.Time) *jobs.BulkAgain {
	p := &jobs.BulkAgain{
		Choices: []ui.Choice{{Label: l.BulkAgainNever(), Selected: r.again == ""}}, At: r.at, Error: r.againErr,
		From: now.UTC().Format(localTime), Until: now.UTC().Add(app.MaxEnableIn).Format(localTime),
	}
	for _, n := range againHours {
		value := strconv.Itoa(n)
		p.Choices = append(p.Choices, ui.Choice{Value: value, Label: l.BulkAgainHour(n), Selected: r.again == value})
	}
	return p
}

// addSwitches adds who disabled the jobs that are disabled already.
func (s service) addSwitches(c *gin.Context, p *jobs.BulkProps) {
	if p.Verb != app.Disable.Verb {
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
			p.Rows[i].Note = pageui.SwitchedBy(w)
		}
	}
}

// stayDisabled cancels that a job is enabled at a time.
func (s service) stayDisabled(c *gin.Context) error {
	name, err := app.JobName(c)
	if err != nil {
		return err
	}
	return pageui.Done(s.Console, c, app.JobPath("/jobs", name), ui.Flash{Title: i18n.From(c.Request.Context()).BulkStayDone(name)}, s.keepDisabled(c, name))
}
