package pages

import (
	"net/http"
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
	why, h, err := s.ReadExplanation(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.Render(c, http.StatusOK, jobs.Explain(explainProps(i18n.From(c.Request.Context()), s.Frame(c, "Explain "+why.Job, console.AreaJobs), why, h, s.Now())))
}

// explainProps builds the view model of an explanation.
func explainProps(l i18n.Lang, f layout.Frame, why *statistics.Explanation, h health.Health, now time.Time) jobs.ExplainProps {
	p := jobs.ExplainProps{
		Frame: f, Job: why.Job, JobHref: console.JobPath("/jobs", why.Job), Summary: why.Summary,
		Heading: statement(why, h), Status: ui.Chip{Tone: ui.ToneOK, Label: "Healthy"},
	}
	switch tone, label := stateLook(l, h.State); {
	case why.Blocked():
		p.Status = ui.Chip{Tone: ui.ToneBad, Label: "Does not run"}
	case h.State == health.Failing, h.State == health.Late:
		p.Status = ui.Chip{Tone: tone, Label: label}
	case why.Obstacle():
		p.Status = ui.Chip{Tone: ui.ToneWarn, Label: "Runs in part"}
	}
	for _, f := range why.Findings {
		row := jobs.Finding{
			Code: string(f.Code), Effect: effectChip(f), Sentence: f.Sentence, Advice: f.Advice, Node: f.Node, Value: f.Value,
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
func statement(why *statistics.Explanation, h health.Health) string {
	fails := "its last run failed"
	switch n := len(h.Items); {
	case n == 1:
		fails = "one of its shards fails"
	case n > 1:
		fails = numberWord(n) + " of its shards fail"
	}
	switch {
	case why.Blocked():
		return "The job does not run"
	case why.Obstacle() && h.State == health.Failing:
		return "A part of the job does not run, and " + fails
	case h.State == health.Failing:
		return "The job runs, and " + fails
	case h.State == health.Late:
		return "The job is late"
	case why.Obstacle():
		return "A part of the job does not run"
	}
	return "No problem found"
}

// numberWord is a number in a heading.
func numberWord(n int) string {
	small := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(small) {
		return small[n]
	}
	return view.Thousands(n)
}

// effectChip tells what a finding affects.
func effectChip(f statistics.Finding) ui.Chip {
	switch f.Code {
	case statistics.CodeFailing:
		return ui.Chip{Tone: ui.ToneBad, Label: "the last run"}
	case statistics.CodeLate:
		return ui.Chip{Tone: ui.ToneWarn, Label: "the fire time"}
	}
	switch f.Effect {
	case statistics.EffectJob:
		return ui.Chip{Tone: ui.ToneBad, Label: "the job"}
	case statistics.EffectServer:
		return ui.Chip{Tone: ui.ToneWarn, Label: "a server"}
	case statistics.EffectShards:
		return ui.Chip{Tone: ui.ToneWarn, Label: "shards"}
	}
	return ui.Chip{Tone: ui.ToneQuiet, Label: "nothing"}
}
