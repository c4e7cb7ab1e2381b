// Package doctor finds faults in the surroundings of agents and consoles that don't stop them,
// but will hurt later: in trace tables, in ZooKeeper and in job files.
//
//	rdb.DB ─────── Tables ────┐                ┌──▶ console doctor: one line each, or JSON
//	zk.Config ──── ZooKeeper ─┼──▶ []Finding ──┤
//	jobfile.File ─ JobFile ───┘                └──▶ Log: warnings when serve or agent starts
//
// The checks of a console's flags are in cmd/console, because only that package knows the flags.
// No check changes or leaves anything behind.
package doctor

import (
	"context"
	"log/slog"
	"strings"
)

// Severity ranks a finding.
type Severity string

// The severities.
const (
	// Error means that something doesn't work.
	Error Severity = "error"
	// Warning means that something will fail, lose data or be open to strangers.
	Warning Severity = "warning"
	// Note is for a check that couldn't be made, and for a setting that may be intended.
	Note Severity = "note"
)

// Finding is a fault.
type Finding struct {
	Severity Severity `json:"severity"`
	// Where names the server, table, file or flag.
	Where string `json:"where"`
	// Problem names the fault, Why its effect, and Fix the remedy: an instruction or SQL.
	Problem string `json:"problem"`
	Why     string `json:"why"`
	Fix     string `json:"fix"`
}

// New returns a finding. It joins the lines of each text. The caller masks secrets.
func New(severity Severity, where, problem, why, fix string) Finding {
	line := func(text string) string { return strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ".") }
	return Finding{severity, line(where), line(problem), line(why), line(fix)}
}

// String is the finding on one line.
func (f Finding) String() string {
	text := string(f.Severity) + ": " + f.Where + ": " + f.Problem
	if f.Why != "" {
		text += ". Why: " + f.Why
	}
	if f.Fix != "" {
		text += ". Fix: " + f.Fix
	}
	return text
}

// Faults counts the errors and the warnings.
func Faults(list []Finding) (errors, warnings int) {
	for _, f := range list {
		switch f.Severity {
		case Error:
			errors++
		case Warning:
			warnings++
		}
	}
	return errors, warnings
}

// Log writes each error and each warning as one line at level warn.
func Log(ctx context.Context, log *slog.Logger, list []Finding) {
	for _, f := range list {
		if f.Severity != Note {
			log.WarnContext(ctx, "the doctor found a fault", slog.String("problem", f.Problem),
				slog.String("where", f.Where), slog.String("why", f.Why), slog.String("fix", f.Fix))
		}
	}
}
