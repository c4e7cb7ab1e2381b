package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// suppressed counts fire times that passed while the schedule was held, guarded by
// Job.mu. The history gets a row a minute at most.
type suppressed struct {
	count int       // since the last row
	rowAt time.Time // of the last row
	// doubtful is the oldest of them since this instance has last found the schedule
	// released: it may have come after the release, which was not known here yet.
	doubtful time.Time
}

// countFailure holds the job when as many runs in a row have failed here as its settings
// say. Requested runs are counted by the steward.
func (b *batch) countFailure(failures map[int]error) {
	j := b.job
	if b.claim != nil || b.ctx.Err() != nil {
		return
	}
	j.mu.Lock()
	if j.failedRuns++; len(failures) == 0 {
		j.failedRuns = 0
	}
	failed := j.failedRuns
	j.mu.Unlock()
	if failed == 0 {
		return
	}
	settings, _ := runs.SettingsOf(b.view.Config)
	if settings.Pause == 0 || failed < settings.Pause {
		return
	}
	j.mu.Lock()
	j.failedRuns = 0
	j.mu.Unlock()
	j.log.Warn("the job is held: its runs fail", "runs", failed, "failures", failureText(failures))
	hold := jobtree.Hold{
		What: jobtree.HoldAll, By: "agent " + b.view.ID,
		Reason: fmt.Sprintf("%d runs failed in a row on this instance, the last one for %s", failed, b.at.UTC().Format(time.RFC3339)),
	}
	j.env.Tasks.Go(func() {
		j.guard("hold", func() {
			store := runs.Store{Client: j.env.Client, Tree: j.tree, Now: j.env.Time}
			err := j.untilAnswered(b.epoch, func(ctx context.Context) error { return store.Hold(ctx, hold) })
			if err != nil && !errors.Is(err, jobrun.ErrHeld) && j.life.Err() == nil {
				j.log.Warn("the job could not be held", "err", err)
			}
		})
	})
}

// doubt keeps in mind that a fire time was suppressed, with Job.mu held.
func (s *suppressed) doubt(at time.Time) {
	if s.doubtful.IsZero() || at.Before(s.doubtful) {
		s.doubtful = at
	}
}

// suppressedEvery is how often the history gets a row of suppressed fire times.
const suppressedEvery = time.Minute

// note notes that a fire time passes without a run because the schedule is held.
func (s *suppressed) note(j *Job, at time.Time) {
	j.observe(host.Observation{Event: host.Suppressed})
	now := j.env.Time()
	j.mu.Lock()
	s.count++
	count, hold := s.count, j.view.Hold
	s.doubt(at)
	due := now.Sub(s.rowAt) >= suppressedEvery || now.Before(s.rowAt)
	if due {
		s.count, s.rowAt = 0, now
	}
	j.mu.Unlock()
	if !hold.Schedule() {
		j.kick() // It is known by now, and control has looked.
	}
	if !due {
		return
	}
	message := fmt.Sprintf("%d fire times passed, the last one %s: the schedule is held by %s", count, at.UTC().Format(time.RFC3339), hold.By)
	if hold.Reason != "" {
		message += ": " + hold.Reason
	}
	j.log.Info("a fire time passes without a run: the schedule is held", "scheduled", at, "by", hold.By, "reason", hold.Reason, "times", count)
	if !j.keepsRows() {
		return
	}
	j.env.Recorder.RecordStatus(tracing.Status{
		ID: runs.NewID(now), JobName: j.Name(), TaskID: jobtree.TaskID(j.Name(), nil, j.ID(), jobtree.NewTurn()), SlaveID: j.env.IP,
		Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
		State: tracing.StateDropped, Message: message, CreationTime: now,
	})
}
