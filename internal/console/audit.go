package console

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/time/rate"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
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
// is no reading method, at an address that exists; and a sign-in.
func audited(c *gin.Context) bool {
	if c.FullPath() == oidcCallback { // a GET, since the provider sends browsers there
		return true
	}
	switch c.Request.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	// Clients of 3.x ask for the history with a POST.
	return c.FullPath() != "" && !strings.HasPrefix(c.FullPath(), "/api/event-trace/")
}

// audit writes the record of a request that may have changed something, whether
// it did or was refused: who, from where, what, and what came of it. It is one
// line of the log with the message "audit", and one row of the console's own
// database if it has one.
func (s *Console) audit(c *gin.Context) {
	who, status := caller(c), c.Writer.Status()
	level, outcome := slog.LevelInfo, "done"
	if why := c.GetString(outcomeKey); why != "" {
		level, outcome = slog.LevelWarn, why
	}
	attrs := []slog.Attr{
		slog.String("request_id", requestID(c)), slog.String("outcome", outcome), slog.Int("status", status),
		slog.String("user", who.Name), slog.String("role", string(who.Role)), slog.String("remote", remote(c)),
		slog.String("action", c.Request.Method+" "+c.FullPath()),
	}
	for _, p := range c.Params {
		attrs = append(attrs, slog.String("param_"+p.Key, clip(p.Value, 300)))
	}
	notes, _ := c.Get(notesKey)
	list, _ := notes.([]slog.Attr)
	s.log.LogAttrs(c, level, "audit", append(attrs, list...)...)
	s.keepRecord(c, outcome, list)
}

// keepRecord writes the row. The answer waits for it.
func (s *Console) keepRecord(c *gin.Context, outcome string, notes []slog.Attr) {
	if s.opts.Settings == nil {
		return
	}
	who := caller(c)
	r := settings.Record{
		At: s.opts.Clock(), User: who.Name, Role: string(who.Role), Remote: remote(c), Action: c.Request.Method + " " + c.FullPath(),
		Outcome: outcome, Status: c.Writer.Status(), RequestID: requestID(c),
	}
	if name := s.centreOf(c).name; name != defaultRegistry {
		r.Registry = name
	}
	var targets, details []string
	for _, p := range c.Params {
		value, err := url.PathUnescape(p.Value)
		if err != nil {
			value = p.Value
		}
		targets = append(targets, value)
	}
	for _, n := range notes {
		switch n.Key {
		case "target":
			targets = []string{n.Value.String()}
		default:
			details = append(details, n.Key+"="+n.Value.String())
		}
	}
	if who.Name == "" && outcome != "done" {
		write, skipped := s.strangers.admit(r.At)
		if !write {
			return
		}
		if skipped > 0 {
			details = append(details, fmt.Sprintf("unrecorded_before=%d", skipped))
		}
	}
	r.Target, r.Detail = strings.Join(targets, " "), strings.Join(details, " ")
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.opts.ReadTimeout)
	defer cancel()
	if err := s.opts.Settings.AddRecord(ctx, r); err != nil {
		s.log.ErrorContext(c, "an audit record is in the log only", slog.String("request_id", requestID(c)), slog.Any("err", err))
	}
}

// strangers bounds what people without a token can make the console write: the
// audit must not be a way to fill a disk. What is left out is counted.
type strangers struct {
	limit   *rate.Limiter
	skipped *atomic.Int64
}

const (
	strangersPerSecond = 1
	strangersAtOnce    = 300
)

func newStrangers() strangers {
	return strangers{limit: rate.NewLimiter(strangersPerSecond, strangersAtOnce), skipped: new(atomic.Int64)}
}

// admit says whether to write a record, and how many were left out before it.
func (s strangers) admit(now time.Time) (write bool, skipped int64) {
	if !s.limit.AllowN(now, 1) {
		s.skipped.Add(1)
		return false, 0
	}
	return true, s.skipped.Swap(0)
}
