package doctor

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// Limit bounds the time of all checks together.
const Limit = time.Minute

// Absent returns a note if a data source is a file that doesn't exist.
func Absent(dsn string) *Finding {
	source := store.Source(dsn).String()
	file, isFile := strings.CutPrefix(source, "sqlite://")
	if _, err := os.Stat(file); !isFile || !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	note := New(Note, source, "the file doesn't exist yet", "there is nothing to check",
		"start what writes it, or correct the data source name or --data")
	return &note
}

// Database checks a trace database.
func Database(ctx context.Context, dsn string) []Finding {
	if note := Absent(dsn); note != nil {
		return []Finding{*note}
	}
	db, err := store.Open(ctx, store.ReadOnly(dsn), slog.New(slog.DiscardHandler))
	if err != nil {
		return []Finding{New(Error, "trace database", err.Error(),
			"runs can't be recorded or shown",
			"correct --dsn, the file's data source or the server; `console migrate up` creates the tables")}
	}
	defer func() { _ = db.Close() }() // It was only read.
	return Tables(ctx, db.Database)
}

// LogAll logs the findings unless they come from the end of the process.
func LogAll(ctx context.Context, log *slog.Logger, list []Finding) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	Log(ctx, log, list)
	wrong, doubtful := Faults(list)
	log.DebugContext(ctx, "doctor: done", slog.Int("errors", wrong), slog.Int("warnings", doubtful))
}
