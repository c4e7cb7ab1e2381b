package app

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// MaxBody is the most a request may send whose route says nothing else: our forms
// and JSON bodies are small.
const MaxBody = 64 << 10

const requestIDKey = "console.request_id"

// RequestID is the id that ties an answer to its lines in the log.
func RequestID(c *gin.Context) string { return c.GetString(requestIDKey) }

// observe gives the request its id and logs it when it has been answered.
func (s *Console) observe(c *gin.Context) {
	start := time.Now()
	id := strings.ToLower(rand.Text()[:16]) // In capitals, one in a million looks like a cloud's access key, and is masked.
	c.Set(requestIDKey, id)
	c.Header("X-Request-Id", id)

	c.Next()

	if audited(c) {
		s.audit(c)
	}
	s.opts.Metrics.answered(c, time.Since(start))
	level := slog.LevelInfo
	if c.FullPath() == event.Path && c.Writer.Status() == http.StatusAccepted || c.FullPath() == "/healthz" || c.FullPath() == "/metrics" || c.FullPath() == "/readyz" || c.FullPath() == StaticRoute {
		level = slog.LevelDebug
	}
	s.Log.LogAttrs(c, level, "request",
		slog.String("request_id", id),
		slog.String("method", clipped(c.Request.Method)),
		pathAttr(c),
		slog.Int("status", c.Writer.Status()),
		slog.Duration("took", time.Since(start)),
		slog.String("remote", Remote(c)),
		slog.String("user", Caller(c).Name),
	)
}

// recoverPanics turns a panic of a handler into a 500 and a line with the
// stack.
func (s *Console) recoverPanics(c *gin.Context) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(v)
		}
		s.Log.ErrorContext(c, "panic in a handler", slog.String("request_id", RequestID(c)),
			pathAttr(c), slog.Any("err", v), slog.String("stack", string(debug.Stack())))
		if c.Writer.Written() {
			c.Abort()
			return
		}
		s.Fail(c, Internal(fmt.Errorf("panic: %v", v)))
	}()
	c.Next()
}

// ContentPolicy lets the browser load our own files and nothing else. Styles
// and scripts come from files only; there is not one inline.
const ContentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// harden sets the headers every answer carries and bounds the request's body.
func (s *Console) harden(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", ContentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	// Nothing but static files may be kept: after signing out, the way back
	// must not show what was there.
	h.Set("Cache-Control", "no-store")
	if Secure(c) {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if c.Request.Body != nil {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, s.bodyLimit(c))
	}
}

// bound refuses a body that is larger than the route takes before its handler
// begins, whether that reads the body or not: no action is carried out with one that
// was too much to read.
func (s *Console) bound(c *gin.Context) {
	limit := s.bodyLimit(c)
	if c.Request.ContentLength > limit {
		s.Fail(c, TooLarge(limit))
		return
	}
	if c.Request.ContentLength >= 0 {
		return
	}
	body, err := io.ReadAll(c.Request.Body) // its size was not announced
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		s.Fail(c, TooLarge(limit))
	case err != nil:
		s.Fail(c, MalformedAs(i18n.Lang.ProblemBodyCut, i18n.Lang.ProblemBodyCutHint))
	default:
		c.Request.Body, c.Request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
}

// bodyLimit is the most the body of a request may have.
func (s *Console) bodyLimit(c *gin.Context) int64 {
	if limit, ok := s.limits[c.FullPath()]; ok {
		return limit
	}
	return MaxBody
}

// sameOrigin refuses actions that another site makes a browser send. Callers
// that are no browsers are not affected.
func (s *Console) sameOrigin(c *gin.Context) {
	if err := s.crossOrigin.Check(c.Request); err != nil {
		s.Fail(c, Problem{Kind: KindForbidden, Code: "cross_origin", Cause: err}.Said(func(l i18n.Lang) (string, string) {
			return l.ProblemCrossOrigin(), l.ProblemCrossOriginHint()
		}))
	}
}
