package rdb

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	runTable      = "JOB_RUN"
	stepTable     = "JOB_RUN_STEP"
	logTable      = "JOB_RUN_LOG"
	progressTable = "JOB_RUN_PROGRESS"
)

// requestColumns come from the request: every record of a run has the same values or none.
// stateColumns come from the later record.
var (
	requestColumns = []string{"origin", "origin_name", "parent_id", "backfill_id", "run_key", "params", "note", "fire_time"}
	stateColumns   = []string{"state", "reason", "due_time", "started_at", "ended_at", "attempt", "losses", "snoozes",
		"items_ok", "items_failed", "items_skipped", "error", "result"}
	// The columns in the order of their values. The rank is last, because MySQL assigns one column
	// after the other, and all others compare with the old rank.
	runColumnsOfTable = slices.Concat([]string{"id", "job_name", "submitted_at", "retries"}, requestColumns, stateColumns, []string{"state_rank"})
)

// old and fresh name a column of the stored row and of the inserted one, in an upsert.
func (w writer) old(table, c string) string {
	if w.shape.dialect == "mysql" {
		return c
	}
	return table + "." + c
}

func (w writer) fresh(c string) string {
	if w.shape.dialect == "mysql" {
		return "VALUES(" + c + ")"
	}
	return "excluded." + c
}

// update makes a second insert of a row an update. MySQL assigns one column after the other.
func (w writer) update(key string, sets ...string) string {
	if w.shape.dialect == "mysql" {
		return " ON DUPLICATE KEY UPDATE " + strings.Join(sets, ", ")
	}
	return " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// choose sets columns to the inserted values if a condition holds. Columns of the condition must be last.
func (w writer) choose(table, condition string, columns ...string) (sets []string) {
	for _, c := range columns {
		sets = append(sets, c+" = CASE WHEN "+condition+" THEN "+w.fresh(c)+" ELSE "+w.old(table, c)+" END")
	}
	return sets
}

// chooseBy is choose for one column, by a comparison of the inserted value with the stored one.
func (w writer) chooseBy(table, operator, c string) string {
	return w.choose(table, w.fresh(c)+operator+w.old(table, c), c)[0]
}

// ignore makes a second insert of a row do nothing.
func (w writer) ignore(key, column string) string {
	if w.shape.dialect == "mysql" {
		return w.update(key, column+" = "+column)
	}
	return " ON CONFLICT (" + key + ") DO NOTHING"
}

// upsertRuns turns a second insert of a run into an update, by the rule of [later].
func (w writer) upsertRuns() string {
	old := func(c string) string { return w.old(runTable, c) }
	wins := w.fresh("state_rank") + " >= " + old("state_rank")
	// A run's request comes first, so the earliest time is the right one. A record without that
	// time uses a later time.
	sets := []string{w.chooseBy(runTable, " < ", "submitted_at"), w.chooseBy(runTable, " > ", "retries")}
	for _, c := range requestColumns {
		sets = append(sets, c+" = CASE WHEN "+wins+" THEN COALESCE("+w.fresh(c)+", "+old(c)+") ELSE COALESCE("+old(c)+", "+w.fresh(c)+") END")
	}
	sets = append(sets, w.choose(runTable, wins, stateColumns...)...)
	return w.update("id", append(sets, w.choose(runTable, wins, "state_rank")...)...)
}

func (w writer) runs(rows []tracing.RunRecord) error {
	return w.insert(runTable, runColumnsOfTable, w.upsertRuns(), len(rows), func(i int) []any {
		r := rows[i]
		params := w.known(r.Params, tracing.MaxParams)
		if len(r.Params) > tracing.MaxParams {
			params = nil // a part of a JSON document is useless
		}
		return []any{
			r.ID, r.JobName, w.bind(r.Submitted), number(r.Retries),
			w.known(r.Origin, widthRunState), w.known(r.OriginName, tracing.MaxActor), orNull(r.ParentID), orNull(r.BackfillID),
			orNull(r.Key), params, w.known(r.Note, tracing.MaxNote), w.bind(r.FireTime),
			w.text(string(r.State), widthRunState), w.known(r.Reason, tracing.MaxReason), w.bind(r.Due), w.bind(r.Started), w.bind(r.Ended),
			number(r.Attempt), number(r.Losses), number(r.Snoozes), number(r.OK), number(r.Failed), number(r.Skipped),
			w.known(r.Error, tracing.MaxText), w.known(r.Result, tracing.MaxResult), r.Order(),
		}
	})
}

func (w writer) steps(rows []tracing.RunStep) error {
	columns := []string{"id", "run_id", "job_name", "attempt", "at", "state", "actor", "message"}
	return w.insert(stepTable, columns, w.ignore("id", "at"), len(rows), func(i int) []any {
		s := rows[i]
		return []any{s.ID, s.RunID, s.JobName, number(s.Attempt), w.bind(s.At),
			w.text(string(s.State), widthRunState), w.known(s.Actor, tracing.MaxActor), w.known(s.Message, tracing.MaxText)}
	})
}

func (w writer) lines(rows []tracing.LogLine) error {
	columns := []string{"execution_id", "seq", "run_id", "job_name", "item", "attempt", "at", "level", "message"}
	return w.insert(logTable, columns, w.ignore("execution_id, seq", "at"), len(rows), func(i int) []any {
		l := rows[i]
		return []any{l.ExecutionID, l.Seq, l.RunID, l.JobName, l.Item, number(l.Attempt),
			w.bind(l.At), w.text(l.Level, widthLevel), w.known(l.Message, tracing.MaxLogLine)}
	})
}

func (w writer) progress(rows []tracing.Progress) error {
	newer := w.choose(progressTable, w.fresh("updated_at")+" >= "+w.old(progressTable, "updated_at"), "fraction", "message", "updated_at")
	columns := []string{"execution_id", "run_id", "job_name", "item", "attempt", "fraction", "message", "updated_at"}
	return w.insert(progressTable, columns, w.update("execution_id", newer...), len(rows), func(i int) []any {
		p := rows[i]
		fraction := min(max(p.Fraction, 0), 1)
		if math.IsNaN(fraction) {
			fraction = 0
		}
		return []any{p.ExecutionID, p.RunID, p.JobName, p.Item, number(p.Attempt),
			fraction, w.known(p.Message, tracing.MaxReason), w.bind(p.At)}
	})
}

// number limits a count to the range of its column.
func number(n int) int { return min(max(n, 0), math.MaxInt32) }

type absentTable struct {
	table string
	cause error
}

func (a absentTable) Error() string { return a.table + " cannot be used: " + a.cause.Error() }
func (a absentTable) Unwrap() error { return a.cause }

// absent reports whether a table is missing or the account may not use it. MySQL reports both as
// access denied, and an account created for two tables has no rights on later ones.
func absent(db *gorm.DB, err error) bool {
	switch database.Code(db, err) {
	case "1146", "1142", "42P01", "42501":
		return true
	}
	return err != nil && strings.Contains(err.Error(), "no such table") // SQLite has no code for it
}

// lookAgain is the time before a sink tries a missing table again.
const lookAgain = time.Minute

// absence tracks the missing tables of a sink.
type absence struct {
	mu     sync.Mutex
	tables map[string]absentSince
}

type absentSince struct {
	next time.Time // when to try again
	lost int       // the rows that were left out
}

// known returns the tables to skip now.
func (a *absence) known(now time.Time) map[string]bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	skip := map[string]bool{}
	for table, since := range a.tables {
		if now.Before(since.next) {
			skip[table] = true
		}
	}
	return skip
}

// found records a missing table, and logs it if it's new.
func (a *absence) found(log *slog.Logger, gap absentTable, now time.Time) {
	a.mu.Lock()
	since, old := a.tables[gap.table]
	since.next = now.Add(lookAgain)
	if a.tables == nil {
		a.tables = map[string]absentSince{}
	}
	a.tables[gap.table] = since
	a.mu.Unlock()
	if !old {
		log.LogAttrs(context.Background(), slog.LevelWarn,
			"a table of requested runs is missing or not accessible to this account, so its rows are left out and all others are stored; run `console migrate` on the database, and grant SELECT, INSERT and UPDATE",
			slog.String("table", gap.table), slog.Any("err", gap.cause))
	}
}

// written counts the rows that a batch left out, and logs the tables that exist again.
func (a *absence) written(log *slog.Logger, b batch, skip map[string]bool) {
	a.mu.Lock()
	back := map[string]int{}
	for _, part := range b.requested() {
		since, missing := a.tables[part.table]
		switch {
		case !missing:
		case skip[part.table]:
			since.lost += part.rows
			a.tables[part.table] = since
		case part.rows > 0:
			back[part.table] = since.lost
			delete(a.tables, part.table)
		}
	}
	a.mu.Unlock()
	for table, lost := range back {
		log.LogAttrs(context.Background(), slog.LevelInfo, "a table of requested runs is available again",
			slog.String("table", table), slog.Int("left_out", lost))
	}
}
