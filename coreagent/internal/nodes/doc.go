// Package nodes reads and writes the nodes of one job.
//
//	Create ──▶ transaction: the configuration exists ▸ create
//	             └─ no parent ──▶ Create the parent ──▶ again
//
//	Hold ──▶ wait in the latch's queue ▸ fn decides
//	             Commit ──▶ transactions: the place is held ▸ what was decided
//	                          the last one leaves the queue as well
//
//	Children, Seen ──▶ names that ElasticJob does not use are left out
//
// # Guarantees
//
//   - No node is created again, in part or as a whole, below a job that was removed: each
//     creation depends on the job's configuration.
//   - What was decided under a latch is written while it is held, or not at all. If
//     it takes several transactions, each of them depends on the latch.
//   - A transaction stays below ZooKeeper's packet limit, and a group of operations
//     stays in one transaction. A group that is larger than the limit is refused by
//     the server as a whole.
//   - A node that a stranger has put among those of a job disturbs nobody: lists
//     leave it out, and the log names it once.
//
// The package knows sessions, paths and transactions. What they mean is the
// business of those who import it.
package nodes
