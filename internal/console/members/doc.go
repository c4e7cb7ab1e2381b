// Package members remembers which instances of a job came and left, what those that
// left had, and who runs it now.
//
//	ids of the live instances of a job ──▶ Log.See ──▶ joined, left
//	the job right afterwards           ──▶ Log.Look ─▶ which shards left, who runs them now
//	                                          │
//	Of: newest first ◀────────────────────────┘
//
// ZooKeeper keeps no such history: an instance is an ephemeral node, and when it is
// departed nothing says that it was there.
//
// # Guarantees
//
//   - An event is at the time at which it was noticed, which is that of the caller.
//   - A loss is kept until the instance returns (a new instance of the job on the same address, which
//     replaces one instance, or as many live instances as before) or a user acknowledges it, and at most [MaxLosses]
//     losses are kept. Like everything here, losses are in the memory of one process.
//   - What was there when a job was seen first is no event.
//   - The newest [MaxEvents] events are kept. Known is since when they are
//     all there are, but for the gaps in which nothing was seen.
//   - An instance that left is followed until another live instance owns each of its
//     shards, for at most [Follow], and while it runs shards after an orderly stop, and until its last
//     rows should be stored. At most [MaxOpen] of them are followed at once; of the others
//     it is known that they left, and not what they had.
//   - A Log is safe for concurrent use, reads nothing and asks no clock.
package members
