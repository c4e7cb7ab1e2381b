package console

import (
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

const (
	notesKey   = "console.audit_notes"
	outcomeKey = "console.outcome"
)

// note adds to the audit record of the request what only its handler knows.
func (s *Console) note(c *gin.Context, attrs ...slog.Attr) {
	notes, _ := c.Get(notesKey)
	list, _ := notes.([]slog.Attr)
	c.Set(notesKey, append(list, attrs...))
}

// refused notes for the audit record why the request did nothing.
func refused(c *gin.Context, code string) { c.Set(outcomeKey, code) }

// audited reports whether a request is one that may change something: whatever
// is no reading method, at an address that exists.
func audited(c *gin.Context) bool {
	switch c.Request.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	// Clients of 3.x ask for the history with a POST.
	return c.FullPath() != "" && !strings.HasPrefix(c.FullPath(), "/api/event-trace/")
}

// audit writes the record of a request that may have changed something, whether
// it did or was refused: who, from where, what, and what came of it. It is one
// line of the log with the message "audit".
func (s *Console) audit(c *gin.Context) {
	who, status := caller(c), c.Writer.Status()
	level, outcome := slog.LevelInfo, "done"
	if why := c.GetString(outcomeKey); why != "" {
		level, outcome = slog.LevelWarn, why
	}
	attrs := []slog.Attr{
		slog.String("request_id", requestID(c)), slog.String("outcome", outcome), slog.Int("status", status),
		slog.String("user", who.Name), slog.String("role", string(who.Role)), slog.String("remote", c.RemoteIP()),
		slog.String("action", c.Request.Method+" "+c.FullPath()),
	}
	for _, p := range c.Params {
		attrs = append(attrs, slog.String("param_"+p.Key, clip(p.Value, 300)))
	}
	notes, _ := c.Get(notesKey)
	list, _ := notes.([]slog.Attr)
	s.log.LogAttrs(c, level, "audit", append(attrs, list...)...)
}
