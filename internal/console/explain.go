package console

import (
	"errors"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// ReadExplanation reads why the job that the address names does not run, or runs and
// fails: what the registry tells, and the health of the job, whose runs the registry
// does not know.
func (s *Console) ReadExplanation(c *gin.Context) (*statistics.Explanation, health.Health, error) {
	name, err := JobName(c)
	if err != nil {
		return nil, health.Health{}, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	why, err := s.RegistryOf(c).Jobs.Explain(ctx, name)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return nil, health.Health{}, NoSuchJob(name)
	case err != nil:
		return nil, health.Health{}, s.RegistryDown(c, err)
	}
	if LooksOnly(c) {
		why = maskedExplanation(why)
	}
	var h health.Health
	job, err := s.LookUp(c, name)
	if err == nil { // else it has lost its configuration, which is explained
		h = s.JobHealth(c, job.Job)
		why = withHealth(i18n.From(c.Request.Context()), why, h)
	}
	return why, h, nil
}

// withHealth adds that a job fails or is late: before what holds nothing up, which
// neither does.
func withHealth(l i18n.Lang, why *statistics.Explanation, h health.Health) *statistics.Explanation {
	f := statistics.Finding{Effect: statistics.EffectNothing, Sentence: h.Sentence, Since: h.Since}
	switch h.State {
	case health.Failing:
		f.Code, f.Items, f.Server = statistics.CodeFailing, h.Items, h.Where
		f.Node, f.Value = l.ExplainRunsNode(), h.Cause
		f.Advice = l.ExplainDoFailing()
		if len(h.Items) == 0 { // by the registry
			f.Node, f.Value = l.ExplainMarkerNode(), ""
			f.Advice = l.ExplainDoLost()
		}
	case health.Late:
		f.Code = statistics.CodeLate
		f.Node = l.ExplainLateNode()
		f.Advice = l.ExplainDoLate()
	default:
		return why
	}
	more := *why
	at := slices.IndexFunc(why.Findings, func(f statistics.Finding) bool { return f.Effect == statistics.EffectNothing })
	if at < 0 {
		at = len(why.Findings)
	}
	more.Findings = slices.Insert(slices.Clone(why.Findings), at, f)
	if !why.Obstacle() {
		more.Summary = h.Sentence
	}
	return &more
}
