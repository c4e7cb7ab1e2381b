package cli

import (
	"context"
	"io"
	"log"
	"log/slog"
	"time"

	"golang.org/x/time/rate"

	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// LogFlags are the flags about the log.
type LogFlags struct {
	LogFormat string `enum:"text,json" default:"text" help:"How log lines look: text or json." group:"log" variable:""`
	LogLevel  string `enum:",debug,info,warn,error" default:"" help:"The lowest level that is logged: debug, info, warn or error. Default: info; warn for the demo and for commands that ask a console." group:"log" variable:""`
}

func (f *LogFlags) logger(w io.Writer, level string) *slog.Logger {
	if f.LogLevel != "" {
		level = f.LogLevel
	}
	return newLogger(w, f.LogFormat, level)
}

// newLogger writes to w, without secrets. The level was checked by the parser; "" is info.
func newLogger(w io.Writer, format, level string) *slog.Logger {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		l = slog.LevelInfo
	}
	opts := &slog.HandlerOptions{Level: l}
	if format == "json" {
		return slog.New(mask.NewHandler(slog.NewJSONHandler(w, opts)))
	}
	return slog.New(mask.NewHandler(slog.NewTextHandler(w, opts)))
}

// ServerErrors is the ErrorLog of an HTTP server. Strangers cause most of its lines, such as
// failed TLS handshakes, so after the first 60 only one in ten seconds is logged.
func ServerErrors(l *slog.Logger) *log.Logger {
	return slog.NewLogLogger(limited{l.Handler(), rate.NewLimiter(rate.Every(10*time.Second), 60)}, slog.LevelWarn)
}

type limited struct {
	slog.Handler
	limit *rate.Limiter
}

// Handle implements [slog.Handler].
func (h limited) Handle(ctx context.Context, r slog.Record) error {
	if !h.limit.AllowN(r.Time, 1) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}
