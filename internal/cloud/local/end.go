package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

func (e *Engine) End(ctx context.Context, name string, number int, how cloud.Ending) error {
	return e.onRun(ctx, "end", name, func(r *run) error {
		switch {
		case how.Way != cloud.EndKill && how.Way != cloud.EndSuspend && how.Way != cloud.EndError:
			return fmt.Errorf("way %q, want kill, suspend or error: %w", how.Way, cloud.ErrRefused)
		case number >= 0 && how.Way == cloud.EndSuspend:
			return fmt.Errorf("one shard cannot be suspended, only the whole run: %w", cloud.ErrRefused)
		case r.status.State.Ended():
			return nil
		case r.daemon() && (number < 0 || how.Way == cloud.EndError):
			return fmt.Errorf("its job is a DAEMON job, so ended processes restart; disable the job to stop them: %w", cloud.ErrRefused)
		}
		err := e.end(r, number, how)
		e.settle(r, time.Now())
		return err
	})
}

// end stores the command before carrying it out, so that a restarted engine finishes it.
func (e *Engine) end(r *run, number int, how cloud.Ending) error {
	if number >= 0 {
		for _, s := range r.shards {
			if s.number != number {
				continue
			}
			if s.outcome != "" || r.daemon() && s.current() == nil {
				return nil
			}
			if r.daemon() {
				return e.endShard(r, s, how)
			}
			if r.state.Stopped == nil {
				r.state.Stopped = make(map[int]cloud.Ending)
			}
			r.state.Stopped[number] = how
			e.keep(r)
			return e.endShard(r, s, how)
		}
		return fmt.Errorf("the run has no shard %d: %w", number, cloud.ErrNotFound)
	}
	if how.Way == cloud.EndSuspend {
		if r.state.Suspended || r.state.Stop != nil {
			return nil
		}
		// After Resume its timeout counts from zero, like a Kubernetes Job's.
		r.state.Suspended, r.state.Started, r.admitted = true, time.Time{}, false
		_, r.status.Message = r.outcomeOf(endFile{Stop: &how})
	} else {
		if r.state.Stop != nil {
			return nil
		}
		r.state.Stop = &how
		r.state.Suspended = false
	}
	e.keep(r)
	return e.endAll(r, how)
}

func (e *Engine) endAll(r *run, how cloud.Ending) error {
	var errs []error
	for _, s := range r.shards {
		if s.outcome == "" {
			errs = append(errs, e.endShard(r, s, how))
		}
	}
	return errors.Join(errs...)
}

// endShard ends a shard's attempt, or the shard itself if it has none.
func (e *Engine) endShard(r *run, s *shard, how cloud.Ending) error {
	switch a := s.current(); {
	case a != nil && a.phase == launched:
		return e.stop(a, how)
	case a != nil:
		e.conclude(r, s, a, endFile{Ended: time.Now(), Stop: &how})
	case how.Way != cloud.EndSuspend:
		state, message := r.outcomeOf(endFile{Stop: &how})
		e.giveUp(r, s, state, message)
	}
	return nil
}

// giveUp ends a shard without a process. No further attempt follows.
func (e *Engine) giveUp(r *run, s *shard, outcome cloud.State, message string) {
	s.outcome, s.message, s.retryAt = outcome, message, time.Time{}
	if n := len(s.attempts); n > 0 && s.attempts[n-1].task.Retry {
		s.attempts[n-1].task.Retry = false
		e.changed(r, s.attempts[n-1])
	}
}

func (e *Engine) Resume(ctx context.Context, name string) error {
	return e.onRun(ctx, "resume", name, func(r *run) error {
		if !r.state.Suspended {
			return nil
		}
		r.state.Suspended = false
		r.status.Message = ""
		e.keep(r)
		r.progress()
		e.changed(r, nil)
		e.again()
		return nil
	})
}

func (e *Engine) Explain(ctx context.Context, name string) (reasons []cloud.Reason, err error) {
	err = e.onRun(ctx, "explain", name, func(r *run) error {
		reasons = e.reasons(r)
		return nil
	})
	return reasons, err
}

func (e *Engine) reasons(r *run) (reasons []cloud.Reason) {
	switch {
	case r.status.State.Ended():
		return nil
	case r.state.Suspended:
		return []cloud.Reason{{Code: "Suspended", Text: r.status.Message, Count: r.open(), Since: r.status.Created}}
	}
	if !r.admitted && r.state.Stop == nil {
		cpu, memory := e.used()
		code := "Queued"
		if needCPU, needMemory := r.need(); cpu+needCPU > e.cfg.CPU+slack || memory+needMemory > e.cfg.MemoryMB+slack {
			code = "Unschedulable"
		}
		reasons = append(reasons, cloud.Reason{Code: code, Text: e.waitsFor(r, cpu, memory), Count: r.open(), Since: r.status.Created})
	}
	for _, s := range r.shards {
		if s.outcome == "" && !s.retryAt.IsZero() {
			last := s.attempts[len(s.attempts)-1]
			reasons = append(reasons, cloud.Reason{
				Code: "BackOff", Count: 1, Since: last.task.Ended,
				Text: fmt.Sprintf("shard %d will be retried at %s after: %s", s.number, s.retryAt.UTC().Format(time.RFC3339), last.task.Message),
			})
		}
	}
	return reasons
}
