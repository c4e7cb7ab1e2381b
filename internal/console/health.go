package console

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

// healthz says that the process is alive. It touches nothing else: restarting
// the console does not bring ZooKeeper back.
func (s *Console) healthz(c *gin.Context) { c.String(http.StatusOK, "ok\n") }

// readiness is the last answer of the readiness probe.
type readiness struct {
	mu   sync.Mutex
	at   time.Time
	last ReadyBody
}

// ReadyBody is the answer of the readiness probe.
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

// readyz says whether the console can do its work: ZooKeeper connected, its
// databases answering, and its audit written.
func (s *Console) readyz(c *gin.Context) {
	body := s.checkReady(c.Request.Context())
	status := http.StatusOK
	if body.Status != "ok" {
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
	body := ReadyBody{Status: "ok", Checks: make(map[string]readyCheck)}
	health := s.opts.Health.Registry()
	registry := readyCheck{Status: "ok", State: string(health.State)}
	if !health.Since.IsZero() {
		registry.Since = view.IsoTime(health.Since)
	}
	if health.State != RegistryConnected {
		registry.Status, body.Status = "failed", "failed"
	}
	body.Checks["registry"] = registry

	// The answer is kept for others, so the one who asks must not be able to
	// make it "failed" by going away.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.ReadTimeout)
	defer cancel()
	database := readyCheck{Status: "ok"}
	if err := s.opts.Health.PingDatabase(ctx); err != nil {
		database.Status, body.Status = "failed", "failed"
		if errors.Is(err, context.DeadlineExceeded) {
			database.State = "timeout"
		}
	}
	body.Checks["database"] = database
	if s.opts.Settings != nil {
		own := readyCheck{Status: "ok"}
		if err := s.opts.Settings.Ping(ctx); err != nil {
			own.Status, body.Status = "failed", "failed"
		}
		body.Checks["settings"] = own
		audit := readyCheck{Status: "ok"}
		if !s.recordsAgain(ctx) {
			audit.Status, body.Status = "failed", "failed"
		}
		body.Checks["audit"] = audit
	}
	r.at, r.last = now, body
	return body
}
