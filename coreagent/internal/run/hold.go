package run

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

// suppressed counts fire times that passed while the schedule was held. It's guarded by Worker.mu.
// The history gets at most one row a minute.
type suppressed struct {
	count int       // since the last row
	rowAt time.Time // time of the last row
	// doubtful is the oldest suppressed fire time since this instance last found the schedule
	// released. It may have come after a release that we didn't know of yet.
	doubtful time.Time
}

// countFailure holds the job once the configured number of runs in a row have failed here. The
// steward counts requested runs.
func (b *batch) countFailure(failures map[int]error) {
	w := b.worker
	if b.claim != nil || b.ctx.Err() != nil {
		return
	}
	most := 0
	if len(failures) > 0 {
		settings, _ := runs.SettingsOf(b.view.Config)
		most = settings.Pause
	}
	w.mu.Lock()
	w.failedRuns++
	failed := w.failedRuns
	holds := most > 0 && failed >= most
	if holds || len(failures) == 0 {
		w.failedRuns = 0
	}
	w.mu.Unlock()
	if !holds {
		return
	}
	b.Log.Warn("the job is held because its runs failed", "runs", failed, "failures", failureText(failures))
	hold := jobtree.Hold{
		What: jobrun.HeldAll, By: "agent " + b.view.ID,
		Reason: fmt.Sprintf("%d runs failed in a row on this instance, the last one for %s", failed, b.at.UTC().Format(time.RFC3339)),
	}
	w.background("hold", func() {
		err := w.untilAnswered(b.epoch, func(ctx context.Context) error { return w.store().Hold(ctx, hold) })
		if err != nil && !errors.Is(err, jobrun.ErrHeld) && b.Life.Err() == nil {
			b.Log.Warn("the job could not be held", "err", err)
		}
	})
}

// doubt remembers a suppressed fire time. Worker.mu must be held.
func (s *suppressed) doubt(at time.Time) {
	if s.doubtful.IsZero() || at.Before(s.doubtful) {
		s.doubtful = at
	}
}

const suppressedInterval = time.Minute

// suppress records that a fire time passes without a run because the schedule is held.
func (w *Worker) suppress(at time.Time) {
	s := &w.suppressed
	w.Host.Report(w.Tree.Name(), host.Observation{Event: host.Suppressed})
	now := w.Host.Time()
	latest, _ := w.Latest.Get()
	hold := latest.Hold
	w.mu.Lock()
	s.count++
	count := s.count
	s.doubt(at)
	due := now.Sub(s.rowAt) >= suppressedInterval || now.Before(s.rowAt)
	if due {
		s.count, s.rowAt = 0, now
	}
	w.mu.Unlock()
	if !hold.Schedule() {
		w.job.Kick() // We know of the release, and control has looked already.
	}
	if !due {
		return
	}
	message := fmt.Sprintf("%d fire times passed, most recently %s, because the schedule is held by %s", count, at.UTC().Format(time.RFC3339), hold.By)
	if hold.Reason != "" {
		message += ": " + hold.Reason
	}
	w.Log.Info("a fire time passed without a run because the schedule is held", "scheduled", at, "by", hold.By, "reason", hold.Reason, "times", count)
	if !w.recordsRows() {
		return
	}
	w.Host.Recorder.RecordStatus(tracing.Status{
		ID: runs.NewID(now), JobName: w.Tree.Name(), TaskID: jobtree.TaskID(w.Tree.Name(), nil, w.Self.ID(), jobtree.NewTurn()), SlaveID: w.Host.IP,
		Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
		State: tracing.StateDropped, Message: message, CreationTime: now,
	})
}

// Suppressed takes the oldest fire time that passed while the schedule was held and may have come
// after the release. It's zero if there is none. Doubt puts it back.
func (w *Worker) Suppressed() (at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, w.suppressed.doubtful = w.suppressed.doubtful, time.Time{}
	return at
}

// Doubt records that a fire time was suppressed and may have come after the release.
func (w *Worker) Doubt(at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.suppressed.doubt(at)
}
