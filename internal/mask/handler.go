package mask

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
)

// How many bytes of a text are logged. Stacks are our own.
const (
	mostLogged = 4 << 10
	mostStack  = 16 << 10
	mostMasked = 64 << 10 // that are looked at
)

// handler masks and clips texts before they're logged.
type handler struct{ next slog.Handler }

// NewHandler returns a handler that passes records on without the secrets in their texts, and
// clips each text to 4 KiB.
func NewHandler(next slog.Handler) slog.Handler { return handler{next} }

// Enabled implements [slog.Handler].
func (h handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle implements [slog.Handler].
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	shown := slog.NewRecord(r.Time, r.Level, logged("", r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		shown.AddAttrs(attr(a))
		return true
	})
	return h.next.Handle(ctx, shown)
}

// WithAttrs implements [slog.Handler].
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.next.WithAttrs(all(attrs))}
}

// WithGroup implements [slog.Handler].
func (h handler) WithGroup(name string) slog.Handler { return handler{h.next.WithGroup(name)} }

func all(attrs []slog.Attr) []slog.Attr {
	shown := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		shown[i] = attr(a)
	}
	return shown
}

func attr(a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(logged(a.Key, a.Value.String()))
	case slog.KindGroup:
		a.Value = slog.GroupValue(all(a.Value.Group())...)
	case slog.KindAny:
		format := "%+v"
		if _, is := a.Value.Any().([]byte); is {
			format = "%s"
		}
		text := fmt.Sprintf(format, a.Value.Any()) // This survives a panic of Error or String.
		if shown := logged(a.Key, text); shown != text {
			a.Value = slog.StringValue(shown)
		}
	default: // Numbers, truth values and times have no secrets.
	}
	return a
}

// logged is a text as it is logged.
func logged(key, text string) string {
	most := mostLogged
	if key == "stack" {
		most = mostStack
	}
	return Clip(Value(key, Clip(text, mostMasked)), most)
}

// Clip cuts a text to a number of bytes in whole characters, and shows that.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
