package requested

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/requested/params"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// runPage is one requested run.
func (s pages) runPage(c *gin.Context, job, id string) error {
	run, err := s.read(c, job, id)
	if err != nil {
		return err
	}
	d := drawing{Found: run, lang: i18n.From(c.Request.Context()), now: s.Now(), operates: !app.LooksOnly(c)}
	if !run.Began.IsZero() {
		d.ran = app.ExecutionsOfRun(s.Console, c, job, id)
	}
	d.log = pageui.RunLogView{Lang: d.lang, Now: d.now, Page: jobs.RequestedPath(job, id), Anchor: "#log", Executions: d.ran.Executions, Link: s.Options().LogLink}
	problems, err := s.drawRecord(c, &d)
	if err != nil {
		return err
	}
	p := d.props()
	p.Frame = s.Frame(c, d.lang.RequestRunTitle(jobs.ShortID(id), job), app.AreaJobs)
	p.Frame.Ignored = append(p.Frame.Ignored, problems.In(d.lang)...)
	p.Frame.Events = ""
	p.Frame.Scripts = append(p.Frame.Scripts, "copy.js")
	if d.changes() {
		p.Frame.LiveSeconds, p.Frame.ReloadSeconds = runSeconds, app.ReloadSeconds
	}
	s.Render(c, http.StatusOK, jobs.RequestedRun(p))
	return nil
}

// drawing makes the page of a requested run.
type drawing struct {
	Found
	record   record
	log      pageui.RunLogView
	lang     i18n.Lang
	now      time.Time
	ran      rdb.Run // its executions in the history
	all      bool    // every lane
	operates bool
}

// changes reports whether the run may change: it is in the registry and has not ended.
func (d drawing) changes() bool { return d.Source == api.FromRegistry && !d.State.Ended() }

func (d drawing) props() jobs.RequestedRunProps {
	l, look := d.lang, lookOf(d.Run)
	p := jobs.RequestedRunProps{
		Job: d.Job, State: ui.Chip{Tone: look.tone, Label: look.word(l), TestID: "requested-state"},
		Facts: d.facts(), Actions: d.actions(), Steps: d.steps(), Ended: !d.changes(), Log: d.logBox(),
		Shards: d.shards(), ShardsError: d.Error, Timeline: d.timeline(), Result: d.result(),
		Params: params.Pretty(d.Params), ParamsNone: l.RequestParamsNone(),
	}
	p.Attempts, p.EarlierAttempts = d.attemptColumns()
	n := d.Counts()
	switch {
	case isRetrying(d.Run):
		p.Sub = l.RequestSubRetrying(strconv.Itoa(d.Attempt), strconv.Itoa(d.Retries+1))
	case d.Total > 0:
		p.Sub = l.RequestSubShards(strconv.Itoa(n.OK), d.Total)
	}
	switch waits := health.Waits(l, d.Wait); {
	case waits != "":
		p.Notice = &ui.Note{Tone: ui.ToneQuiet, Title: look.word(l), Text: waits, TestID: "requested-waits"}
	case d.Reason != "":
		p.Notice = &ui.Note{Tone: look.tone, Title: look.word(l), Text: reasonIn(l, d.Reason), TestID: "requested-reason"}
	}
	if d.Source == api.FromDatabase {
		p.From = &ui.Note{Tone: ui.ToneQuiet, Text: l.RequestFromDatabase(), TestID: "from-database"}
	}
	switch hidden := max(d.Total, d.ran.Shards) - len(p.Shards); {
	case d.State.Ended():
		p.ShardsSub, p.ShardsNone = l.RequestShardsEnded(n.OK, n.Failed, n.Skipped), l.RequestShardsQuiet()
	case hidden > 0:
		p.ShardsSub = l.RequestShardsMore(hidden)
	}
	if !d.State.Ended() && d.Total == 0 {
		p.ShardsNone = l.RequestShardsWaiting()
	}
	if d.HasParams {
		p.ParamsNone = l.RequestParamsLost()
	}
	return p
}

func (d drawing) facts() (list []ui.Fact) {
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
	list = append(list, ui.Fact{Label: l.RequestId(), Value: d.ID, Mono: true})
	if len(d.ran.Executions) > 0 {
		list = append(list, ui.Fact{Label: l.RequestExecutions(), Value: l.FrameRuns(), Href: pageui.RunPath(d.Job, d.ID), Mono: true, TestID: "to-executions"})
	}
	if d.Parent != "" {
		list = append(list, ui.Fact{Label: l.RequestParent(), Value: jobs.ShortID(d.Parent), Href: jobs.RequestedPath(d.Job, d.Parent), Mono: true, TestID: "to-parent"})
	}
	return list
}

func (d drawing) actions() (list []ui.Button) {
	if !d.operates {
		return nil
	}
	again := func(more ...string) string {
		v := url.Values{"again": {d.ID}}
		if more != nil {
			v["shards"] = more
		}
		return query.WithQuery(pageui.AskRunPath(d.Job), v)
	}
	if d.State.Ended() {
		if some, err := shardsAgain(d.Run, "failed"); err == nil && len(some) > 0 && len(some) < d.Total {
			list = append(list, ui.Button{Icon: "play", Label: d.lang.RequestAgainFailed(), Href: again("failed"), TestID: "again-failed"})
		}
		return append(list, ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: d.lang.RequestAgain(), Href: again(), TestID: "again-run"})
	}
	if !d.changes() {
		return nil
	}
	if d.Cancelled == nil {
		list = append(list, ui.Button{Kind: ui.ButtonDanger, Label: d.lang.RequestCancel() + "…", Href: jobs.RequestedPath(d.Job, d.ID, "cancel"), TestID: "cancel-run"})
	}
	if d.State == jobrun.Scheduled {
		list = append(list, ui.Button{Kind: ui.ButtonMain, Icon: "play", Label: d.lang.RequestStart(), Post: jobs.RequestedPath(d.Job, d.ID, "start"), TestID: "start-run"})
	}
	return list
}

// reasons recognizes the English texts in which agents give the reason for an end or another step of a run.
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
