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
//
// # Missed fire times
//
// A shard has missed a fire time of the schedule in force if it was not completed and is later than
// all of these moments:
//
//   - the shard's record: the fire time was completed, the shard is new, it came from an owner that
//     keeps no records (a Java agent), its owner's server was disabled when it moved, or the shard
//     was disabled and enabled again;
//   - the era: the last edit of cron, time zone, clock-change rule, misfire or monitorExecution.
//     Several edits that no leader of ours has seen in between count as one of these. A fire time
//     that waited in memory from before the edit may run;
//   - the last switch of the owner's server, and now while it is disabled. For a shard that rotates,
//     it's the earliest switch among the servers that are enabled. In a resharding, the switch of an
//     instance that neither had nor last ran the shard counts from when the instance came;
//   - if the shard changes hands, the misfire window, [firetime.MisfireWindow] (one hour), before the
//     leader announced that; and the same window before a process began that found the shard under
//     its own id. A shard that stays needs none: its owner keeps the newest fire time in memory, also
//     without ZooKeeper.
//
// With misfire or monitorExecution off nothing is missed. Clocks of agents and of ZooKeeper must
// agree to within a minute, [firetime.MostLead]; a record from further in the future is not believed.
// Package firetime has the rules as functions, and an explicit-state model of them as a test.
package misfire
