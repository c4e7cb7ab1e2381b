// Package reshard is the leader's work: it assigns the shards of a job anew.
//
//	leader/sharding/necessary
//	   │ plan: configuration, instances, owners ▸ strategy ▸ which shards move
//	   ▼
//	take: transaction marks processing, takes every shard that moves from its owner
//	   │     └─ one runs ──▶ wait for its end, clear stale markers ──▶ again
//	   ▼
//	judge the fire records: which shards have missed a fire time?
//	   ▼
//	give: transaction names the new owners, passes the records on, leaves misfire
//	         markers, deletes both flags
//
// # Guarantees
//
//   - A shard that moves is taken from its owner by a transaction that proves that it
//     does not run, and given to the next one after that. Agents of this kind mark a
//     shard running in a transaction that checks their assignment, so they either come
//     before the taking and are waited for, or are refused.
//   - Shards that stay where they are may run meanwhile, unless their number changes:
//     shard 0 of 3 is other work than shard 0 of 4.
//   - Only the last part of the giving deletes the flags, so that nobody takes half an
//     assignment for the whole. A leader that dies before it leaves the flag, and the
//     next one begins again.
//   - What changes under a resharding refuses its transaction, and it begins again.
//   - No fire record is written that was not read before: what it says was completed
//     must not be forgotten, or it would run again on an instance that was away.
//   - A running marker of an instance that has left is cleared after a session timeout,
//     not before, and its shard goes to failover first if that is on.
//
// Without monitorExecution there are no markers, and all is one transaction.
//
// Package lead decides when to reshard, by the rules of sharding.State.
package reshard
