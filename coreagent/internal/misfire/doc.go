// Package misfire finds the fire times that a shard has missed, and marks the shard for a misfire
// run.
//
//	a fire time passes ──▶ missed ──Mark──▶ misfire marker ──run──▶ made up for: recorded
//	                         │                   └── settled: the marker goes without a run
//	                         └── accounted for: an edit, a disabled server, a run elsewhere
//
// Most fire times are missed because they pass during a run; package run notices that when its timer
// goes off, and calls Mark. The leader decides for shards that change hands, in package reshard. All
// other cases are here: we check the records of this instance's shards when a shard comes here,
// when the instance returns after a lost session, when it learns late of an edit or a disabled
// server, and when a failover was called off. The rule is firetime.Missed.
//
// # Guarantees
//
//   - A marker is only left if the stored configuration makes up for missed fire times, even if
//     this instance hasn't seen the last edit yet.
//   - A marker that needs no run is removed, because a later run or an edit of the schedule has
//     settled it.
//   - If a run ends without a session, the [Ledger] remembers it and records it before the
//     instance registers again.
//   - Several missed fire times count as one, the newest.
//
// # Missed fire times
//
// A shard has missed a fire time of the current schedule if it wasn't completed and is later than
// all of these moments:
//
//   - the shard's record: the fire time was completed, the shard is new, it came from an owner
//     that keeps no records (a Java agent), its owner's server was disabled when it moved, or the
//     shard was disabled and enabled again;
//   - the era: the last edit of cron, time zone, clock-change rule, misfire or monitorExecution.
//     Several edits count as one if none of our leaders saw the ones in between. A fire time that
//     waited in memory since before the edit may run;
//   - the moment the owner's server was last enabled, or now while it's disabled. For a rotating
//     shard, it's the earliest such moment among the enabled servers. In a resharding, an instance
//     that neither had nor last ran the shard counts from when it joined;
//   - if the shard changes hands, the misfire window, [firetime.MisfireWindow] (one hour), before
//     the leader announced it. The same window applies before the start of a process that found the
//     shard under its own id. A shard that stays needs none, because its owner keeps the newest
//     fire time in memory, even without ZooKeeper.
//
// With misfire or monitorExecution off, no fire time is missed. The clocks of agents and ZooKeeper
// must agree within a minute, [firetime.MostLead]; a record from further in the future is ignored.
// Package firetime has the rules as functions, and an explicit-state model of them as a test.
package misfire
