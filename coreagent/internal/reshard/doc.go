// Package reshard assigns the shards of a job to instances. The leader does this.
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
//   - A transaction takes a shard that moves from its owner and proves that the shard isn't running.
//     Only then does the shard get its next owner. Go agents mark a shard as running in a transaction
//     that checks their assignment. So either they mark it first and we wait for them, or the server
//     refuses the mark.
//   - Shards that don't move may run during the resharding, unless the number of shards changes,
//     because shard 0 of 3 covers other data than shard 0 of 4.
//   - Only the last transaction deletes the flags, so half an assignment is never mistaken for a
//     complete one. If the leader dies before that, the flag stays and the next leader starts over.
//   - If the tree changes during a resharding, its transaction is refused and it starts over.
//   - A fire record must be read before it's overwritten. Otherwise we could lose which fire times
//     were completed, and an instance that was away would run them again.
//   - A running marker of an instance that left is cleared only after a session timeout. With failover
//     its shard is offered to other instances first.
//
// Without monitorExecution there are no markers, so a single transaction does it all.
//
// Package lead decides when to reshard, by the rules of sharding.State.
package reshard
