package statistics

import (
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// schedules remembers cron expressions that were parsed: a list is judged again and again,
// and many jobs have the same. It is safe for concurrent use.
type schedules struct {
	mu    sync.Mutex
	known map[scheduleKey]*parsedSchedule
}

// mostSchedules bounds what is remembered.
const mostSchedules = 50_000

type scheduleKey struct {
	cron  string
	rules quartz.Rules
}

// parsedSchedule is an expression under the rules of its job, or what is wrong with one of
// the two.
type parsedSchedule struct {
	expression       *quartz.Expression
	cronErr, ruleErr error
}

// of parses an expression, or remembers what came of it.
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
