package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// pruneCommand is `console prune`.
type pruneCommand struct {
	KeepDays int    `placeholder:"DAYS" help:"Keep the executions, the status trail and the requested runs of this many days."`
	KeepRows int    `placeholder:"ROWS" help:"Keep this many executions, steps of the status trail and requested runs, the newest."`
	KeepLogs int    `name:"keep-log-days" placeholder:"DAYS" help:"Keep the lines that handlers logged for this many days. Default: as long as their runs."`
	DSN      string `name:"dsn" placeholder:"DSN" help:"The trace database, as for serve. Default: console.db in the data folder."`
	DSNFile  string `name:"dsn-file" placeholder:"FILE" help:"A file with the value of --dsn."`
	Data     string `default:"data" placeholder:"DIR" help:"The folder of the default database."`
}

func (c *pruneCommand) Run(p *cli.Process) (err error) {
	keep, err := traceRetention(c.KeepDays, c.KeepRows, c.KeepLogs)
	if err != nil {
		return err
	}
	if keep == (rdb.Retention{}) {
		return cli.Usage("Say what is to stay: --keep-days 90, --keep-rows 1000000, --keep-log-days 14, or several of them.", "nothing says what to delete")
	}
	dsn, err := databaseName("dsn", c.DSN, c.DSNFile, c.Data, "console.db")
	if err != nil {
		return err
	}
	db, err := openDatabase(p.Ctx, dsn, p.Log)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := db.Close(); err == nil {
			err = closeErr
		}
	}()
	pending, err := db.Pending(p.Ctx)
	if err != nil {
		return databaseFailure(err)
	}
	if pending > 0 {
		return cli.Fail("Run `console migrate up` first: without its indexes deleting reads the whole tables over and over.", "%s: %d migrations are missing", db, pending)
	}
	done, err := prune(p.Ctx, db, keep, p.Log)
	fmt.Fprintf(p.Stdout, "%s: %d executions and %d steps deleted, %d requested runs with %d steps, and %d lines of logs\n",
		db, done.Executions, done.Statuses, done.Requested, done.RunSteps, done.LogLines)
	if err != nil {
		return databaseFailure(err)
	}
	return nil
}

// retention is what the flags ask to be kept; zero is everything.
func retention(days, rows int) (rdb.Retention, error) {
	if days < 0 || rows < 0 || days > 36500 {
		return rdb.Retention{}, cli.Usage("Days are at most 36500; 0 keeps everything.", "--keep-days %d and --keep-rows %d must not be negative", days, rows)
	}
	return rdb.Retention{Age: time.Duration(days) * 24 * time.Hour, Rows: rows}, nil
}

// traceRetention is what the flags ask to be kept of the history.
func traceRetention(days, rows, logDays int) (rdb.Retention, error) {
	keep, err := retention(days, rows)
	if err != nil {
		return keep, err
	}
	if logDays < 0 || logDays > 36500 {
		return rdb.Retention{}, cli.Usage("Days are at most 36500; 0 keeps them as long as their runs.", "--keep-log-days %d must not be negative", logDays)
	}
	keep.LogAge = time.Duration(logDays) * 24 * time.Hour
	return keep, nil
}

// prune deletes and leaves a line in the log for who looks for the rows.
func prune(ctx context.Context, db *store.DB, keep rdb.Retention, log *slog.Logger) (rdb.Pruned, error) {
	done, err := rdb.Prune(ctx, db.Database, keep, time.Now())
	if none := (rdb.Pruned{Before: done.Before}); done != none {
		log.InfoContext(ctx, "audit: old trace rows deleted", slog.String("database", db.String()),
			slog.Int("executions", done.Executions), slog.Int("statuses", done.Statuses), slog.Time("before", done.Before),
			slog.Int("requested_runs", done.Requested), slog.Int("run_steps", done.RunSteps), slog.Int("log_lines", done.LogLines),
			slog.Duration("keep_age", keep.Age), slog.Int("keep_rows", keep.Rows), slog.Duration("keep_log_age", keep.LogAge))
	}
	return done, err
}

// pruneEvery is how often a serving console deletes. Two consoles of one
// database may meet; each then deletes what the other has not.
const pruneEvery = time.Hour

// keptOfStrangers is how many records of what strangers were refused stay, with
// or without other limits: some 40 MB.
const keptOfStrangers = 100_000

// forgetTokens deletes what is remembered of tokens that have expired.
func forgetTokens(ctx context.Context, own *settings.Store, log *slog.Logger) {
	if err := own.ForgetExpired(ctx, time.Now()); err != nil && ctx.Err() == nil {
		log.WarnContext(ctx, "expired tokens could not be forgotten, the next try is in an hour", slog.Any("err", err))
	}
}

// pruneAudit does the same with the audit, whose records say so themselves.
func pruneAudit(ctx context.Context, own *settings.Store, keep settings.AuditRetention, log *slog.Logger) {
	keep.Strangers = keptOfStrangers
	deleted, err := own.PruneAudit(ctx, keep, time.Now())
	if deleted > 0 {
		log.InfoContext(ctx, "audit: old audit records deleted", slog.Int("records", deleted), slog.Duration("keep_age", keep.Age), slog.Int("keep_rows", keep.Rows))
	}
	if err != nil && ctx.Err() == nil {
		log.WarnContext(ctx, "old audit records could not be deleted, the next try is in an hour", slog.Any("err", err))
	}
}

// keepPruning prunes one after the other now and every hour until ctx ends.
func keepPruning(ctx context.Context, prunings ...func(context.Context)) {
	ticker := time.NewTicker(pruneEvery)
	defer ticker.Stop()
	for {
		for _, prune := range prunings {
			prune(ctx)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
