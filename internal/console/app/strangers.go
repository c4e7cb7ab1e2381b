package app

import (
	"context"
	"log/slog"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// loggedKey is true if the lines of a request without an account are logged.
const loggedKey = "console.logged"

// strangerLog limits the lines about requests without an account as the audit limits their
// records, because the log must not be a way to fill a disk either. All lines of a request are
// logged, or none. The next line that is logged has the number of requests that weren't.
type strangerLog struct {
	slog.Handler
	s *Console
}

// Handle implements [slog.Handler].
func (h strangerLog) Handle(ctx context.Context, r slog.Record) error {
	c, ok := ctx.Value(gin.ContextKey).(*gin.Context)
	if !ok || Caller(c).Name != "" {
		return h.Handler.Handle(ctx, r)
	}
	if _, decided := c.Get(loggedKey); !decided {
		write, skipped := h.s.lines.admit(h.s.Now(), "", Remote(c))
		c.Set(loggedKey, write)
		if skipped > 0 {
			r = r.Clone()
			r.AddAttrs(slog.Int("not_logged_before", skipped))
		}
	}
	if !c.GetBool(loggedKey) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h strangerLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return strangerLog{h.Handler.WithAttrs(attrs), h.s}
}

// WithGroup implements [slog.Handler].
func (h strangerLog) WithGroup(name string) slog.Handler {
	return strangerLog{h.Handler.WithGroup(name), h.s}
}

// LogSignIn logs that an account signed in, and has all lines of this request logged.
func (s *Console) LogSignIn(c *gin.Context, user string, attrs ...slog.Attr) {
	c.Set(loggedKey, true)
	attrs = append([]slog.Attr{slog.String("remote", Remote(c)), slog.String("user", user)}, attrs...)
	s.Log.LogAttrs(c, slog.LevelInfo, "login", attrs...)
}

// pathAttr is the path of a request, clipped because its caller chose it.
func pathAttr(c *gin.Context) slog.Attr { return slog.String("path", clipped(c.Request.URL.Path)) }

// clipped is a text of a request as log lines show it.
func clipped(text string) string { return view.Clip(text, 200) }
