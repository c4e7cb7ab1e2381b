// Package nodes reads and writes the nodes of one job.
//
//	Create ──▶ transaction: the configuration exists ▸ create
//	             └─ no parent ──▶ Create the parent ──▶ again
//
//	Hold ──▶ wait in the latch's queue ▸ fn decides
//	             Commit ──▶ transactions: the place is held ▸ the decision
//	                          the last one leaves the queue as well
//
//	Children, Seen ──▶ drop names that ElasticJob doesn't use
//
// # Guarantees
//
//   - After a job was removed, none of its nodes are created again, because each creation checks
//     the job's configuration.
//   - A decision made under a latch is written while the latch is held, or not at all. If it
//     takes several transactions, each checks the latch.
//   - A transaction stays below ZooKeeper's packet limit, and a group of operations stays in one
//     transaction. The server refuses a group that exceeds the limit.
//   - A foreign node among a job's nodes does no harm. Lists omit it, and it's logged once.
//
// The package handles sessions, paths and transactions, but not their meaning.
package nodes
