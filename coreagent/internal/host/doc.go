// Package host has the parts that all jobs of one agent share: the connection, the clock and its
// timers, the places for handlers, the program's executors, strategies, error handlers and
// listeners, and the observers.
//
//	agent: Host{…} ──Open──▶ jobs register, run, leave ──Close──▶ no background task remains
//
// # Guarantees
//
//   - Close returns after every background task has ended.
//   - We recognize nodes of this process's earlier sessions, so that a job replaces them.
package host
