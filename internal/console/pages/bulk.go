package pages

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

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// maxBulkBody bounds the form of [pageui.BulkRoute]. A job's name has up to nine bytes per character there.
const maxBulkBody = 256 << 10

// bulkRoutes are those of actions on several jobs, and of what becomes of them.
func (s *Pages) bulkRoutes() []console.Route {
	const operate, reg, hist, own = console.Operates, console.TheRegistry, console.TheHistory, console.TheSettings
	return []console.Route{
		console.Get(pageui.BulkRoute, operate, reg|hist, s.bulkPage).Asks(slices.Concat(query.JobsNames, []string{"do", "job", "all", "return", "once", "reason", "again", "at", "label", "what"})...),
		console.Post(pageui.BulkRoute, operate, reg, s.bulkFromPage).WithBody(maxBulkBody).Resumes(),
		console.Get(pageui.BulkRoute+"/:id", operate, reg|own, s.changePage).Asks(),
		console.Get(pageui.BulkRoute+"/:id/result", operate, reg|own, s.exportChange),
		console.Post(pageui.BulkRoute+"/:id/undo", operate, reg|own, s.undoFromPage),
		console.Post("/jobs/:job/stay-disabled", operate, reg|own, s.stayDisabled),
		console.Get(exportRoute, console.SignedIn, reg|hist, s.exportJobs),
	}
}

// bulkWords are what an action on several jobs is called.
type bulkWords struct {
	label, how                       func(i18n.Lang) string
	one                              func(l i18n.Lang, job string) string
	many, will, already, sum, submit func(l i18n.Lang, n int) string
	targets, done                    func(l i18n.Lang, n int) string
	effects                          []func(i18n.Lang) string
}

// bulkActions are those that the page is for, in the order of the buttons.
var bulkActions = []console.Action{console.Trigger, console.Disable, console.Enable, console.Hold, console.Release, console.CancelWaiting, console.Label}

var wordsOfBulk = map[string]bulkWords{
	console.Trigger.Verb: {
		label: i18n.Lang.BulkTrigger, how: i18n.Lang.BulkSkipTrigger, one: i18n.Lang.BulkTriggerOne, many: i18n.Lang.BulkTriggerMany, will: i18n.Lang.BulkWillTrigger,
		sum: i18n.Lang.BulkAsks, submit: i18n.Lang.BulkSubmitTrigger, targets: i18n.Lang.BulkOnInstances, done: i18n.Lang.BulkDoneTrigger,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectTrigger},
	},
	console.Disable.Verb: {
		label: i18n.Lang.BulkDisable, how: i18n.Lang.BulkSkipDisable, one: i18n.Lang.BulkDisableOne, many: i18n.Lang.BulkDisableMany, will: i18n.Lang.BulkWillDisable,
		already: i18n.Lang.BulkAlreadyDisable, sum: i18n.Lang.BulkWrites, submit: i18n.Lang.BulkSubmitDisable, targets: i18n.Lang.BulkOnServers, done: i18n.Lang.BulkDoneDisable,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectDisable, i18n.Lang.BulkEffectRestart},
	},
	console.Enable.Verb: {
		label: i18n.Lang.BulkEnable, how: i18n.Lang.BulkSkipEnable, one: i18n.Lang.BulkEnableOne, many: i18n.Lang.BulkEnableMany, will: i18n.Lang.BulkWillEnable,
		already: i18n.Lang.BulkAlreadyEnable, sum: i18n.Lang.BulkWrites, submit: i18n.Lang.BulkSubmitEnable, targets: i18n.Lang.BulkOnServers, done: i18n.Lang.BulkDoneEnable,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectEnable},
	},
	console.Label.Verb: {
		label: i18n.Lang.BulkLabel, how: i18n.Lang.BulkSkipLabel, one: i18n.Lang.BulkLabelOne, many: i18n.Lang.BulkLabelMany, will: i18n.Lang.BulkWillLabel,
		already: i18n.Lang.BulkAlreadyLabel, sum: i18n.Lang.BulkWritesConfigs, submit: i18n.Lang.BulkSubmitLabel, targets: func(i18n.Lang, int) string { return "" }, done: i18n.Lang.BulkDoneLabel,
		effects: []func(i18n.Lang) string{i18n.Lang.BulkEffectLabel},
	},
	console.Hold.Verb: {
		label: i18n.Lang.BulkHold, how: i18n.Lang.BulkSkipHold, one: i18n.Lang.BulkHoldOne, many: i18n.Lang.BulkHoldMany, will: i18n.Lang.BulkWillHold,
		already: i18n.Lang.BulkAlreadyHold, sum: i18n.Lang.BulkHolds, submit: i18n.Lang.BulkSubmitHold, targets: func(i18n.Lang, int) string { return "" }, done: i18n.Lang.BulkDoneHold,
		effects: []func(i18n.Lang) string{i18n.Lang.HoldEffectRuns, i18n.Lang.HoldEffectPerson, i18n.Lang.HoldEffectAfter, i18n.Lang.HoldEffectJava},
	},
	console.Release.Verb: {
		label: i18n.Lang.BulkRelease, how: i18n.Lang.BulkSkipRelease, one: i18n.Lang.BulkReleaseOne, many: i18n.Lang.BulkReleaseMany, will: i18n.Lang.BulkWillRelease,
		already: i18n.Lang.BulkAlreadyRelease, sum: i18n.Lang.BulkReleases, submit: i18n.Lang.BulkSubmitRelease, targets: func(i18n.Lang, int) string { return "" }, done: i18n.Lang.BulkDoneRelease,
		effects: []func(i18n.Lang) string{i18n.Lang.HoldEffectAfter},
	},
	console.CancelWaiting.Verb: {
		label: i18n.Lang.BulkCancelWaiting, how: i18n.Lang.BulkSkipCancel, one: i18n.Lang.BulkCancelOne, many: i18n.Lang.BulkCancelMany, will: i18n.Lang.BulkWillCancel,
		already: i18n.Lang.BulkAlreadyCancel, sum: i18n.Lang.BulkCancels, submit: i18n.Lang.BulkSubmitCancel, targets: i18n.Lang.BulkOnRuns, done: i18n.Lang.BulkDoneCancel,
		effects: []func(i18n.Lang) string{func(l i18n.Lang) string { return l.BulkEffectCancel(console.MostCancelled) }},
	},
	// Of changes of shards, for the page of what became of them.
	console.ShardsDisabled: {label: i18n.Lang.BulkDisable, how: i18n.Lang.BulkSkipDisable, done: i18n.Lang.ShardsChangedDisable},
	console.ShardsEnabled:  {label: i18n.Lang.BulkEnable, how: i18n.Lang.BulkSkipEnable, done: i18n.Lang.ShardsChangedEnable},
}

// bulkRequest is what the address of the page, or its form, asks for.
type bulkRequest struct {
	action console.Action
	// names are the jobs; of more than are taken at once the first. asked is how
	// many there were.
	names  []string
	asked  int
	back   string
	reason string
	once   string // names the form
	// again and at are the fields of the time at which to enable, enableAt is what
	// they say.
	again, at string
	enableAt  time.Time
	// label is what jobs are labelled with, nil while that is asked.
	label *string
	// what is what is to be held.
	what jobrun.Held
	// err and againErr say what is wrong with the form, ignored with its address.
	err, againErr string
	ignored       []string
}

// readBulk reads it. An unknown action is the problem.
func (s *Pages) readBulk(c *gin.Context, v url.Values) (*bulkRequest, error) {
	verb := v.Get("do")
	i := slices.IndexFunc(bulkActions, func(o console.Action) bool { return o.Verb == verb })
	if i < 0 {
		return nil, console.Invalid("", "").Said(func(l i18n.Lang) (string, string) {
			return l.ProblemNoAction(strconv.Quote(view.Clip(verb, 40))), l.ProblemNoActionHint()
		})
	}
	r := &bulkRequest{action: bulkActions[i], back: "/jobs", reason: strings.TrimSpace(v.Get("reason")), again: v.Get("again"), at: v.Get("at"), once: pageui.FormID(v)}
	if back := v.Get("return"); back != "" {
		r.back = strings.TrimPrefix(console.SafeNext(back), console.PlaceOf(c).Prefix)
	}
	if r.action.Verb == console.Label.Verb && v.Has("label") {
		label := strings.TrimSpace(v.Get("label"))
		r.label = &label
	}
	if what := jobrun.Held(v.Get("what")); what != "" && !slices.Contains(console.Holds, what) {
		return nil, console.Misunderstood(query.Problems{func(l i18n.Lang) string {
			return l.AddressUnknown("what", strconv.Quote(view.Clip(string(what), 40)), "schedule, requests, all")
		}}, i18n.Lang.AddressCorrectFilter)
	}
	if r.action.Verb == console.Hold.Verb {
		r.what = cmp.Or(jobrun.Held(v.Get("what")), jobrun.HeldSchedule)
	}
	var err error
	r.names, r.asked, err = s.selectedJobs(c, v)
	return r, err
}

// selectedJobs are the names that an address selects: those that it names, or with
// all those of a view. Of more than are taken at once they are the first of asked.
func (s *Pages) selectedJobs(c *gin.Context, v url.Values) (names []string, asked int, err error) {
	switch all := v.Get("all"); all {
	case "1":
	case "":
		for _, name := range v["job"] {
			if name != "" && !slices.Contains(names, name) {
				asked++
				if asked <= console.MostAtOnce {
					names = append(names, name)
				}
			}
		}
		return names, asked, nil
	default:
		return nil, 0, console.Misunderstood(query.Problems{func(l i18n.Lang) string {
			return l.AddressUnknown("all", strconv.Quote(view.Clip(all, 40)), "1")
		}}, i18n.Lang.AddressCorrectFilter)
	}
	q, problems := query.ParseJobsPage(v)
	if len(problems) > 0 { // all jobs of a filter that nobody understands are not those that were meant
		return nil, 0, console.Misunderstood(problems, i18n.Lang.AddressCorrectFilter)
	}
	list, err := s.ReadJobs(c)
	if err != nil {
		return nil, 0, err
	}
	q.Page, q.Size = 1, console.MostAtOnce
	seen := s.ReadHealth(c, list).Seen()
	if seen.OnServer, err = s.jobsOn(c, q.Server()); err != nil {
		return nil, 0, err
	}
	found := q.Select(list, s.Now(), seen)
	for _, j := range found.Rows {
		names = append(names, j.Name)
	}
	return names, found.Total, nil
}

// bulkPage says what an action on several jobs would do, and asks.
func (s *Pages) bulkPage(c *gin.Context) {
	r, err := s.readBulk(c, c.Request.URL.Query())
	if err != nil {
		s.Fail(c, err)
		return
	}
	if r.action.Verb == console.Disable.Verb {
		s.readAgain(i18n.From(c.Request.Context()), r)
	}
	_, problems := query.ParseJobsPage(c.Request.URL.Query())
	r.ignored = problems.In(i18n.From(c.Request.Context()))
	s.askBulk(c, r, http.StatusOK)
}

// askBulk renders the page.
func (s *Pages) askBulk(c *gin.Context, r *bulkRequest, status int) {
	var results []console.BulkResult
	var list []statistics.Job
	var err error
	l := i18n.From(c.Request.Context())
	labelErr := r.wrongLabel(l)
	if len(r.names) > 0 {
		if !r.asksLabel() {
			results, err = s.SubmitBulk(c, r.bulk(true))
		}
		if err == nil {
			list, err = s.ReadJobs(c)
		}
		if err != nil {
			s.Fail(c, err)
			return
		}
	}
	p := bulkProps(l, r, results, list)
	p.Frame = s.Frame(c, p.Heading, console.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, r.ignored...)
	s.addSwitches(c, &p)
	if r.action.Verb == console.Label.Verb && len(r.names) > 0 {
		p.Label = labelField(r, labelErr, list)
	}
	if p.Once = r.once; p.Once == "" {
		p.Once = ui.NewFormID()
	}
	if r.action.Verb == console.Disable.Verb && p.Button != "" {
		if s.Options().Settings == nil {
			p.NoAgain = l.BulkAgainNone()
		} else {
			p.Again = againField(l, r, s.Now())
			p.Effects = append(p.Effects, l.BulkAgainEffect())
		}
	}
	if p.Button != "" && canUndo(r.action.Verb) && s.Options().Settings != nil {
		p.Effects = append(p.Effects, l.BulkEffectUndo())
	}
	if len(p.Names) > 0 && !r.asksLabel() {
		p.Curl = s.Curl(c, http.MethodPost, "/api/bulk", nil, curlBody(r, p.Names))
	}
	s.Render(c, status, jobs.Bulk(p))
}

// curlBody is the request of the REST interface that the form stands for.
func curlBody(r *bulkRequest, names []string) string {
	body := api.BulkRequest{Order: r.action.Verb, Jobs: names, Preview: new(bool), Reason: r.reason, Label: r.label, What: r.what}
	if !r.enableAt.IsZero() {
		body.EnableAt = view.IsoTime(r.enableAt)
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(fmt.Sprintf("pages: JSON of strings: %v", err)) // strings always marshal
	}
	return string(text)
}

// bulkProps builds the page's view model of what would happen.
func bulkProps(l i18n.Lang, r *bulkRequest, results []console.BulkResult, list []statistics.Job) jobs.BulkProps {
	w := wordsOfBulk[r.action.Verb]
	p := jobs.BulkProps{
		Heading: w.many(l, len(r.names)), RowLabel: l.BulkRows(), Subject: l.BulkJob(), Post: pageui.BulkRoute, Field: "job", Verb: r.action.Verb, Return: r.back,
	}
	if len(r.names) == 1 {
		p.Heading, p.Job, p.JobHref = w.one(l, view.Clip(r.names[0], 100)), view.Clip(r.names[0], 100), console.JobPath("/jobs", r.names[0])
	}
	if len(r.names) == 0 {
		p.Empty = &ui.Empty{Heading: l.BulkNone(), Text: l.BulkNoneText(), Href: r.back, Label: l.BulkNoneBack(), TestID: "bulk-none"}
		return p
	}
	if r.asked > len(r.names) {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkTooMany(r.asked), Text: l.BulkTooManyText(len(r.names)), TestID: "bulk-too-many"})
	}
	if r.asksLabel() {
		p.Rows = labelRows(l, r, list)
		return p
	}
	sum := r.addRows(l, &p, results, list)
	counts := []jobs.BulkCount{{N: view.Thousands(sum.will), Text: w.will(l, sum.will), Tone: bulkTone(r.action)}}
	if w.already != nil {
		counts = append(counts, jobs.BulkCount{N: view.Thousands(sum.already), Text: w.already(l, sum.already), Tone: ui.ToneQuiet})
	}
	p.Counts = slices.Concat(counts, []jobs.BulkCount{{N: view.Thousands(sum.cannot), Text: l.BulkCannot(), Tone: ui.ToneWarn}})
	if sum.will == 0 {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneWarn, Heading: l.BulkNothing(), Text: l.BulkNothingText(), TestID: "bulk-nothing"})
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
	p.Reason = &jobs.BulkReason{Hint: l.BulkReasonHint(), Value: r.reason, Error: r.err, Required: r.action.Verb == console.Disable.Verb, Most: strconv.Itoa(console.MaxReason)}
	return p
}

// bulkSum is how many jobs an action changes, leaves as they are or cannot change, and
// on how many servers or instances.
type bulkSum struct{ will, already, cannot, targets int }

// addRows adds what would happen to each job.
func (r *bulkRequest) addRows(l i18n.Lang, p *jobs.BulkProps, results []console.BulkResult, list []statistics.Job) (sum bulkSum) {
	w := wordsOfBulk[r.action.Verb]
	running := make(map[string]bool)
	for _, j := range list {
		running[j.Name] = j.RunningShards > 0
	}
	for i, result := range results {
		row := jobs.BulkRow{Name: result.Job, Href: console.JobPath("/jobs", r.names[i])}
		switch {
		case result.Refused != nil:
			sum.cannot++
			row.Tone, row.What, row.Note, row.Quiet = ui.ToneWarn, l.BulkImpossible(), pageui.ProblemText(l, result.Refused), true
			if result.Refused.Status() == http.StatusNotFound {
				row.Href = ""
			}
		case len(result.Affected) == 0:
			sum.already++
			row.Tone, row.What, row.How, row.Quiet = ui.ToneSkip, l.BulkSkip(), w.how(l), true
		default:
			sum.will++
			sum.targets += len(result.Affected)
			row.Tone, row.What, row.How = bulkTone(r.action), w.label(l), w.targets(l, len(result.Affected))
			if r.label != nil {
				row.How = labelChange(l, result.Had(), *r.label)
			}
			if running[r.names[i]] && r.action.Verb == console.Disable.Verb {
				row.Note = l.BulkRunning()
			}
			p.Names = append(p.Names, r.names[i])
		}
		p.Rows = append(p.Rows, row)
	}
	return sum
}

// canUndo reports whether an action on several jobs can be taken back.
func canUndo(verb string) bool { return verb != console.Trigger.Verb && !console.OfRuns(verb) }

func bulkTone(o console.Action) ui.Tone {
	switch o.Verb {
	case console.Disable.Verb, console.Hold.Verb, console.ShardsDisabled:
		return ui.ToneOff
	case console.Trigger.Verb:
		return ui.ToneRun
	}
	return ui.ToneOK
}

// bulk is the action that is asked for, or its preview.
func (r *bulkRequest) bulk(preview bool) console.Bulk {
	b := console.Bulk{Action: r.action, Jobs: r.names, What: r.what, Preview: preview}
	if r.label != nil {
		b.Label = *r.label
	}
	if !preview {
		b.Reason, b.EnableAt, b.Change = r.reason, r.enableAt, r.once
	}
	return b
}

// bulkFromPage carries out what the page asked.
func (s *Pages) bulkFromPage(c *gin.Context) {
	if err := c.Request.ParseForm(); err != nil {
		s.Fail(c, console.MalformedAs(i18n.Lang.ProblemFormUnread, i18n.Lang.ProblemNothingChanged))
		return
	}
	r, err := s.readBulk(c, c.Request.PostForm)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	s.checkBulk(l, r)
	if r.err != "" || r.againErr != "" || r.asksLabel() || len(r.names) == 0 || r.asked > len(r.names) || console.Resumed(c) {
		console.Refused(c, "not_confirmed")
		s.askBulk(c, r, console.FormStatus(c))
		return
	}
	results, err := s.SubmitBulk(c, r.bulk(false))
	switch {
	case errors.Is(err, console.ErrRepeated):
		s.SetFlash(c, pageui.RepeatedFlash(l, r.once))
	case err != nil:
		s.SetFlash(c, pageui.FailedFlash(s.Console, c, err))
	default:
		f := bulkFlash(l, r.action, results)
		f.Links = s.changeLinks(l, r.once, canUndo(r.action.Verb))
		s.SetFlash(c, f)
	}
	s.RedirectHere(c, r.back)
}

// checkBulk says what is wrong with the form, and reads the time to enable again.
func (s *Pages) checkBulk(l i18n.Lang, r *bulkRequest) {
	switch n := utf8.RuneCountInString(r.reason); {
	case r.reason == "" && r.action.Verb == console.Disable.Verb:
		r.err = l.BulkReasonMissing()
	case n > console.MaxReason:
		r.err = l.BulkReasonLong(n, console.MaxReason)
	}
	if r.action.Verb == console.Disable.Verb {
		s.readAgain(l, r)
	}
}

// readAgain reads the time to enable again, and says what is wrong with it.
func (s *Pages) readAgain(l i18n.Lang, r *bulkRequest) {
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
	if err != nil || s.CheckEnableAt(r.enableAt) != nil {
		r.enableAt, r.againErr = time.Time{}, l.BulkAgainWrong()
	}
}

// bulkFlash tells what became of the jobs.
func bulkFlash(l i18n.Lang, o console.Action, results []console.BulkResult) ui.Flash {
	f := ui.Flash{Tone: ui.ToneOK}
	done := 0
	for _, r := range results {
		switch {
		case r.Refused != nil:
			f.Tone = ui.ToneWarn
			f.Lines = append(f.Lines, r.Job+": "+pageui.ProblemText(l, r.Refused))
		case len(r.Affected) == 0:
			f.Lines = append(f.Lines, r.Job+": "+wordsOfBulk[o.Verb].how(l))
		default:
			done++
		}
	}
	f.Title = wordsOfBulk[o.Verb].done(l, done)
	return f
}
