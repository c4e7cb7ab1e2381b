package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// requestForm is the form that requests a run: what was typed, and what is wrong with it.
type requestForm struct {
	job                                       statistics.JobDetail
	settings                                  runs.Settings
	lang                                      i18n.Lang
	params, when, in, unit, at, overlap, note string
	shards                                    []string // boxes that are checked
	ranges                                    string
	again                                     string
	last                                      []tracing.Execution // of the job's shards
	takes                                     takenParams
	wrong                                     map[string]string // by field
	notices                                   []ui.Notice
}

// mostShardBoxes is up to how many shards each has a box.
const mostShardBoxes = 24

const (
	whenNow = "now"
	whenIn  = "in"
	whenAt  = "at"
)

// whenUnit is a unit in which a delay is written.
type whenUnit struct {
	name string
	of   time.Duration
	word func(i18n.Lang) string
}

var whenUnits = []whenUnit{
	{"s", time.Second, i18n.Lang.RequestSeconds}, {"m", time.Minute, i18n.Lang.RequestMinutes}, {"h", time.Hour, i18n.Lang.RequestHours}, {"d", 24 * time.Hour, i18n.Lang.RequestDays},
}

// overlaps are the ways in which runs overlap, in the order of the form.
var overlaps = []struct {
	way        jobrun.Overlap
	word, text func(i18n.Lang) string
}{
	{jobrun.OverlapQueue, i18n.Lang.RequestOverlapQueue, i18n.Lang.RequestOverlapQueueText},
	{jobrun.OverlapOne, i18n.Lang.RequestOverlapOne, i18n.Lang.RequestOverlapOneText},
	{jobrun.OverlapSkip, i18n.Lang.RequestOverlapSkip, i18n.Lang.RequestOverlapSkipText},
	{jobrun.OverlapCancel, i18n.Lang.RequestOverlapCancel, i18n.Lang.RequestOverlapCancelText},
}

// newForm is the form as it is before anybody has typed.
func (s requestPages) newForm(c *gin.Context) (*requestForm, error) {
	job, err := s.ReadJob(c)
	if err != nil {
		return nil, err
	}
	f := &requestForm{job: job, lang: i18n.From(c.Request.Context()), when: whenNow, in: "5", unit: "m", wrong: map[string]string{}}
	f.settings = runs.Settings{Assign: jobrun.AssignEach, Overlap: jobrun.OverlapQueue}
	if job.Config != nil {
		f.settings, _ = runs.SettingsOf(job.Config)
	}
	f.overlap = string(f.settings.Overlap)
	f.pick(numbers(job.Job.Shards))
	f.ranges = ""
	return f, nil
}

// numbers are the shards of a job with n of them.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// pick chooses shards.
func (f *requestForm) pick(shards []int) {
	f.ranges, f.shards = jobtree.RunShards(shards).String(), jobtree.ItemNames(shards)
}

// formPage asks before a job runs. The form is filled in with the shards or the run that the
// address names. If the agents of the job don't accept requested runs, it asks before a trigger.
func (s requestPages) formPage(c *gin.Context) {
	f, err := s.newForm(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if !takesRuns(f.job) {
		s.showTrigger(c, readTrigger(f.job, c.Request.URL.Query()), http.StatusOK)
		return
	}
	if err := s.readSchema(c, f); err != nil {
		s.Fail(c, err)
		return
	}
	f.takes.asFields = f.takes.form != nil && c.Query("as") != "json"
	f.takes.link = url.Values{"again": c.QueryArray("again"), "shards": c.QueryArray("shards"), "fill": c.QueryArray("fill")}
	f.takes.link["item"] = c.QueryArray("item")
	ignored := append(f.strange(c), noItems(c, f.lang)...)
	if items, _ := itemsOf(c.QueryArray("item")); len(items) > 0 {
		f.pick(items)
	}
	if id := c.Query("again"); id != "" {
		run, err := s.requested().Read(c, f.job.Name, id)
		switch p := console.AsProblem(err); {
		case err == nil && run.ID == id:
			f.fill(run.Run, c.Query("shards") == "failed")
		case err != nil && p.Status() >= http.StatusInternalServerError:
			s.Fail(c, p)
			return
		default:
			ignored = append(ignored, f.lang.RequestNoAgain(strconv.Quote(view.Clip(id, 40))))
		}
	}
	if c.Query("fill") == "last" && c.Query("again") == "" {
		if err := s.fillLast(c, f); err != nil {
			s.Fail(c, err)
			return
		}
	}
	s.showForm(c, f, http.StatusOK, ignored)
}

// strange says which values of the address the form does not know.
func (f *requestForm) strange(c *gin.Context) (hints []string) {
	for name, known := range map[string][]string{"as": {"json"}, "fill": {"last"}, "shards": {"all", "failed"}} {
		if asked := c.Query(name); asked != "" && !slices.Contains(known, asked) {
			hints = append(hints, f.lang.AddressUnknown(name, strconv.Quote(view.Clip(asked, 40)), view.Join(known)))
		}
	}
	slices.Sort(hints)
	return hints
}

// fill fills the form in as a run was requested, with the shards only that failed if that
// is wanted. One that has ended is its parent.
func (f *requestForm) fill(run jobrun.Run, failed bool) {
	f.note, f.params = run.Note, shownParams(run.Params)
	f.fillFields(run)
	which := "all"
	if failed {
		which = "failed"
	}
	if list, err := console.ShardsAgain(run, which); err == nil && list != nil {
		f.pick(list)
	}
	if run.State.Ended() {
		f.again = run.ID
	}
	if run.State.Ended() && run.HasParams && len(run.Params) == 0 {
		f.notices = append(f.notices, ui.Notice{Tone: ui.ToneWarn, Heading: f.lang.RequestParameters(), Text: f.lang.RequestParamsEnded(), TestID: "request-again"})
	}
}

func (s requestPages) showForm(c *gin.Context, f *requestForm, status int, ignored []string) {
	l, name := f.lang, f.job.Name
	title := l.RequestFormTitle(name)
	if f.again != "" {
		title = l.RequestFormAgain(name)
	}
	field := func(name, value string) jobs.RequestField {
		return jobs.RequestField{Value: value, Error: f.wrong[name]}
	}
	p := jobs.RequestProps{
		Frame: s.Frame(c, title, console.AreaJobs), Job: name, JobHref: console.JobPath("/jobs", name), ListHref: console.RequestedPath(name), Post: console.RequestedPath(name),
		Again: f.again, Notices: append(f.notices, f.hindrances()...), Params: field("params", f.params), Fields: f.paramFields(), FillHref: pageui.AskRunPath(name) + "?fill=last", Note: field("note", f.note), NoteMost: strconv.Itoa(console.MaxReason), Wrong: len(f.wrong),
		When: jobs.RequestWhen{Choice: f.when, In: f.in, At: f.at, Error: f.wrong["when"]},
	}
	if f.last == nil {
		list, _ := s.ReadLastRuns(c, []string{name}, pageui.LastExecutions(f.job.Job)) // without them the usual duration is unknown
		f.last = list[name]
	}
	p.Shards, p.Effects = f.picks(), f.effects()
	p.Frame.Ignored = append(p.Frame.Ignored, ignored...)
	for _, u := range whenUnits {
		p.When.Units = append(p.When.Units, ui.Choice{Value: u.name, Label: u.word(l), Selected: u.name == f.unit})
	}
	for _, o := range overlaps {
		p.Overlaps = append(p.Overlaps, jobs.RequestChoice{Value: string(o.way), Label: o.word(l), Text: o.text(l), Chosen: string(o.way) == f.overlap, Usual: o.way == f.settings.Overlap})
	}
	p.Curl = s.Curl(c, http.MethodPost, console.JobPath("/api/jobs", name, "requested-runs"), nil, f.body(s.Now()))
	s.Render(c, status, jobs.Request(p))
}

// picks are the shards to choose from; nil if there is nothing to choose.
func (f *requestForm) picks() *jobs.RequestShards {
	n := f.job.Job.Shards
	if f.settings.Assign == jobrun.AssignOne || n < 2 {
		return nil
	}
	p := &jobs.RequestShards{Text: f.ranges, Last: strconv.Itoa(n - 1), Error: f.wrong["shards"], Owners: f.owners()}
	if n > mostShardBoxes {
		return p
	}
	board := newShardBoard(f.lang, f.job, f.last, nil, time.Time{})
	for i := range n {
		at := slices.IndexFunc(f.job.Shards, func(s statistics.Shard) bool { return s.Item == i })
		box := jobs.RequestShard{Number: strconv.Itoa(i)}
		shard := statistics.Shard{Item: i}
		if at >= 0 {
			shard = f.job.Shards[at]
			look := shardLooks[board.state(shard)]
			box.State, box.Off = ui.State{Tone: look.tone, Label: look.word(f.lang)}, shard.Disabled
		}
		box.Chosen = !box.Off && slices.Contains(f.shards, box.Number)
		owner := slices.IndexFunc(p.Owners, func(o jobs.RequestOwner) bool { return o.Name == f.ownerOf(shard) })
		p.Owners[owner].Boxes = append(p.Owners[owner].Boxes, box)
	}
	return p
}

// ownerOf is the instance that owns a shard, or that the shard isn't assigned.
func (f *requestForm) ownerOf(s statistics.Shard) string {
	if !slices.ContainsFunc(f.job.Instances, func(i statistics.Instance) bool { return i.ID == s.Instance }) {
		return f.lang.JobUnassigned()
	}
	return s.Instance
}

// owners are the instances, each with the number of its shards.
func (f *requestForm) owners() (list []jobs.RequestOwner) {
	count := make(map[string]int)
	for i, s := range f.job.Shards {
		if i < f.job.Job.Shards {
			count[f.ownerOf(s)]++
		}
	}
	if missing := f.job.Job.Shards - len(f.job.Shards); missing > 0 {
		count[f.lang.JobUnassigned()] += missing
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		list = append(list, jobs.RequestOwner{Name: name, Count: f.lang.RequestShardsOn(count[name])})
	}
	return list
}

// hindrances are the reasons why the run won't begin at once.
func (f *requestForm) hindrances() (list []ui.Notice) {
	l, j := f.lang, f.job.Job
	warn := func(heading, text, id string) {
		list = append(list, ui.Notice{Tone: ui.ToneWarn, Heading: heading, Text: text, TestID: id})
	}
	switch {
	case len(f.job.Instances) == 0:
		warn(l.HealthDown(), l.RequestNobody(), "run-nobody")
	case j.Servers > 0 && j.DisabledServers == j.Servers:
		warn(l.HealthDisabled(), l.RequestDisabled(), "run-disabled")
	}
	if held := pageui.HeldNote(l, f.job, false); held != nil {
		warn(held.Title, l.RequestHeld(), "run-held")
	}
	if j.RunningShards > 0 {
		list = append(list, ui.Notice{Tone: ui.ToneRun, Heading: l.HealthRunning(), Text: l.RequestRunning(j.RunningShards), TestID: "run-running"})
	}
	return list
}

// effects describe where the run takes place if there's no choice, and how long it takes.
func (f *requestForm) effects() (list []string) {
	plan := console.PlanRerun(f.job, numbers(f.job.Job.Shards))
	switch {
	case f.settings.Assign == jobrun.AssignOne:
		list = append(list, f.lang.RequestOnOne())
	case f.job.Job.Shards == 1 && len(plan.At) == 1:
		list = append(list, f.lang.RequestOn(plan.At[0].Instance))
	}
	if usual := usualSpan(plan, f.last); usual > 0 {
		list = append(list, f.lang.RerunEffectUsual(pageui.Took(f.lang, usual)))
	}
	return list
}

// read takes what was typed.
func (f *requestForm) read(v url.Values) {
	f.params, f.when, f.in, f.unit, f.at = v.Get("params"), v.Get("when"), strings.TrimSpace(v.Get("in")), v.Get("unit"), v.Get("at")
	f.overlap, f.note, f.again = v.Get("overlap"), strings.TrimSpace(v.Get("note")), v.Get("again")
	f.shards, f.ranges = v["shard"], strings.TrimSpace(v.Get("shards"))
	if f.again != "" {
		f.takes.link = url.Values{"again": {f.again}}
	}
	if f.takes.asFields {
		f.takes.typed = f.takes.form.keep(v)
	}
}

// request is what the form asks for; what is wrong is noted beside its field.
func (f *requestForm) request(now time.Time) (r jobrun.Request) {
	l := f.lang
	r = jobrun.Request{Params: f.typedParams(), Overlap: jobrun.Overlap(f.overlap), Note: f.note, Manual: true, Parent: f.again}
	if n := utf8.RuneCountInString(f.note); n > console.MaxReason {
		f.wrong["note"] = l.RequestWrongNote(n, strconv.Itoa(console.MaxReason))
	}
	switch f.when {
	case whenIn:
		n, err := strconv.Atoi(f.in)
		unit := slices.IndexFunc(whenUnits, func(u whenUnit) bool { return u.name == f.unit })
		switch {
		case err != nil || n < 1 || unit < 0:
			f.wrong["when"] = l.RequestWrongIn()
		case n > int(mostAhead/whenUnits[unit].of):
			f.wrong["when"] = l.RequestWrongFar()
		default:
			r.Delay = time.Duration(n) * whenUnits[unit].of
		}
	case whenAt:
		at, ok := parseAt(f.at)
		switch {
		case !ok || !at.After(now):
			f.wrong["when"] = l.RequestWrongAt()
		case at.After(now.Add(mostAhead)):
			f.wrong["when"] = l.RequestWrongFar()
		}
		r.NotBefore = at
	}
	r.Shards = f.chosen()
	return r
}

// mostAhead is how far ahead the time of a run may be.
const mostAhead = 365 * 24 * time.Hour

// parseAt reads a time as browsers write it in such a field, which is in UTC.
func parseAt(text string) (time.Time, bool) {
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if t, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// chosen are the shards that take part, nil for all.
func (f *requestForm) chosen() []int {
	picks := f.picks()
	if picks == nil {
		return nil
	}
	if boxes, off := picks.Count(); boxes > 0 {
		list, _ := itemsOf(f.shards)
		switch len(list) {
		case 0:
			f.wrong["shards"] = f.lang.RequestWrongShards()
		case boxes, boxes - off:
			return nil
		}
		return list
	}
	if f.ranges == "" {
		return nil
	}
	var list jobtree.RunShards
	if err := list.UnmarshalText([]byte(strings.ReplaceAll(f.ranges, " ", ""))); err != nil || len(list) == 0 || list[len(list)-1] >= f.job.Job.Shards {
		f.wrong["shards"] = f.lang.RequestWrongRanges(picks.Last)
	}
	return list
}

// compact is JSON without the white space between its values; what is no JSON stays as
// it is, to be refused.
func compact(text string) json.RawMessage {
	text = strings.TrimSpace(text)
	var short bytes.Buffer
	if text == "" || json.Compact(&short, []byte(text)) != nil {
		return json.RawMessage(text)
	}
	return short.Bytes()
}

// submit is the target of the form.
func (s requestPages) submit(c *gin.Context) {
	f, err := s.newForm(c)
	if err == nil && c.Request.ParseForm() != nil {
		err = console.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged)
	}
	var changed bool
	if err == nil {
		changed, err = s.sentFields(c, f)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	f.read(c.Request.PostForm)
	r := f.request(s.Now())
	if console.Resumed(c) {
		s.showForm(c, f, http.StatusOK, nil)
		return
	}
	if len(f.wrong) > 0 || changed {
		if err := f.takes.schema.Check(r.Params); err != nil { // everything at once
			f.refuse(console.RunParamsProblem(f.job.Name, err))
		}
		console.Refused(c, "invalid")
		s.showForm(c, f, http.StatusUnprocessableEntity, nil)
		return
	}
	ticket, err := s.requested().Submit(c, f.job.Name, console.FromPage, r)
	if err != nil {
		p := console.AsProblem(err)
		s.LogFailure(c, p)
		f.refuse(p)
		s.showForm(c, f, p.Status(), nil)
		return
	}
	flash := ui.Flash{Tone: ui.ToneOK, Title: f.lang.RequestDidSubmit()}
	switch {
	case ticket.Repeated:
		flash = ui.Flash{Tone: ui.ToneWarn, Title: f.lang.RequestDidRepeat()}
	case ticket.Wait != "":
		flash = ui.Flash{Tone: ui.ToneWarn, Title: f.lang.RequestDidSubmit(), Lines: []string{f.lang.RequestNobody()}}
	}
	s.SetFlash(c, flash)
	s.RedirectHere(c, console.RequestedPath(f.job.Name, ticket.ID))
}

// refuse puts what is wrong beside its field; what is about no field stands above all.
func (f *requestForm) refuse(p *console.Problem) {
	var params []string
	for _, field := range p.Fields {
		want := console.WantIn(f.lang, field.Want)
		switch name, path, _ := strings.Cut(field.Field, "."); {
		case path != "":
			params = append(params, path+": "+want)
		case name == "params":
			params = append(params, want)
		case name == "delay" || name == "notBefore":
			f.wrong["when"] = want
		default:
			f.wrong[name] = want
		}
	}
	switch {
	case len(params) == 0:
	case f.takes.asFields:
		f.refuseFields(p, params)
	default:
		f.wrong["params"] = f.sentence(params)
	}
	if len(p.Fields) == 0 {
		f.notices = append(f.notices, pageui.ProblemNotice(f.lang, p, ui.ToneBad, "request-refused"))
	}
}

func (f *requestForm) sentence(texts []string) string {
	return strings.Join(texts, f.lang.AddressBetween()) + f.lang.AddressEnd()
}

// body is the request of the REST interface that does the same.
func (f *requestForm) body(now time.Time) string {
	in := struct {
		Params    json.RawMessage `json:"params,omitempty"`
		Delay     string          `json:"delay,omitempty"`
		NotBefore string          `json:"notBefore,omitempty"`
		Shards    []int           `json:"shards,omitempty"`
		Overlap   string          `json:"overlap,omitempty"`
		Note      string          `json:"note,omitempty"`
		Manual    bool            `json:"manual"`
	}{Overlap: f.overlap, Note: f.note, Manual: true}
	g := *f
	g.wrong = map[string]string{} // those are of the form
	r := g.request(now)
	if json.Valid(r.Params) {
		in.Params = f.shownInCurl(r.Params)
	}
	if r.Delay > 0 {
		in.Delay = r.Delay.String()
	}
	if !r.NotBefore.IsZero() {
		in.NotBefore = r.NotBefore.Format(time.RFC3339)
	}
	in.Shards = r.Shards
	text, err := rawjson.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("pages: JSON of a request: %v", err)) // texts and valid JSON
	}
	return string(text)
}
