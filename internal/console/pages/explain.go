package pages

import (
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// explainPage tells why a job does not run, or fails. It is a page of its own because it
// reads more nodes than the job's page, which reloads by itself.
func (s *Pages) explainPage(c *gin.Context) {
	l := i18n.From(c.Request.Context())
	at, hint := askedTime(c, l, s.Now())
	if !at.IsZero() {
		s.explainPast(c, at)
		return
	}
	why, h, err := s.ReadExplanation(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	f := s.Frame(c, l.ExplainTitle(why.Job), console.AreaJobs)
	f.LiveSeconds = console.LiveSeconds
	props := explainProps(l, f, why, h, s.Now())
	props.Tabs, props.Form = jobTabs(l, why.Job, 0, "explain"), pastForm(why.Job, "", s.Now())
	if hint != "" {
		props.Frame.Ignored = append(props.Frame.Ignored, hint)
	}
	s.Render(c, http.StatusOK, jobs.Explain(props))
}

// explainProps builds the view model of an explanation.
func explainProps(l i18n.Lang, f layout.Frame, why *statistics.Explanation, h health.Health, now time.Time) jobs.ExplainProps {
	p := jobs.ExplainProps{
		Frame: f, Job: why.Job, JobHref: console.JobPath("/jobs", why.Job), Summary: summaryIn(l, why),
		Heading: statement(l, why, h), Status: ui.Chip{Tone: ui.ToneOK, Label: l.HealthHealthy()},
	}
	switch tone, label := stateLook(l, h.State); {
	case why.Blocked():
		p.Status = ui.Chip{Tone: ui.ToneBad, Label: l.ExplainDoesNotRun()}
	case h.State == health.Failing, h.State == health.Late:
		p.Status = ui.Chip{Tone: tone, Label: label}
	case why.Obstacle():
		p.Status = ui.Chip{Tone: ui.ToneWarn, Label: l.ExplainRunsInPart()}
	}
	for _, f := range why.Findings {
		sentence, advice := findingIn(l, f)
		row := jobs.Finding{
			Code: string(f.Code), Effect: effectChip(l, f), Sentence: sentence, Advice: advice, Node: f.Node, Value: f.Value,
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
		p.Findings = append(p.Findings, row)
	}
	return p
}

// statement is the answer as a heading.
func statement(l i18n.Lang, why *statistics.Explanation, h health.Health) string {
	fails := l.ExplainLastRunFailed()
	switch n := len(h.Items); {
	case n == 1:
		fails = l.ExplainOneFails()
	case n > 1:
		fails = l.ExplainSomeFail(numberWord(l, n))
	}
	switch {
	case why.Blocked():
		return l.ExplainSaysDoesNotRun()
	case why.Obstacle() && h.State == health.Failing:
		return l.ExplainSaysPartAnd(fails)
	case h.State == health.Failing:
		return l.ExplainSaysRunsAnd(fails)
	case h.State == health.Late:
		return l.ExplainSaysLate()
	case why.Obstacle():
		return l.ExplainSaysPart()
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
	case statistics.CodeLate:
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
