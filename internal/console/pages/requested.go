package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// requestPages are the pages of the runs that were requested.
type requestPages struct{ *Pages }

// requestedRoute is the list of them.
const requestedRoute = "/jobs/:job/requested-runs"

func (s requestPages) requested() console.RequestedRuns {
	return console.RequestedRuns{Console: s.Console}
}

func (s requestPages) routes() []console.Route {
	const reg, hist, operate = console.TheRegistry, console.TheHistory, console.Operates
	return []console.Route{
		console.Get(requestedRoute, console.SignedIn, reg|hist, s.listPage).Asks(query.RequestedNames...),
		console.Get("/jobs/:job/run", operate, reg|hist, s.formPage).Asks("again", "shards", "as", "fill", "item", "run", "return", "reason", "once"),
		console.Post("/jobs/:job/trigger", operate, reg|hist, s.triggerFromPage).Resumes(),
		console.Post(requestedRoute, operate, reg, s.submit).WithBody(pageui.MaxRequestForm).Resumes(),
		console.Get(requestedRoute+"/:request", console.SignedIn, reg|hist, s.runPage).Asks("shard", "lanes", "attempt", "lines"),
		console.Get(requestedRoute+"/:request/cancel", operate, reg, s.cancelPage).Asks(),
		console.Post(requestedRoute+"/:request/cancel", operate, reg, s.cancel).Resumes(),
		console.Post(requestedRoute+"/:request/start", operate, reg, s.start),
		console.Get("/jobs/:job/backfill", operate, reg, s.backfillPage).Asks("from", "to"),
		console.Post("/jobs/:job/backfill", operate, reg, s.backfill).WithBody(pageui.MaxRequestForm).Resumes(),
		console.Get("/jobs/:job/backfill/:backfill/cancel", operate, reg, s.cancelBackfillPage).Asks(),
		console.Post("/jobs/:job/backfill/:backfill/cancel", operate, reg, s.cancelBackfill).Resumes(),
		console.Get("/jobs/:job/hold", operate, reg, s.holdPage).Asks(),
		console.Post("/jobs/:job/hold", operate, reg, s.hold).Resumes(),
		console.Post("/jobs/:job/release", operate, reg, s.release),
	}
}

// requestedLook is how a state of a requested run looks.
type requestedLook struct {
	tone ui.Tone
	word func(i18n.Lang) string
}

var requestedLooks = map[jobrun.State]requestedLook{
	jobrun.Scheduled: {ui.ToneQuiet, i18n.Lang.RequestStateScheduled}, jobrun.Queued: {ui.ToneQuiet, i18n.Lang.RequestStateQueued},
	jobrun.Running: {ui.ToneRun, i18n.Lang.RequestStateRunning}, jobrun.Succeeded: {ui.ToneOK, i18n.Lang.RequestStateSucceeded},
	jobrun.Failed: {ui.ToneBad, i18n.Lang.RequestStateFailed}, jobrun.Cancelled: {ui.ToneOff, i18n.Lang.RequestStateCancelled},
	jobrun.Skipped: {ui.ToneSkip, i18n.Lang.RequestStateSkipped}, jobrun.Expired: {ui.ToneLost, i18n.Lang.RequestStateExpired},
	jobrun.Unknown: {ui.ToneQuiet, i18n.Lang.RequestStateUnknown},
}

var retryingLook = requestedLook{ui.ToneWarn, i18n.Lang.RequestStateRetrying}

// isRetrying reports whether a run waits for an attempt after the first.
func isRetrying(r jobrun.Run) bool {
	return (r.State == jobrun.Scheduled || r.State == jobrun.Queued) && r.Attempt > 1
}

// lookOf is how a run looks: one that was asked to end is neither running nor ended, and one that waits for its next
// attempt is neither new nor running.
func lookOf(r jobrun.Run) requestedLook {
	if isRetrying(r) {
		return retryingLook
	}
	if r.State == jobrun.Running && r.Cancelled != nil {
		return requestedLook{ui.ToneWarn, i18n.Lang.RequestStateCancelling}
	}
	return requestedLooks[r.State]
}

// byWords says who requested a run, and how.
func byWords(l i18n.Lang, by jobrun.By) string {
	name := cmp.Or(by.Name, "?")
	switch by.Kind {
	case "code":
		return l.RequestFromCode(name)
	case console.FromPage:
		return l.RequestFromPage(name)
	case console.FromAPI:
		return l.RequestFromApi(name)
	case "cli":
		return l.RequestFromCli(name)
	case "retry":
		return l.RequestFromRetry()
	case "backfill":
		return l.RequestFromBackfill(name)
	case console.FromAgain:
		return l.RequestFromAgain(name)
	}
	return cmp.Or(by.Name, by.Kind)
}

// shortID is the end of a run's id, which tells those of one minute apart.
func shortID(id string) string { return id[strings.LastIndexByte(id, '-')+1:] }

// spansOf are how long a run waited from its time on, and how long it took; empty for
// what has not begun.
func spansOf(l i18n.Lang, r jobrun.Run, now time.Time) (waited, took string) {
	until, end := r.Began, r.Ended
	if end.IsZero() {
		end = now
	}
	if until.IsZero() {
		until = end
	}
	if r.State.Ended() && r.Ended.IsZero() {
		end = r.Began // The time of its end is lost.
	}
	if until.After(r.Due) {
		waited = pageui.Took(l, until.Sub(r.Due))
	}
	if end.After(r.Began) && !r.Began.IsZero() {
		took = pageui.Took(l, end.Sub(r.Began))
	}
	return waited, took
}

// shardsDone is how many of the shards of a run have ended well, of how many.
func shardsDone(r jobrun.Run) (done, total int) { return r.Counts().OK, r.Total }

func requestedShardsWords(r jobrun.Run) string {
	done, total := shardsDone(r)
	if total == 0 {
		return ""
	}
	return strconv.Itoa(done) + "/" + strconv.Itoa(total)
}

// listPage lists the runs of a job that were requested.
func (s requestPages) listPage(c *gin.Context) {
	job, err := s.ReadJob(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l, asked := i18n.From(c.Request.Context()), c.Request.URL.Query()
	f, problems := query.ParseRequested(url.Values{"state": asked["state"], "key": asked["key"], "origin": asked["origin"], "from": asked["from"], "to": asked["to"], "cursor": asked["cursor"]})
	page, err := s.requested().List(c, job.Name, console.RequestedFilter{State: jobrun.State(f.State), Key: f.Key, Origin: f.Origin, From: f.From, To: f.To, Limit: query.ScreenRows, Cursor: f.Cursor})
	if err != nil {
		s.Fail(c, err)
		return
	}
	head := jobpage.Head(s.Console, c, job, "requested", nil)
	head.Frame.Ignored = append(head.Frame.Ignored, problems.In(l)...)
	head.Frame.Events, head.Frame.LiveSeconds = "", listSeconds // nothing says when runs change
	p := jobs.RequestedProps{Job: head, Views: requestedViews(l, job.Name, f), Filter: requestedFilter(l, job.Name, f)}
	operates := !console.LooksOnly(c)
	if operates {
		p.NewHref = pageui.AskRunPath(job.Name)
	}
	for _, r := range page.Runs {
		p.Rows = append(p.Rows, s.row(l, job.Name, r, operates))
	}
	switch {
	case len(p.Rows) == 0 && f.Cursor != "":
		p.Empty = &ui.Empty{Heading: l.RequestNoneOlder(), TestID: "requested-empty"}
		p.Pager = requestedPager(l, job.Name, f, page)
	case len(p.Rows) == 0 && p.Filter.Active:
		p.Empty = &ui.Empty{Heading: l.RequestNoneFilter(), TestID: "requested-empty"}
	case len(p.Rows) == 0 && f.Narrow():
		p.Empty = &ui.Empty{Heading: l.RequestNoneState(), TestID: "requested-empty"}
	case len(p.Rows) == 0:
		p.Empty = &ui.Empty{Heading: l.RequestNone(), Text: l.RequestNoneText(), TestID: "requested-empty"}
	default:
		p.Pager = requestedPager(l, job.Name, f, page)
	}
	s.Render(c, http.StatusOK, jobs.Requested(p))
}

// How often the list and the page of a run that has not ended are read again.
const (
	listSeconds = 3
	runSeconds  = 1
)

func requestedPager(l i18n.Lang, job string, f query.Requested, page console.RequestedPage) *ui.Pager {
	older := ""
	if page.Older > 0 {
		older = l.RequestCountOlder(page.Older)
	}
	p := &ui.Pager{Summary: pageui.JoinNotes(l.RequestCountWaiting(page.Waiting), l.RequestCountEnded(page.Ended), older), PrevLabel: l.RequestNewer(), NextLabel: l.RequestMore()}
	to := func(cursor string) string {
		v := f.Values()
		if cursor != "" {
			v.Set("cursor", cursor)
		}
		return query.WithQuery(console.RequestedPath(job), v)
	}
	if f.Cursor != "" {
		p.Prev = to("")
	}
	if page.Next != "" {
		p.Next = to(page.Next)
	}
	return p
}

// requestedViews are the states; what else the list is narrowed by stays.
func requestedViews(l i18n.Lang, job string, f query.Requested) []ui.Tab {
	to := func(state string) string {
		f := f
		f.State = state
		return query.WithQuery(console.RequestedPath(job), f.Values())
	}
	tabs := []ui.Tab{{Label: l.RequestAll(), Href: to(""), Active: f.State == "", TestID: "state-all"}}
	for _, name := range query.RequestedStates {
		look := requestedLooks[jobrun.State(name)]
		tabs = append(tabs, ui.Tab{
			Label: look.word(l), Tone: look.tone, Active: name == f.State, TestID: "state-" + name, Href: to(name),
		})
	}
	return tabs
}

func (s requestPages) row(l i18n.Lang, job string, r jobrun.Run, operates bool) jobs.RequestedRow {
	look := lookOf(r)
	row := jobs.RequestedRow{
		ID: r.ID, Short: shortID(r.ID), Href: console.RequestedPath(job, r.ID), State: ui.State{Tone: look.tone, Label: look.word(l), Title: reasonIn(l, r.Reason), TestID: "requested-state"},
		By: byWords(l, r.By), Note: r.Note, Due: view.NearTime(l, r.Due, s.Now()), Shards: requestedShardsWords(r),
	}
	row.Waited, row.Took = spansOf(l, r, s.Now())
	if !operates {
		return row
	}
	if !r.State.Ended() && r.Cancelled == nil {
		row.CancelHref = console.RequestedPath(job, r.ID, "cancel")
	}
	if r.State == jobrun.Scheduled {
		row.Start = console.RequestedPath(job, r.ID, "start")
	}
	return row
}

// runPage is one of them.
func (s requestPages) runPage(c *gin.Context) {
	job, id, err := s.requested().Named(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	run, err := s.requested().Read(c, job, id)
	if err != nil {
		s.Fail(c, err)
		return
	}
	d := requestDrawing{FoundRun: run, job: job, lang: i18n.From(c.Request.Context()), now: s.Now(), operates: !console.LooksOnly(c), link: s.Options().LogLink}
	d.waits = health.Waits(d.lang, run.Wait)
	if !run.Began.IsZero() {
		d.ran = s.requested().Executions(c, job, id)
	}
	problems, err := s.readRecord(c, &d)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, d.lang.RequestRunTitle(shortID(id), job), console.AreaJobs)
	f.Ignored = append(f.Ignored, problems.In(d.lang)...)
	f.Events = ""
	f.Scripts = append(f.Scripts, "copy.js")
	if d.changes() {
		f.LiveSeconds, f.ReloadSeconds = runSeconds, console.ReloadSeconds
	}
	p := d.props()
	p.Frame = f
	s.Render(c, http.StatusOK, jobs.RequestedRun(p))
}

// requestDrawing makes the page of a requested run.
type requestDrawing struct {
	console.FoundRun
	record   console.RunRecord
	log      console.RunLog
	asked    query.RunLog
	job      string
	lang     i18n.Lang
	now      time.Time
	waits    string  // what it waits for
	ran      rdb.Run // its executions in the history
	all      bool    // every lane
	link     console.LogLink
	operates bool
}

// changes: the run may change, as it is in the registry and has not ended.
func (d requestDrawing) changes() bool {
	return d.Source == console.FromRegistry && !d.State.Ended()
}

func (d requestDrawing) props() jobs.RequestedRunProps {
	l, look := d.lang, lookOf(d.Run)
	p := jobs.RequestedRunProps{
		Job: d.job, JobHref: console.JobPath("/jobs", d.job), ListHref: console.RequestedPath(d.job), Heading: l.RequestRunTitle(shortID(d.ID), d.job),
		State: ui.Chip{Tone: look.tone, Label: look.word(l), TestID: "requested-state"}, Facts: d.facts(), Links: d.links(), Actions: d.actions(), Steps: d.steps(), Ended: !d.changes(), Log: d.logBox(),
	}
	done, total := shardsDone(d.Run)
	switch {
	case isRetrying(d.Run):
		p.Sub = l.RequestSubRetrying(strconv.Itoa(d.Attempt), strconv.Itoa(d.Retries+1))
	case total > 0:
		p.Sub = l.RequestSubShards(strconv.Itoa(done), total)
	}
	switch {
	case d.waits != "":
		p.Notice = &ui.Note{Tone: ui.ToneQuiet, Title: look.word(l), Text: d.waits, TestID: "requested-waits"}
	case d.Reason != "":
		p.Notice = &ui.Note{Tone: look.tone, Title: look.word(l), Text: reasonIn(l, d.Reason), TestID: "requested-reason"}
	}
	if d.Source == console.FromDatabase {
		p.From = &ui.Note{Tone: ui.ToneQuiet, Text: l.RequestFromDatabase(), TestID: "from-database"}
	}
	p.Shards, p.ShardsError = d.shards(), d.Error
	p.Attempts, p.EarlierAttempts = d.attemptColumns()
	p.Timeline, p.Result = d.timeline(), d.result()
	switch {
	case d.State.Ended():
		n := d.Counts()
		p.ShardsSub, p.ShardsNone = l.RequestShardsEnded(n.OK, n.Failed, n.Skipped), l.RequestShardsQuiet()
	case total == 0:
		p.ShardsNone = l.RequestShardsWaiting()
	}
	if hidden := max(total, d.ran.Shards) - len(p.Shards); hidden > 0 && !d.State.Ended() {
		p.ShardsSub = l.RequestShardsMore(hidden)
	}
	p.Params, p.ParamsNone = shownParams(d.Params), l.RequestParamsNone()
	if d.HasParams {
		p.ParamsNone = l.RequestParamsLost()
	}
	return p
}

func (d requestDrawing) facts() (list []ui.Fact) {
	l := d.lang
	add := func(label, value string) {
		if value != "" {
			list = append(list, ui.Fact{Label: label, Value: value})
		}
	}
	at := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return view.NearTime(l, t, d.now).Text
	}
	waited, took := spansOf(l, d.Run, d.now)
	add(l.RequestBy(), byWords(l, d.By))
	add(l.RequestDue(), at(d.Due))
	add(l.RequestWaited(), waited)
	add(l.RequestStartedAt(), at(d.Began))
	add(l.RequestTook(), took)
	add(l.RequestEndedAt(), at(d.Ended))
	if !d.State.Ended() && d.Began.IsZero() {
		add(l.RequestExpires(), at(d.Expires))
	}
	add(l.RequestAssigned(), map[jobrun.Assign]string{jobrun.AssignEach: l.RequestAssignedEach(), jobrun.AssignOne: l.RequestAssignedOne()}[d.Assign])
	if d.Attempt > 1 {
		add(l.RequestAttempt(), strconv.Itoa(d.Attempt))
	}
	if d.Losses > 0 {
		add(l.RequestLosses(), strconv.Itoa(d.Losses))
	}
	add(l.RequestKeyFact(), d.Key)
	add(l.RequestNote(), d.Note)
	return append(list, ui.Fact{Label: l.RequestId(), Value: d.ID, Mono: true})
}

func (d requestDrawing) links() (list []jobs.RequestedLink) {
	if len(d.ran.Executions) > 0 {
		list = append(list, jobs.RequestedLink{Label: d.lang.RequestExecutions(), Text: d.lang.FrameRuns(), Href: pageui.RunPath(d.job, d.ID), TestID: "to-executions"})
	}
	if d.Parent != "" {
		list = append(list, jobs.RequestedLink{Label: d.lang.RequestParent(), Text: shortID(d.Parent), Href: console.RequestedPath(d.job, d.Parent), TestID: "to-parent"})
	}
	return list
}

func (d requestDrawing) actions() (list []ui.Button) {
	if !d.operates {
		return nil
	}
	at := func(more string) string { return console.RequestedPath(d.job, d.ID, more) }
	if d.State.Ended() {
		again := query.WithQuery(pageui.AskRunPath(d.job), url.Values{"again": {d.ID}})
		if some, err := console.ShardsAgain(d.Run, "failed"); err == nil && len(some) > 0 && len(some) < d.Total {
			failed := query.WithQuery(pageui.AskRunPath(d.job), url.Values{"again": {d.ID}, "shards": {"failed"}})
			list = append(list, ui.Button{Icon: "play", Label: d.lang.RequestAgainFailed(), Href: failed, TestID: "again-failed"})
		}
		return append(list, ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: d.lang.RequestAgain(), Href: again, TestID: "again-run"})
	}
	if !d.changes() {
		return nil
	}
	if d.Cancelled == nil {
		list = append(list, ui.Button{Kind: ui.ButtonDanger, Label: d.lang.RequestCancel() + "…", Href: at("cancel"), TestID: "cancel-run"})
	}
	if d.State == jobrun.Scheduled {
		list = append(list, ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: d.lang.RequestStart(), Post: at("start"), TestID: "start-run"})
	}
	return list
}

// reasons are why runs ended, and what else happened to them, as agents say in English.
var reasons = []struct {
	text *regexp.Regexp
	says func(l i18n.Lang, parts []string) string
}{
	{regexp.MustCompile(`^(\d+) of (\d+) shards failed$`), func(l i18n.Lang, p []string) string { return l.RequestReasonFailed(p[1], p[2]) }},
	{regexp.MustCompile(`^no shard had anything to do$`), func(l i18n.Lang, _ []string) string { return l.RequestReasonNothing() }},
	{regexp.MustCompile(`^every shard of the run is disabled$`), func(l i18n.Lang, _ []string) string { return l.RequestReasonDisabled() }},
	{regexp.MustCompile(`^cancelled by (.*)$`), func(l i18n.Lang, p []string) string { return l.RequestReasonCancelled(p[1]) }},
	{regexp.MustCompile(`^it did not begin (?:again )?until (.*)$`), func(l i18n.Lang, p []string) string { return l.RequestReasonExpired(p[1]) }},
	{regexp.MustCompile(`^lost: (.*) (?:lost its session|ended) during the run$`), func(l i18n.Lang, p []string) string { return l.RequestReasonLost(p[1]) }},
	{regexp.MustCompile(`^its end was not recorded, `), func(l i18n.Lang, _ []string) string { return l.RequestReasonUnrecorded() }},
	{regexp.MustCompile(`^(\d+) shards$`), func(l i18n.Lang, p []string) string { return l.RequestStepShardsN(p[1]) }},
	{regexp.MustCompile(`^shards? ([\d, ]+)$`), func(l i18n.Lang, p []string) string { return l.RequestStepShards(p[1]) }},
	{regexp.MustCompile(`^snoozed by its handler$`), func(l i18n.Lang, _ []string) string { return l.RequestStepSnoozed() }},
	{regexp.MustCompile(`^an instance (?:lost its session|left) during the run$`), func(l i18n.Lang, _ []string) string { return l.RequestStepLeft() }},
	{regexp.MustCompile(`^an instance released it$`), func(l i18n.Lang, _ []string) string { return l.RequestStepReleased() }},
	{regexp.MustCompile(`(?s)^attempt (\d+) of (\d+) follows: (.*)$`), func(l i18n.Lang, p []string) string { return l.RequestStepAgain(p[1], p[2], p[3]) }},
	{regexp.MustCompile(`^(\S+) (?:lost its session|ended) during the run: (.*)$`), func(l i18n.Lang, p []string) string { return l.RequestStepInstanceLeft(p[1], p[2]) }},
}

// reasonIn is why a run ended, in the language of the page.
func reasonIn(l i18n.Lang, reason string) string {
	for _, known := range reasons {
		if parts := known.text.FindStringSubmatch(reason); parts != nil && l != i18n.English {
			return known.says(l, parts)
		}
	}
	return reason
}

// shownParams are parameters with line breaks, as they were written: the registry has
// some characters escaped.
func shownParams(params json.RawMessage) string {
	if len(params) == 0 {
		return ""
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, params, "", "  ") != nil {
		return string(params)
	}
	return unescaped.Replace(pretty.String())
}

// unescaped undoes what encoding/json does for texts within HTML. An escaped backslash
// before it is none of that.
var unescaped = strings.NewReplacer(`\\`, `\\`, `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029")
