package app

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// ReadyFor is how long an answer of the readiness probe is kept, so that probes
// from many places cost one ping of the database.
const ReadyFor = time.Second

// readyWithin bounds the questions of the probe. It must be shorter than the timeouts of probes
// (2 s in console health, 3 s in the chart); otherwise a database that hangs fails the probe.
const readyWithin = 1500 * time.Millisecond

// healthz says that the process is alive. It touches nothing else: restarting
// the console does not bring ZooKeeper back.
func (s *Console) healthz(c *gin.Context) { c.String(http.StatusOK, "ok\n") }

// readiness is the last answer of the readiness probe.
type readiness struct {
	mu   sync.Mutex
	at   time.Time
	last ReadyBody
}

// ReadyBody is the answer of the readiness probe. Its status is ok, degraded if something
// that pages can do without is away, or failed.
type ReadyBody struct {
	Status string                `json:"status"`
	Checks map[string]readyCheck `json:"checks"`
}

// readyCheck names no host and quotes no error: the probe is public.
type readyCheck struct {
	Status string `json:"status"`
	State  string `json:"state,omitempty"`
	Since  string `json:"since,omitempty"`
}

// readyz reports whether the console can serve pages, which needs its own database because sessions
// are there. ZooKeeper, the history and the audit are details: without them, pages show a snapshot and
// the reason, and an answer other than 200 would let Kubernetes take these pages away during the outage.
func (s *Console) readyz(c *gin.Context) {
	body := s.checkReady(c.Request.Context())
	status := http.StatusOK
	if body.Status == "failed" {
		status = http.StatusServiceUnavailable
	}
	WriteJSON(c, status, body)
}

func (s *Console) checkReady(ctx context.Context) ReadyBody {
	r := &s.ready
	r.mu.Lock()
	defer r.mu.Unlock()
	now := s.opts.Clock()
	if age := now.Sub(r.at); r.last.Checks != nil && age >= 0 && age < ReadyFor {
		return r.last
	}
	// The answer is kept for others, so the one who asks must not be able to
	// make it "failed" by going away.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), min(readyWithin, s.opts.ReadTimeout))
	defer cancel()
	registry := readyCheck{Status: "ok"}
	health := s.opts.Health.Registry()
	if registry.State = string(health.State); health.State != RegistryConnected {
		registry.Status = "failed"
	}
	if !health.Since.IsZero() {
		registry.Since = view.IsoTime(health.Since)
	}
	checks := map[string]readyCheck{"registry": registry}
	var database, own, audit readyCheck
	var all sync.WaitGroup
	all.Go(func() { database = checked(ctx, s.opts.Health.PingDatabase(ctx)) })
	if s.opts.Settings != nil {
		all.Go(func() {
			own, audit = checked(ctx, s.opts.Settings.Ping(ctx)), readyCheck{Status: "ok"}
			if !s.recordsAgain(ctx) {
				audit.Status = "failed"
			}
		})
	}
	all.Wait()
	checks["database"] = database
	if s.opts.Settings != nil {
		checks["settings"], checks["audit"] = own, audit
	}
	body := ReadyBody{Status: "ok", Checks: checks}
	for _, one := range checks {
		if one.Status != "ok" {
			body.Status = "degraded"
		}
	}
	if own.Status == "failed" {
		body.Status = "failed"
	}
	r.at, r.last = now, body
	return body
}

// checked is the result of a question to a database.
func checked(ctx context.Context, err error) readyCheck {
	switch {
	case err == nil:
		return readyCheck{Status: "ok"}
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		return readyCheck{Status: "failed", State: "timeout"}
	}
	return readyCheck{Status: "failed"}
}
