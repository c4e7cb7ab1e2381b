package explain

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// summaryIn is the answer of an explanation in one sentence or two.
func summaryIn(l i18n.Lang, why explained) string {
	if why.Finding != nil && why.Finding.OfHistory() {
		return why.Health.Sentence
	}
	if l == i18n.English {
		return why.Summary
	}
	first := ""
	if len(why.Findings) > 0 {
		first, _ = why.Health.WordsOf(l, why.Findings[0])
	}
	switch {
	case why.State == explain.Held:
		return first
	case why.Part() == explain.All:
		return l.ExplainSumBlocked(first)
	case why.Part() == explain.Some:
		return l.ExplainSumPart(first)
	}
	if why.State == explain.Failing || why.State == explain.Unknown {
		return first
	}
	for _, f := range why.Findings {
		if f.Code == statistics.CodeConfigOtherRelease {
			sentence, _ := why.Health.WordsOf(l, f)
			return l.ExplainSumDoubt(sentence)
		}
	}
	for _, f := range why.Findings {
		if f.Code == statistics.CodeRunWaits {
			sentence, _ := why.Health.WordsOf(l, f)
			return sentence
		}
	}
	for _, f := range why.Findings {
		if f.Code == statistics.CodeOverrun {
			sentence, _ := why.Health.WordsOf(l, f)
			if f.Node == explain.RunsNode {
				return sentence
			}
			return l.ExplainSumOverrun(sentence)
		}
	}
	running := func(f statistics.Finding) bool { return f.Code == statistics.CodeRunning }
	if why.NextFire.IsZero() && slices.ContainsFunc(why.Findings, running) {
		return l.ExplainSumRunning()
	}
	if why.NextFire.IsZero() {
		return l.ExplainSumTrigger()
	}
	next := why.NextFire.Format("2006-01-02 15:04:05 MST")
	if slices.ContainsFunc(why.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeClockDiffers }) {
		return l.ExplainSumNextByClocks(next)
	}
	return l.ExplainSumNext(next)
}
