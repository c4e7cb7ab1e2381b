package statistics

import (
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// schedules caches parsed cron expressions, because lists are made often and many jobs share an
// expression. It's safe for concurrent use.
type schedules struct {
	mu    sync.Mutex
	known map[scheduleKey]*parsedSchedule
}

const mostSchedules = 50_000

type scheduleKey struct {
	cron  string
	rules quartz.Rules
}

// parsedSchedule is an expression with the rules of its job, or the error in either of them.
type parsedSchedule struct {
	expression       *quartz.Expression
	cronErr, ruleErr error
}

func (s *schedules) of(cron string, rules quartz.Rules) *parsedSchedule {
	if rules.Jitter == "" {
		rules.Job = "" // Only the jitter depends on the job.
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
