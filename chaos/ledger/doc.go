// Package ledger is what the processes of a chaos campaign write down about
// themselves, one JSON line per event, in a file of their own that only grows.
//
//	agent process ──O_APPEND──▶ NAME.ledger ──Read──▶ judge
//
// A line is written with one system call before the agent goes on, so a process
// that is killed has written everything that it did. A last line that is cut
// off is left out.
package ledger
