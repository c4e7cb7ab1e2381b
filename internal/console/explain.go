package console

import (
	"errors"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
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
		why = withHealth(why, h)
	}
	return why, h, nil
}

// withHealth adds that a job fails or is late: before what holds nothing up, which
// neither does.
func withHealth(why *statistics.Explanation, h health.Health) *statistics.Explanation {
	f := statistics.Finding{Effect: statistics.EffectNothing, Sentence: h.Sentence, Since: h.Since}
	switch h.State {
	case health.Failing:
		f.Code, f.Items, f.Server = statistics.CodeFailing, h.Items, h.Where
		f.Node, f.Value = "the newest runs in the trace database", h.Cause
		f.Advice = "Correct the cause; the next run that succeeds ends this. Trigger the job to try at once."
		if len(h.Items) == 0 { // by the registry
			f.Node, f.Value = "running markers", ""
			f.Advice = "It is failed over, or runs again at the next fire time. Trigger the job to have it now."
		}
	case health.Late:
		f.Code = statistics.CodeLate
		f.Node = "schedule, and the newest run in the trace database"
		f.Advice = "Deal with what is found besides. If nothing is, look into the log of the instances, or trigger the job."
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
