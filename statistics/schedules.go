package statistics

import (
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// schedules keeps parsed cron expressions, because lists are judged often and many jobs have
// the same expression. It is safe for concurrent use.
type schedules struct {
	mu    sync.Mutex
	known map[scheduleKey]*parsedSchedule
}

// mostSchedules is the number of expressions that are kept.
const mostSchedules = 50_000

type scheduleKey struct {
	cron  string
	rules quartz.Rules
}

// parsedSchedule is an expression with the rules of its job, or the error in one of the two.
type parsedSchedule struct {
	expression       *quartz.Expression
	cronErr, ruleErr error
}

// of returns the parsed expression.
func (s *schedules) of(cron string, rules quartz.Rules) *parsedSchedule {
	if rules.Jitter == "" {
		rules.Job = "" // It only decides about the jitter.
	}
	key := scheduleKey{cron, rules}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.known[key]; p != nil {
		return p
	}
	if s.known == nil || len(s.known) >= mostSchedules {
		s.known = make(map[scheduleKey]*parsedSchedule)
	}
	p := &parsedSchedule{}
	if p.expression, p.cronErr = quartz.Parse(cron); p.cronErr == nil {
		p.expression, p.ruleErr = p.expression.With(rules)
	}
	s.known[key] = p
	return p
}
