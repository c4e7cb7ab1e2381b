// Package engine serves jobs: it registers them in the tree, elects a leader,
// shards, fires the cron, runs shards and clears up behind itself.
//
//	                    ┌───────────────── one Job ─────────────────┐
//	watch event ──kick──▶ control: register ▸ refresh ▸ publish view │
//	session change ─────▶          ▸ elect ▸ flag ▸ reshard ▸ failover
//	timer: cron soon ───▶ queue ──▶ run: wait for a settled view     │
//	trigger node ───────▶    ▸ mark ▸ wait for the fire time         │
//	                    │           ▸ execute shards ▸ clear         │
//	                    └────────────────────────────────────────────┘
//
// Three activities share a job, each a goroutine that exists only while it has
// something to do. control reacts to the tree: it re-reads what watches marked
// dirty, publishes an immutable view, and does what the view demands. run
// executes triggers one after the other, as ElasticJob's single scheduler
// thread does. An idle job costs a heap entry in the timer queue and its
// watches, no goroutine and no timer of its own.
//
// # Guarantees
//
//   - A shard starts only after a transaction has marked it running and made
//     sure that it is still assigned to us, and only if no watch fired before
//     that transaction's reply: the assignment was true when the marker was made.
//   - That transaction also makes sure that the shard's record is the one by which
//     the run was decided: the record's version grows with each change of owner
//     and each completed fire time, so an owner that has missed either is refused.
//   - A leader takes the shards that move from their owners in a transaction
//     that proves that none of them runs, and gives them out after it; Go
//     agents therefore never run one shard twice at the same time, whatever the
//     timing. Java agents start shards without looking at their assignment, so
//     next to them the promise is ElasticJob's.
//   - When the session is lost, the contexts of running shards end at once, and
//     nothing new starts before the job is registered under the new session.
//   - "Absent" is only ever what the server said. While it cannot be asked,
//     nothing is decided.
//   - A fire time that a shard has missed is made up for, and nothing else is; the
//     rules are below. A fire time that was completed never runs again: the marking
//     transaction of every source notes in the shard's record which fire time begins, and
//     is refused if the record was written since we read it.
//   - A run that ends without a session is remembered and recorded before the instance
//     registers again; see package misfire.
//   - A panic ends no process and disturbs no other job. User code's fails the
//     shard or the call; the engine's own, and that of a recorder or tracer,
//     breaks its job: contexts end with ErrBroken, the instance leaves the tree when
//     nothing of the job runs here any more, so that others serve its shards, and
//     joins anew after five seconds, up to five minutes when it happens again and
//     again. See broken.go.
//   - What stands in the tree by a stranger's hand, numbers out of bounds and names
//     that no agent gives, costs nobody else anything: it is left out, or the job is
//     not served until it is corrected, and the log says so.
//
// With monitorExecution off no markers are written, and with them go the first,
// second, third and last guarantee, as in ElasticJob.
//
// # Missed fire times
//
// A shard has missed a fire time of the schedule in force if it was not completed
// and is later than all of these moments:
//
//   - what the shard's record accounts for: it was completed, the shard is new, it
//     came from an owner that keeps no records (a Java agent), its owner's server
//     was disabled when it moved, or the shard was disabled and enabled again;
//   - the era: the last edit of cron, time zone, clock-change rule, misfire or
//     monitorExecution. Several edits that no leader of ours has seen in between
//     count as one of these. What waited in memory from before the edit may run;
//   - the last switch of the owner's server, and now while it is disabled. Of a
//     shard that rotates: the earliest one among the servers that are enabled. In a
//     resharding, that of an instance which neither had nor last ran the shard counts
//     from when the instance came;
//   - if the shard changes hands, the misfire window, [firetime.MisfireWindow] (one
//     hour), before the leader announced that; and the same window before a process
//     began that found the shard under its own id. A shard that stays needs none:
//     its owner keeps the newest fire time in memory, also without ZooKeeper.
//
// Several missed fire times count as one, the newest. A misfire marker that stands
// is made up for unless an edit or a later run has settled it. With misfire or
// monitorExecution off nothing is missed. Clocks of agents and of ZooKeeper must
// agree to within a minute, [firetime.MostLead]; a record from further in the
// future is not believed. Package firetime has the rules as functions, and an
// explicit-state model of them as a test.
package engine
