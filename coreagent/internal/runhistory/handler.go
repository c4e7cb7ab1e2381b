package runhistory

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

type streamKey struct{}

// WithStream returns a context that also sends log records to the log of an execution.
func WithStream(ctx context.Context, s *Stream) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, streamKey{}, s)
}

// StreamOf returns the stream of a context, or nil.
func StreamOf(ctx context.Context) *Stream {
	s, _ := ctx.Value(streamKey{}).(*Stream)
	return s
}

// Handler passes records to another handler and to the log of an execution: its own stream's, or
// else the record's context's.
type Handler struct {
	base   slog.Handler
	text   *texts
	attrs  slog.Handler // writes the attributes of a message to text
	stream *Stream      // nil to use the context's
}

// NewHandler returns a handler in front of base. The context of a record identifies its execution.
func NewHandler(base slog.Handler) *Handler {
	text := &texts{}
	return &Handler{base: base, text: text, attrs: slog.NewTextHandler(&text.buffer, &slog.HandlerOptions{
		Level: slog.Level(-1 << 16), ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			_, level := a.Value.Any().(slog.Level)
			if len(groups) == 0 && (a.Key == slog.LevelKey && level || a.Key == slog.MessageKey) {
				return slog.Attr{}
			}
			return a
		},
	})}
}

// ForStream returns a handler in front of base that passes records to the log of one execution.
// attrs are only for base, because that log has these values elsewhere.
func ForStream(base slog.Handler, stream *Stream, attrs []slog.Attr) *Handler {
	h, ok := base.(*Handler)
	if !ok {
		h = NewHandler(base)
	}
	next := *h
	next.base, next.stream = h.base.WithAttrs(attrs), stream
	return &next
}

// texts converts records to text, one at a time.
type texts struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (h *Handler) of(ctx context.Context) *Stream {
	if h.stream != nil {
		return h.stream
	}
	return StreamOf(ctx)
}

// Enabled reports whether base or the stream accepts a level.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.of(ctx).Takes(level) || h.base.Enabled(ctx, level)
}

func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	if s := h.of(ctx); s.Takes(r.Level) {
		s.Line(r.Time, r.Level, h.line(ctx, r))
	}
	if !h.base.Enabled(ctx, r.Level) {
		return nil
	}
	if h.stream != nil {
		ctx = context.WithValue(ctx, streamKey{}, (*Stream)(nil)) // base may contain a Handler.
	}
	return h.base.Handle(ctx, r)
}

func (h *Handler) line(ctx context.Context, r slog.Record) string {
	h.text.mu.Lock()
	defer h.text.mu.Unlock()
	h.text.buffer.Reset()
	plain := r
	plain.Time = time.Time{} // A zero time is left out, but an attribute with that name isn't.
	if h.attrs.Handle(ctx, plain) != nil {
		return r.Message
	}
	attrs := strings.TrimRight(h.text.buffer.String(), "\n")
	if h.text.buffer.Cap() > 64<<10 {
		h.text.buffer = bytes.Buffer{}
	}
	if attrs == "" {
		return r.Message
	}
	return r.Message + " " + attrs
}

func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	next.base, next.attrs = h.base.WithAttrs(attrs), h.attrs.WithAttrs(attrs)
	return &next
}

func (h *Handler) WithGroup(name string) slog.Handler {
	next := *h
	next.base, next.attrs = h.base.WithGroup(name), h.attrs.WithGroup(name)
	return &next
}

func clip(text string, most int) string {
	return jobtree.Clip(strings.ToValidUTF8(text, "\uFFFD"), most)
}
