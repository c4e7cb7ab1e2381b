// Package engine serves jobs: it registers them in the tree, elects a leader,
// shards, fires the cron, runs items and clears up behind itself.
//
//	                    ┌───────────────── one Job ─────────────────┐
//	watch event ──kick──▶ control: register ▸ refresh ▸ publish view │
//	session change ─────▶          ▸ elect ▸ flag ▸ reshard ▸ failover
//	timer: cron soon ───▶ queue ──▶ run: wait for a settled view     │
//	trigger node ───────▶    ▸ mark ▸ wait for the fire time         │
//	                    │           ▸ execute items ▸ clear          │
//	                    └────────────────────────────────────────────┘
//
// Two activities share a job, each a goroutine that exists only while it has
// something to do. control reacts to the tree: it re-reads what watches marked
// dirty, publishes an immutable view, and does what the view demands. run
// executes triggers one after the other, as ElasticJob's single scheduler
// thread does. An idle job costs a heap entry in the timer queue and its
// watches, no goroutine and no timer of its own.
//
// # Guarantees
//
//   - An item starts only after a transaction has marked it running and made
//     sure that it is still assigned to us, and only if no watch fired before
//     that transaction's reply: the assignment was true when the mark was made.
//   - That transaction also makes sure that the item's record is the one by which
//     the run was decided: the record's version grows with each change of owner
//     and each completed fire time, so an owner that has missed either is refused.
//   - A leader takes the items that move from their owners in a transaction
//     that proves that none of them runs, and gives them out after it; Go
//     agents therefore never run one item twice at the same time, whatever the
//     timing. Java agents start items without looking at their assignment, so
//     next to them the promise is ElasticJob's.
//   - When the session is lost, the contexts of running items end at once, and
//     nothing new starts before the job is registered under the new session.
//   - "Absent" is only ever what the server said. While it cannot be asked,
//     nothing is decided.
//   - Each fire time is run for each item at least once, as long as misfire and
//     monitorExecution are on and an agent is alive within the misfire window:
//     the leader compares each moved item's last completed fire time with the
//     schedule and leaves a misfire mark where one is missing.
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
// With monitorExecution off no marks are written, and with them go the first,
// second, third and last guarantee, as in ElasticJob.
package engine
