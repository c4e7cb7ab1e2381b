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

// WithStream returns a context whose records belong to the log of an execution, too.
func WithStream(ctx context.Context, s *Stream) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, streamKey{}, s)
}

// StreamOf returns the stream of a context, nil without one.
func StreamOf(ctx context.Context) *Stream {
	s, _ := ctx.Value(streamKey{}).(*Stream)
	return s
}

// Handler hands records to another handler, and to the log of the execution: that of
// its own stream if it has one, else that of the record's context.
type Handler struct {
	base   slog.Handler
	text   *texts
	attrs  slog.Handler // writes what comes after the message to text
	stream *Stream      // nil: the context's
}

// NewHandler returns a handler before base. The context of a record says which execution
// it belongs to.
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

// ForStream returns a handler before base that hands records to the log of one execution.
// attrs are for base alone: that log says elsewhere what they say.
func ForStream(base slog.Handler, stream *Stream, attrs []slog.Attr) *Handler {
	h, ok := base.(*Handler)
	if !ok {
		h = NewHandler(base)
	}
	next := *h
	next.base, next.stream = h.base.WithAttrs(attrs), stream
	return &next
}

// texts is where records become text, one at a time.
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

// Enabled reports whether either takes records of a level.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.of(ctx).Takes(level) || h.base.Enabled(ctx, level)
}

// Handle implements [slog.Handler].
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	if s := h.of(ctx); s.Takes(r.Level) {
		s.Line(r.Time, r.Level, h.line(ctx, r))
	}
	if !h.base.Enabled(ctx, r.Level) {
		return nil
	}
	if h.stream != nil {
		ctx = context.WithValue(ctx, streamKey{}, (*Stream)(nil)) // base may have a Handler inside.
	}
	return h.base.Handle(ctx, r)
}

// line is the text of a record: its message and its attributes.
func (h *Handler) line(ctx context.Context, r slog.Record) string {
	h.text.mu.Lock()
	defer h.text.mu.Unlock()
	h.text.buffer.Reset()
	plain := r
	plain.Time = time.Time{} // A zero time is left out; an attribute of that name is not.
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

// WithAttrs implements [slog.Handler].
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	next.base, next.attrs = h.base.WithAttrs(attrs), h.attrs.WithAttrs(attrs)
	return &next
}

// WithGroup implements [slog.Handler].
func (h *Handler) WithGroup(name string) slog.Handler {
	next := *h
	next.base, next.attrs = h.base.WithGroup(name), h.attrs.WithGroup(name)
	return &next
}

func clip(text string, most int) string {
	return jobtree.Clip(strings.ToValidUTF8(text, "\uFFFD"), most)
}
