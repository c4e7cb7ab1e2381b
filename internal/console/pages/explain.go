package pages

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// explainPage tells why a job does not run. It is a page of its own because it
// reads more nodes than the job's page, which reloads by itself.
func (s *Pages) explainPage(c *gin.Context) {
	why, err := s.ReadExplanation(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.Render(c, http.StatusOK, jobs.Explain(explainProps(s.Frame(c, "Why "+why.Job, console.AreaJobs), why, s.Now())))
}

// explainProps builds the view model of an explanation.
func explainProps(f layout.Frame, why *statistics.Explanation, now time.Time) jobs.ExplainProps {
	p := jobs.ExplainProps{
		Frame: f, Job: why.Job, JobHref: console.JobPath("/jobs", why.Job), Summary: why.Summary,
		Heading: "Why does it not run?", Status: ui.Chip{Tone: ui.ToneOK, Label: "no obstacle"},
	}
	switch {
	case why.Blocked():
		p.Status = ui.Chip{Tone: ui.ToneBad, Label: "does not run"}
	case why.Obstacle():
		p.Status = ui.Chip{Tone: ui.ToneWarn, Label: "runs in part"}
	}
	for _, f := range why.Findings {
		row := jobs.Finding{
			Code: string(f.Code), Effect: effectChip(f.Effect), Sentence: f.Sentence, Advice: f.Advice, Node: f.Node, Value: f.Value,
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

// effectChip tells what a finding holds up.
func effectChip(e statistics.Effect) ui.Chip {
	switch e {
	case statistics.EffectJob:
		return ui.Chip{Tone: ui.ToneBad, Label: "the job"}
	case statistics.EffectServer:
		return ui.Chip{Tone: ui.ToneWarn, Label: "a server"}
	case statistics.EffectShards:
		return ui.Chip{Tone: ui.ToneWarn, Label: "shards"}
	}
	return ui.Chip{Tone: ui.ToneQuiet, Label: "nothing"}
}
