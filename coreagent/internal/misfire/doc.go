// Package misfire decides which fire times a shard has missed, and marks them to be made up for.
//
//	a fire time passes ──▶ missed ──Mark──▶ misfire marker ──run──▶ made up for: recorded
//	                         │                   └──Settle──▶ settled: the marker goes without a run
//	                         └── accounted for: an edit, a switch, a run elsewhere
//
// A shard of this instance looks back at its record when it comes here, when the session was
// lost and the instance has returned, after an edit or a switch that was noticed late, and when
// its failover was called off. The rules are those of package firetime.
//
// # Guarantees
//
//   - A marker is only left if the stored configuration makes up for missed fire times, also if
//     this instance hasn't heard of the last edit.
//   - A marker that needs no run goes: a later run has settled it, or an edit of the schedule.
//   - A run that ended without a session is remembered by the [Ledger] and recorded before the
//     instance registers again.
//   - Several missed fire times count as one, the newest.
package misfire
