// Package ledger is the log of a chaos campaign's process: one JSON line per event, in the
// process's own append-only file.
//
//	agent process ──O_APPEND──▶ NAME.ledger ──Read──▶ judge
//
// A line is written with one system call before the agent goes on, so the ledger of a killed
// process is complete. A truncated last line is ignored.
package ledger
