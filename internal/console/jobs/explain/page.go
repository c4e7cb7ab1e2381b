package explain

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// explainPage tells why a job does not run, or fails. It is a page of its own because it
// reads more nodes than the job's page, which reloads by itself.
func (s service) explainPage(c *gin.Context) error {
	l := i18n.From(c.Request.Context())
	at, hint := askedTime(c, l, s.Now())
	asText, badFormat := wantsText(c, l)
	if !at.IsZero() {
		return s.explainPast(c, at, asText, badFormat)
	}
	why, err := s.readExplanation(c)
	if err != nil {
		return err
	}
	props := explainProps(l, why, !app.LooksOnly(c), s.Now())
	runs := jobpage.LastRunsIfLeft(s.Console, c, why.Details.Job)
	if why.Details.Name == "" { // it has lost its configuration
		why.Details.Name = why.Why.Job
		f := s.Frame(c, why.Why.Job, app.AreaJobs)
		props.Job = jobpage.HeadOf(l, f, statistics.Job{Name: why.Why.Job, Status: statistics.StatusBroken}, why.Health, "explain")
		props.Job.Status = props.Status
	} else {
		props.Job = jobpage.Head(s.Console, c, why.Details, "explain", runs)
	}
	props.Job.Frame.LiveSeconds = app.LiveSeconds
	props.Form = pastForm(why.Why.Job, "", s.Now())
	props.Around, _ = jobpage.Activity(s.Console, c, why.Details, runs, aroundRows)
	props.AroundHref = app.JobPath("/jobs", why.Why.Job, "activity")
	props.AsText = textHref(why.Why.Job, "")
	if asText {
		c.Data(http.StatusOK, plainText, []byte(explainText(l, why.Why.Job, props, s.Now())))
		return nil
	}
	props.Job.Frame.Scripts = append(props.Job.Frame.Scripts, "copy.js")
	for _, hint := range []string{hint, badFormat} {
		if hint != "" {
			props.Job.Frame.Ignored = append(props.Job.Frame.Ignored, hint)
		}
	}
	s.Render(c, http.StatusOK, jobs.Explain(props))
	return nil
}

// aroundRows is how much of what happened stands beside an explanation.
const aroundRows = 8

// explainProps builds the view model of an explanation, but for its frame.
func explainProps(l i18n.Lang, why explained, operates bool, now time.Time) jobs.ExplainProps {
	h := why.Health
	tone, label := pageui.JobState(l, h.State)
	p := jobs.ExplainProps{Heading: statement(l, h), Status: ui.Chip{Tone: tone, Label: label}}
	p.Summary = jobpage.SentenceStart(strings.TrimLeft(strings.TrimPrefix(summaryIn(l, why), p.Heading), ".。:： "))
	for _, f := range why.Findings {
		sentence, advice := h.WordsOf(l, f)
		row := jobs.Finding{
			Code: string(f.Code), Effect: effectChip(l, f), Sentence: sentence, Advice: advice, Node: f.Node, Value: f.Value,
			Remedy: remedy(l, why.Why.Job, f, h, operates),
		}
		switch f.Node {
		case explain.RunsNode:
			row.Node = l.ExplainRunsNode()
		case explain.LateNode:
			row.Node = l.ExplainLateNode()
		case explain.SeenNode:
			row.Node, row.Value = l.ExplainSeenNode(), ""
		case explain.AuditNode:
			row.Node, row.Value = l.ExplainAuditNode(), ""
		}
		if f.Field != "" {
			row.Value = f.Field
			if f.Value != "" {
				row.Value += ": " + f.Value
			}
		}
		if !f.Since.IsZero() {
			row.Since = view.AgoTime(f.Since, now)
		}
		if f.Code == statistics.CodeFailing && why.Alike > 0 {
			asked, _ := query.ParseJobsPage(nil)
			row.Alike, row.Others = l.ExplainAlikeUndated(why.Alike), asked.WithText("cause:"+h.Fingerprint).Href()
			if !why.AlikeSince.IsZero() {
				row.Alike = l.ExplainAlike(why.Alike, view.DateTime(why.AlikeSince).Text)
			}
		}
		p.Findings = append(p.Findings, row)
	}
	for _, check := range why.Checks {
		p.Checks = append(p.Checks, checkRow(l, check, now))
	}
	return p
}

// remedyItems is how many shards a button is about at most.
const remedyItems = 100

// remedy leads to where something can be done about a finding; nil if nowhere.
func remedy(l i18n.Lang, job string, f statistics.Finding, h health.Health, operates bool) *ui.Button {
	button := func(label, href string) *ui.Button {
		return &ui.Button{Small: true, Label: label, Href: href, TestID: "remedy"}
	}
	switch f.Code {
	case statistics.CodeFailing:
		state := rdb.RunFailed
		if h.Runs != nil && len(h.Runs.Failed) == 0 && len(h.Runs.Lost) > 0 {
			state = rdb.RunLost
		}
		return button(l.ExplainOpenFailed(), query.WithQuery("/runs", query.RunValues(rdb.RunFilter{JobName: job, State: state})))
	case statistics.CodeServerDisabled, statistics.CodeServerAbsent, statistics.CodeInstanceUnreadable:
		if f.Server != "" {
			return button(l.ExplainOpenServer(), "/servers/"+url.PathEscape(f.Server))
		}
	case statistics.CodeItemWithoutOwner, statistics.CodeItemOwnerGone, statistics.CodeItemOwnerDisabled, statistics.CodeReshardingAnnounced, statistics.CodeReshardingProcessing, statistics.CodeNothingDealt:
		return button(l.ExplainOpenShards(), pageui.ShardsPath(job))
	case statistics.CodeInstanceLost:
		return button(l.ExplainOpenOverview(), "/")
	}
	if !operates {
		return nil
	}
	switch f.Code {
	case statistics.CodeItemDisabled:
		v := url.Values{}
		for _, item := range f.Items[:min(len(f.Items), remedyItems)] {
			v.Add("item", strconv.Itoa(item))
		}
		return button(l.ExplainEnableShards(len(v["item"])), query.WithQuery(pageui.ShardsPath(job, app.EnableShard.Verb), v))
	case statistics.CodeJobDisabled:
		return button(l.ExplainEnableJob(), jobpage.BulkPath(app.Enable, job, app.JobPath("/jobs", job, "explain")))
	case statistics.CodeHeld:
		return &ui.Button{Small: true, Label: l.ExplainReleaseJob(), Post: app.JobPath("/jobs", job, app.Release.Verb), TestID: "remedy"}
	case statistics.CodeConfigUnusable, statistics.CodeConfigKeyUnknown, statistics.CodeCronNeverAgain, statistics.CodeScheduleEnded, statistics.CodeScheduleNotBegun, statistics.CodeDayExcluded,
		statistics.CodeTimeZoneIgnored, statistics.CodeZoneUnknownToJava, statistics.CodeNumberOutOfBounds, statistics.CodeRunPropertyWrong:
		return button(l.ExplainEditConfig(), app.JobPath("/jobs", job, "config"))
	}
	return nil
}

// checkWords say what is fine.
var checkWords = map[statistics.CheckCode]func(i18n.Lang) string{
	statistics.CheckConfig: i18n.Lang.ExplainOkConfig, statistics.CheckEnabled: i18n.Lang.ExplainOkEnabled, statistics.CheckReleased: i18n.Lang.ExplainOkReleased, statistics.CheckInstances: i18n.Lang.ExplainOkInstances,
	statistics.CheckLeader: i18n.Lang.ExplainOkLeader, statistics.CheckResharding: i18n.Lang.ExplainOkResharding, statistics.CheckOwners: i18n.Lang.ExplainOkOwners,
	statistics.CheckShardsEnabled: i18n.Lang.ExplainOkShardsEnabled, statistics.CheckRunning: i18n.Lang.ExplainOkRunning, statistics.CheckFailover: i18n.Lang.ExplainOkFailover,
	statistics.CheckMisfire: i18n.Lang.ExplainOkMisfire, statistics.CheckTrigger: i18n.Lang.ExplainOkTrigger, statistics.CheckNextFire: i18n.Lang.ExplainOkNextFire,
	statistics.CheckLastRun: i18n.Lang.ExplainOkLastRun, statistics.CheckOnTime: i18n.Lang.ExplainOkOnTime,
}

// checkRow is a rule that holds.
func checkRow(l i18n.Lang, check statistics.Check, now time.Time) jobs.CheckRow {
	row := jobs.CheckRow{Code: string(check.Code), Text: check.Sentence, Node: check.Node}
	if words, known := checkWords[check.Code]; known {
		row.Text = words(l)
	}
	switch check.Code {
	case statistics.CheckConfig:
		row.Note = l.ExplainNoteConfig(strconv.Itoa(check.N), ui.Ago(l, now.Sub(check.Since)))
	case statistics.CheckEnabled:
		row.Note = l.ExplainNoteEnabled(check.N, check.M)
	case statistics.CheckInstances:
		row.Note = l.MatrixInstances(check.N)
		if check.N < check.M {
			row.Note = l.ExplainNoteInstances(check.M, check.N)
		}
	case statistics.CheckOwners:
		row.Note = l.MatrixOwns(check.N)
	case statistics.CheckLeader:
		row.Note = check.Value
	case statistics.CheckLastRun:
		row.Node = l.ExplainRunsNode()
	case statistics.CheckOnTime:
		row.Note, row.Node = view.DateTime(check.Since).Text, l.ExplainLateNode()
	case statistics.CheckNextFire:
		row.Note, row.Node = view.DateTime(check.Since).Text, check.Value
	}
	return row
}

// statement is the answer as a heading.
func statement(l i18n.Lang, h health.Health) string {
	switch {
	case h.State == explain.Held:
		return l.ExplainSaysHeld()
	case h.Part() == explain.All:
		return l.ExplainSaysDoesNotRun()
	case h.Part() == explain.Some:
		return l.ExplainSaysPart()
	}
	switch h.State {
	case explain.Failing:
		switch n := len(h.Items); {
		case n == 1:
			return l.ExplainSaysRunsAnd(l.ExplainOneFails())
		case n > 1:
			return l.ExplainSaysRunsAnd(l.ExplainSomeFail(numberWord(l, n)))
		}
		return l.ExplainSaysRunsAnd(l.ExplainLastRunFailed())
	case explain.Late:
		return l.ExplainSaysLate()
	case explain.Unstable:
		return l.ExplainSaysUnstable()
	case explain.Unknown:
		return l.ExplainSaysUnknown()
	}
	return l.ExplainSaysFine()
}

// numberWord is a number in a heading.
func numberWord(l i18n.Lang, n int) string {
	small := strings.Fields(l.ExplainNumbers())
	if n < len(small) {
		return small[n]
	}
	return view.Thousands(n)
}

// effectChip tells what a finding affects.
func effectChip(l i18n.Lang, f statistics.Finding) ui.Chip {
	switch f.Code {
	case statistics.CodeFailing:
		return ui.Chip{Tone: ui.ToneBad, Label: l.ExplainOnLastRun()}
	case statistics.CodeUnstable:
		return ui.Chip{Tone: ui.ToneWarn, Label: l.ExplainOnLastRun()}
	case statistics.CodeLate, statistics.CodeNotRecorded:
		return ui.Chip{Tone: ui.ToneWarn, Label: l.ExplainOnFire()}
	}
	switch f.Effect {
	case statistics.EffectJob:
		return ui.Chip{Tone: ui.ToneBad, Label: l.ExplainOnJob()}
	case statistics.EffectServer:
		return ui.Chip{Tone: ui.ToneWarn, Label: l.ExplainOnServer()}
	case statistics.EffectShards:
		return ui.Chip{Tone: ui.ToneWarn, Label: l.ExplainOnShards()}
	}
	return ui.Chip{Tone: ui.ToneQuiet, Label: l.ExplainOnNothing()}
}
