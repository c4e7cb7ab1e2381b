package requested

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/requested/params"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// form is the Run… dialog: the form that requests a run.
type form struct {
	job      statistics.JobDetail
	settings runs.Settings
	lang     i18n.Lang
	typed    url.Values          // the values of all fields
	wrong    map[string]string   // the errors, by field
	last     []tracing.Execution // of the job's shards
	notices  []ui.Notice

	schema   *runparams.Schema // of the parameters; nil for any
	schemaID string
	fields   *params.Form // nil if the schema makes none
	asFields bool         // the parameters have fields, and not one for JSON
	link     url.Values   // leads to this form again
}

const (
	// mostShardBoxes is the number of shards up to which each has a box.
	mostShardBoxes = 24
	// mostAhead bounds how far ahead the time of a run may be.
	mostAhead = 365 * 24 * time.Hour
	// mostListed bounds the runs among which the last one with parameters is looked for, mostRead the
	// runs that are read for it.
	mostListed = 100
	mostRead   = 10
)

// unit is a unit of a delay.
type unit struct {
	name string
	of   time.Duration
	word func(i18n.Lang) string
}

var units = []unit{
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

// newForm is the form with its first values.
func (s pages) newForm(c *gin.Context) (*form, error) {
	job, err := s.ReadJob(c)
	if err != nil {
		return nil, err
	}
	f := &form{job: job, lang: i18n.From(c.Request.Context()), wrong: map[string]string{}, link: url.Values{}}
	f.settings = runs.Settings{Assign: jobrun.AssignEach, Overlap: jobrun.OverlapQueue}
	if job.Config != nil {
		f.settings, _ = runs.SettingsOf(job.Config)
	}
	f.typed = url.Values{"when": {"now"}, "in": {"5"}, "unit": {"m"}, "overlap": {string(f.settings.Overlap)}}
	f.pick(numbers(job.Job.Shards))
	f.typed.Del("shards")
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
func (f *form) pick(shards []int) {
	f.typed.Set("shards", jobtree.RunShards(shards).String())
	f.typed["shard"] = jobtree.ItemNames(shards)
}

// note adds a notice about the parameters.
func (f *form) note(tone ui.Tone, text, testID string) {
	f.notices = append(f.notices, ui.Notice{Tone: tone, Heading: f.lang.RequestParameters(), Text: text, TestID: testID})
}

// formPage asks before a job runs. The form is filled in with the shards or the run that the
// address names. If the agents of the job don't accept requested runs, it asks before a trigger.
func (s pages) formPage(c *gin.Context) error {
	f, err := s.newForm(c)
	if err != nil {
		return err
	}
	if !takesRuns(f.job) {
		return s.showTrigger(c, readTrigger(f.lang, f.job, c.Request.URL.Query()), http.StatusOK)
	}
	if err := s.readSchema(c, f); err != nil {
		return err
	}
	f.asFields = f.fields != nil && c.Query("as") != "json"
	for _, name := range []string{"again", "shards", "fill", "item"} {
		if values := c.QueryArray(name); len(values) > 0 {
			f.link[name] = values
		}
	}
	ignored := append(f.unknown(c), pageui.UnknownItems(c, f.lang)...)
	if items, _ := pageui.ShardItems(c.QueryArray("item")); len(items) > 0 {
		f.pick(items)
	}
	switch id := c.Query("again"); {
	case id != "":
		run, err := s.read(c, f.job.Name, id)
		switch p := app.AsProblem(err); {
		case err == nil && run.ID == id:
			f.fill(run.Run, c.Query("shards"))
		case err != nil && p.Status() >= http.StatusInternalServerError:
			return p
		default:
			ignored = append(ignored, f.lang.RequestNoAgain(strconv.Quote(view.Clip(id, 40))))
		}
	case c.Query("fill") == "last":
		if err := s.fillLast(c, f); err != nil {
			return err
		}
	}
	return s.showForm(c, f, http.StatusOK, ignored)
}

// unknown are hints at values of the address that the form does not know.
func (f *form) unknown(c *gin.Context) (hints []string) {
	for name, known := range map[string][]string{"as": {"json"}, "fill": {"last"}, "shards": {"all", "failed"}} {
		if asked := c.Query(name); asked != "" && !slices.Contains(known, asked) {
			hints = append(hints, f.lang.AddressUnknown(name, strconv.Quote(view.Clip(asked, 40)), view.Join(known)))
		}
	}
	slices.Sort(hints)
	return hints
}

// fill fills the form in as a run was requested, with the failed shards or all. A run that has ended
// is its parent.
func (f *form) fill(run jobrun.Run, which string) {
	f.typed.Set("note", run.Note)
	f.fillParams(run.Params)
	if which != "failed" {
		which = "all"
	}
	if list, err := shardsAgain(run, which); err == nil && list != nil {
		f.pick(list)
	}
	if run.State.Ended() {
		f.typed.Set("again", run.ID)
		if run.HasParams && len(run.Params) == 0 {
			f.note(ui.ToneWarn, f.lang.RequestParamsEnded(), "request-again")
		}
	}
}

// fillLast fills in the parameters of the newest run that has any. It leaves the time and the
// shards of the run as they are: only a repeated run has the same ones.
func (s pages) fillLast(c *gin.Context, f *form) error {
	p, err := s.list(c, f.job.Name, query.Requested{Limit: mostListed})
	if err != nil {
		return err
	}
	runs := slices.DeleteFunc(p.Runs, func(r Found) bool { return !r.HasParams })
	slices.SortFunc(runs, func(a, b Found) int { return b.Submitted.Compare(a.Submitted) })
	for _, listed := range runs[:min(len(runs), mostRead)] {
		found, err := s.read(c, f.job.Name, listed.ID) // the list may have no parameters
		if err != nil && app.AsProblem(err).Status() >= http.StatusInternalServerError {
			return err
		}
		if err == nil && len(found.Params) > 0 {
			f.note(ui.ToneRun, f.lang.RequestFilled(found.ID), "request-filled")
			f.fillParams(found.Params)
			return nil
		}
	}
	f.note(ui.ToneWarn, f.lang.RequestFillNone(), "request-filled")
	return nil
}

// fillParams fills in parameters. Parameters that don't fit into the fields are shown as JSON.
func (f *form) fillParams(raw json.RawMessage) {
	f.typed.Set("params", params.Pretty(raw))
	if !f.asFields || len(raw) == 0 {
		return
	}
	typed, fits := f.fields.Fill(raw)
	if f.asFields = fits; !fits {
		f.note(ui.ToneWarn, f.lang.RequestParamsUnfit(), "request-unfit")
		return
	}
	for name := range f.fields.Fresh {
		f.typed.Del(name)
	}
	maps.Copy(f.typed, typed)
}

// readSchema reads the schema of the job's parameters. The schema of a later version is ignored.
func (s pages) readSchema(c *gin.Context, f *form) error {
	stored, err := s.schema(c, f.job.Name)
	if err != nil && app.AsProblem(err).Status() >= http.StatusInternalServerError {
		return err
	}
	if err != nil || len(stored.Text) == 0 {
		return nil
	}
	schema, err := runparams.Parse(stored.Text)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(stored.Text)
	f.schema, f.fields, f.schemaID = schema, params.New(schema), hex.EncodeToString(sum[:8])
	if f.fields != nil {
		maps.Copy(f.typed, f.fields.Fresh)
	}
	return nil
}

func (s pages) showForm(c *gin.Context, f *form, status int, ignored []string) error {
	l, name := f.lang, f.job.Name
	title := l.RequestFormTitle(name)
	if f.typed.Get("again") != "" {
		title = l.RequestFormAgain(name)
	}
	if f.last == nil {
		list, _ := s.ReadLastRuns(c, []string{name}, pageui.LastExecutions(f.job.Job)) // without them the usual duration is unknown
		f.last = list[name]
	}
	p := jobs.RequestProps{
		Frame: s.Frame(c, title, app.AreaJobs), Job: name, Typed: f.typed, Wrong: f.wrong,
		Notices: append(f.notices, f.hindrances()...), Params: f.shownParams(), Shards: f.picks(), Effects: f.effects(),
	}
	p.Frame.Ignored = append(p.Frame.Ignored, ignored...)
	for _, u := range units {
		p.Units = append(p.Units, ui.Choice{Value: u.name, Label: u.word(l), Selected: u.name == f.typed.Get("unit")})
	}
	for _, o := range overlaps {
		label := o.word(l) + " · " + o.text(l)
		if o.way == f.settings.Overlap {
			label += " (" + l.RequestOverlapJob() + ")"
		}
		p.Overlaps = append(p.Overlaps, ui.Choice{Value: string(o.way), Label: label, Selected: string(o.way) == f.typed.Get("overlap")})
	}
	p.Curl = s.Curl(c, http.MethodPost, app.JobPath("/api/jobs", name, "requested-runs"), nil, f.body(s.Now()))
	s.Render(c, status, jobs.Request(p))
	return nil
}

// shownParams are the fields of the parameters on the page, nil if the schema makes none.
func (f *form) shownParams() *jobs.RequestParams {
	if f.fields == nil {
		return nil
	}
	asJSON := maps.Clone(f.link)
	asJSON.Set("as", "json")
	p := &jobs.RequestParams{
		FormHref: query.WithQuery(pageui.AskRunPath(f.job.Name), f.link), JSONHref: query.WithQuery(pageui.AskRunPath(f.job.Name), asJSON),
		AsJSON: !f.asFields, Schema: f.schemaID, Secrets: f.schema.HasSecrets(),
	}
	if f.asFields {
		p.Fields = f.fields.Fields
	}
	return p
}

// picks are the shards to choose from; nil if there is nothing to choose.
func (f *form) picks() *jobs.RequestShards {
	n := f.job.Job.Shards
	if f.settings.Assign == jobrun.AssignOne || n < 2 {
		return nil
	}
	p := &jobs.RequestShards{Last: strconv.Itoa(n - 1)}
	shards, ran := make([]statistics.Shard, n), make(map[int][]tracing.Execution)
	known := make(map[int]bool)
	for i := range shards {
		shards[i].Item = i
	}
	for _, s := range f.job.Shards {
		if s.Item < n {
			shards[s.Item], known[s.Item] = s, true
		}
	}
	for _, e := range f.last {
		ran[e.Item] = append(ran[e.Item], e)
	}
	count, boxes := make(map[string]int), make(map[string][]jobs.RequestShard)
	for i, shard := range shards {
		owner := shard.Instance
		if !slices.ContainsFunc(f.job.Instances, func(i statistics.Instance) bool { return i.ID == owner }) {
			owner = f.lang.JobUnassigned()
		}
		count[owner]++
		if n > mostShardBoxes {
			continue
		}
		box := jobs.RequestShard{Number: strconv.Itoa(i), Off: shard.Disabled}
		if known[i] {
			look := pageui.ShardLooks[pageui.StateOfShard(shard, ran[i], false)]
			box.State = ui.State{Tone: look.Tone, Label: look.Word(f.lang)}
		}
		box.Chosen = !box.Off && slices.Contains(f.typed["shard"], box.Number)
		boxes[owner] = append(boxes[owner], box)
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		p.Owners = append(p.Owners, jobs.RequestOwner{Name: name, Count: f.lang.RequestShardsOn(count[name]), Boxes: boxes[name]})
	}
	return p
}

// hindrances are the reasons why the run won't begin at once.
func (f *form) hindrances() (list []ui.Notice) {
	l, j := f.lang, f.job.Job
	add := func(tone ui.Tone, heading, text, id string) {
		list = append(list, ui.Notice{Tone: tone, Heading: heading, Text: text, TestID: id})
	}
	switch {
	case len(f.job.Instances) == 0:
		add(ui.ToneWarn, l.HealthDown(), l.RequestNobody(), "run-nobody")
	case j.Servers > 0 && j.DisabledServers == j.Servers:
		add(ui.ToneWarn, l.HealthDisabled(), l.RequestDisabled(), "run-disabled")
	}
	if held := pageui.HeldNote(l, f.job, false); held != nil {
		add(ui.ToneWarn, held.Title, l.RequestHeld(), "run-held")
	}
	if j.RunningShards > 0 {
		add(ui.ToneRun, l.HealthRunning(), l.RequestRunning(j.RunningShards), "run-running")
	}
	return list
}

// effects describe where the run takes place if there's no choice, and how long it takes.
func (f *form) effects() (list []string) {
	plan := planRerun(f.lang, f.job, numbers(f.job.Job.Shards))
	switch {
	case f.settings.Assign == jobrun.AssignOne:
		list = append(list, f.lang.RequestOnOne())
	case f.job.Job.Shards == 1 && len(plan.at) == 1:
		list = append(list, f.lang.RequestOn(plan.at[0].instance))
	}
	if usual := plan.usualSpan(f.last); usual > 0 {
		list = append(list, f.lang.RerunEffectUsual(pageui.Took(f.lang, usual)))
	}
	return list
}

// request is the request that the form asks for. Errors are noted at their fields.
func (f *form) request(now time.Time) jobrun.Request {
	l, note := f.lang, strings.TrimSpace(f.typed.Get("note"))
	r := jobrun.Request{Params: f.typedParams(), Overlap: jobrun.Overlap(f.typed.Get("overlap")), Note: note, Manual: true, Parent: f.typed.Get("again"), Shards: f.chosen()}
	if n := utf8.RuneCountInString(note); n > app.MaxReason {
		f.wrong["note"] = l.RequestWrongNote(n, strconv.Itoa(app.MaxReason))
	}
	switch f.typed.Get("when") {
	case "in":
		n, err := strconv.Atoi(strings.TrimSpace(f.typed.Get("in")))
		unit := slices.IndexFunc(units, func(u unit) bool { return u.name == f.typed.Get("unit") })
		switch {
		case err != nil || n < 1 || unit < 0:
			f.wrong["when"] = l.RequestWrongIn()
		case n > int(mostAhead/units[unit].of):
			f.wrong["when"] = l.RequestWrongFar()
		default:
			r.Delay = time.Duration(n) * units[unit].of
		}
	case "at":
		var ok bool
		r.NotBefore, ok = parseAt(f.typed.Get("at"))
		switch {
		case !ok || !r.NotBefore.After(now):
			f.wrong["when"] = l.RequestWrongAt()
		case r.NotBefore.After(now.Add(mostAhead)):
			f.wrong["when"] = l.RequestWrongFar()
		}
	}
	return r
}

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
func (f *form) chosen() []int {
	picks := f.picks()
	if picks == nil {
		return nil
	}
	if boxes, off := picks.Count(); boxes > 0 {
		list, _ := pageui.ShardItems(f.typed["shard"])
		switch len(list) {
		case 0:
			f.wrong["shards"] = f.lang.RequestWrongShards()
		case boxes, boxes - off:
			return nil
		}
		return list
	}
	text := strings.ReplaceAll(f.typed.Get("shards"), " ", "")
	if text == "" {
		return nil
	}
	var list jobtree.RunShards
	if err := list.UnmarshalText([]byte(text)); err != nil || len(list) == 0 || list[len(list)-1] >= f.job.Job.Shards {
		f.wrong["shards"] = f.lang.RequestWrongRanges(picks.Last)
	}
	return list
}

// typedParams are the parameters of the form. JSON that is none is noted at its field.
func (f *form) typedParams() json.RawMessage {
	if !f.asFields {
		return params.Compact(f.typed.Get("params"))
	}
	built, broken := f.fields.Build(f.typed)
	for _, field := range broken {
		f.wrong[field.Name] = f.lang.RequestWrongJson()
	}
	return built
}

// submitFromPage is the target of the form.
func (s pages) submitFromPage(c *gin.Context) error {
	f, err := s.newForm(c)
	if err != nil {
		return err
	}
	if c.Request.ParseForm() != nil {
		return app.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged)
	}
	sent := c.Request.PostForm
	shown := sent.Get("schema")
	if err := s.readSchema(c, f); err != nil && shown != "" {
		return err
	} // else the JSON that was typed is shown again, with the outcome of the request
	f.typed = maps.Clone(sent)
	if f.asFields = shown != "" && f.fields != nil; f.asFields {
		maps.Copy(f.typed, f.fields.Keep(sent))
	}
	if again := sent.Get("again"); again != "" {
		f.link.Set("again", again)
	}
	// If the schema changed since the form was shown, its fields would have another meaning.
	changed := shown != "" && shown != f.schemaID
	if changed {
		f.note(ui.ToneWarn, f.lang.RequestParamsChanged(), "request-changed")
	}
	r := f.request(s.Now())
	if app.Resumed(c) {
		return s.showForm(c, f, http.StatusOK, nil)
	}
	if len(f.wrong) > 0 || changed {
		if err := f.schema.Check(r.Params); err != nil { // everything at once
			f.refuse(s.ActionProblem(c, app.RequestRun, app.Target{Job: f.job.Name}, err))
		}
		app.Refused(c, "invalid")
		return s.showForm(c, f, http.StatusUnprocessableEntity, nil)
	}
	ticket, err := s.submit(c, f.job.Name, fromPage, r)
	if err != nil {
		p := app.AsProblem(err)
		s.LogFailure(c, p)
		f.refuse(p)
		return s.showForm(c, f, p.Status(), nil)
	}
	flash := ui.Flash{Title: f.lang.RequestDidSubmit()}
	switch {
	case ticket.Repeated:
		flash = ui.Flash{Tone: ui.ToneWarn, Title: f.lang.RequestDidRepeat()}
	case ticket.Wait != "":
		flash.Tone, flash.Lines = ui.ToneWarn, []string{f.lang.RequestNobody()}
	}
	return pageui.Done(s.Console, c, jobs.RequestedPath(f.job.Name, ticket.ID), flash, nil)
}

// refuse notes the errors at their fields, and an error that is about no field above all.
func (f *form) refuse(p *app.Problem) {
	var wrong []string // the parameters
	for _, field := range p.Fields {
		want := app.WantIn(f.lang, field.Want)
		switch name, path, _ := strings.Cut(field.Field, "."); {
		case path != "":
			wrong = append(wrong, path+": "+want)
		case name == "params":
			wrong = append(wrong, want)
		case name == "delay" || name == "notBefore":
			f.wrong["when"] = want
		default:
			f.wrong[name] = want
		}
	}
	if f.asFields {
		wrong = f.refuseFields(p, wrong)
	}
	switch {
	case len(wrong) == 0:
	case f.asFields:
		f.note(ui.ToneBad, f.sentence(wrong), "request-params")
	default:
		f.wrong["params"] = f.sentence(wrong)
	}
	if len(p.Fields) == 0 {
		f.notices = append(f.notices, pageui.ProblemNotice(f.lang, p, ui.ToneBad, "request-refused"))
	}
}

// refuseFields notes the problems with parameters at their fields. It returns the ones without a
// field; all are for a refusal that does not list its problems.
func (f *form) refuseFields(p *app.Problem, all []string) (rest []string) {
	listed, ok := errors.AsType[*jobrun.ParamsError](p.Cause)
	if !ok {
		return all
	}
	beside := make(map[string][]string)
	for _, problem := range listed.Problems {
		want := app.WantIn(f.lang, problem.Text)
		field, within := f.fields.Placed(problem.Path)
		if field == nil {
			if problem.Path != "" {
				want = problem.Path + ": " + want
			}
			rest = append(rest, want)
			continue
		}
		if line := params.LineOf(within); field.Kind == params.Lines && line > 0 {
			want = f.lang.RequestParamValue(strconv.Itoa(line), want)
		} else if within != "" {
			want = within + ": " + want
		}
		beside[field.Name] = append(beside[field.Name], want)
	}
	for name, texts := range beside {
		if f.wrong[name] == "" {
			f.wrong[name] = f.sentence(texts)
		}
	}
	return rest
}

func (f *form) sentence(texts []string) string {
	return strings.Join(texts, f.lang.AddressBetween()) + f.lang.AddressEnd()
}

// body is the request of the REST interface that does the same. Secrets of the parameters are hidden.
func (f *form) body(now time.Time) string {
	g := *f
	g.wrong = map[string]string{} // The page has its own.
	r := g.request(now)
	in := api.RunRequest{NotBefore: app.OptionalTime(r.NotBefore), Shards: r.Shards, Overlap: string(r.Overlap), Note: r.Note, Manual: true}
	if json.Valid(r.Params) {
		in.Params = r.Params
		if f.asFields && f.schema.HasSecrets() {
			in.Params = f.schema.Mask(r.Params)
		}
	}
	if r.Delay > 0 {
		in.Delay = r.Delay.String()
	}
	text, err := rawjson.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("requested: JSON of a request: %v", err)) // texts and valid JSON
	}
	return string(text)
}
