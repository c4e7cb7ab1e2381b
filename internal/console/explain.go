package console

import (
	"errors"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// Explained is why a job does not run, or runs and fails.
type Explained struct {
	*statistics.Explanation
	Health health.Health
	// Job is the job; without a name it has lost its configuration.
	Job statistics.JobDetail
	// Alike is how many other jobs fail by the same cause, the first of them since
	// AlikeSince.
	Alike      int
	AlikeSince time.Time
}

// ReadExplanation reads why the job that the address names does not run, or runs and
// fails: what the registry tells, and the health of the job, whose runs the registry
// does not know.
func (s *Console) ReadExplanation(c *gin.Context) (e Explained, err error) {
	name, err := JobName(c)
	if err != nil {
		return e, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	why, err := s.RegistryOf(c).Jobs.Explain(ctx, name)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return e, NoSuchJob(name)
	case err != nil:
		return e, s.RegistryDown(c, err)
	}
	if LooksOnly(c) {
		why = maskedExplanation(why)
	}
	e.Explanation = why
	job, err := s.LookUp(c, name)
	if err == nil { // else it has lost its configuration, which is explained
		l := i18n.From(c.Request.Context())
		e.Job, e.Health = job, s.JobHealth(c, job.Job)
		e.Explanation = withHealth(l, why, e.Health)
		e.Alike, e.AlikeSince = FailAlike(s, c, name, e.Health.Fingerprint)
	}
	return e, nil
}

// checksOf are the rules that hold by the history, if that is known: that the last run
// did not fail, and that no fire time passed without one. A state says of those before it
// alone that they do not hold.
func checksOf(l i18n.Lang, h health.Health) (list []statistics.Check) {
	if !h.Known || h.NeverRan {
		return nil
	}
	lastRun := statistics.Check{Code: statistics.CheckLastRun, Sentence: "The last run did not fail.", Node: l.ExplainRunsNode()}
	switch h.State {
	case health.Healthy, health.Resharding:
		return []statistics.Check{lastRun, {Code: statistics.CheckOnTime, Sentence: "No fire time passed without a run.", Node: l.ExplainLateNode()}}
	case health.Late, health.Running:
		return []statistics.Check{lastRun}
	}
	return nil
}

// withHealth adds what the history tells: that a job fails or is late, before what holds
// nothing up, which neither does; and the rules that hold by it.
func withHealth(l i18n.Lang, why *statistics.Explanation, h health.Health) *statistics.Explanation {
	more := *why
	more.Checks = append(slices.Clone(why.Checks), checksOf(l, h)...)
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
		return &more
	}
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
