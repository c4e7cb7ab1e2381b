// Package host has what the jobs of one agent share: the connection, the clock and its timers, the
// places for handlers, the names that the program gives to executors, strategies, error handlers
// and listeners, and the observers of all that happens.
//
//	agent: Host{…} ──Open──▶ jobs register, run, leave ──Close──▶ no background task is left
//
// # Guarantees
//
//   - Close returns when every background task has ended.
//   - A node of an earlier session of this process is known as ours, so that a job replaces it.
package host
