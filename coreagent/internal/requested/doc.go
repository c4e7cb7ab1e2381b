// Package requested handles the requested runs of a job, with or without parameters. It claims them
// for shards of this instance, and writes their results.
//
//	none ──bell──▶ open: steward's duties ▸ cancelled? ▸ claims ──Close──▶ closed
//	                  │
//	                  │ every shard takes part ──Offer──▶ the job's queue ──▶ Claim
//	                  └─ one shard has the run ──Slot──▶ Claim, next to the other runs
//
//	Claim: claimed ──Begin──▶ running ──Settle──▶ settled ──End──▶ forgotten
//	          └─ cancelled, or a shard was lost ──Settle(stopped)─▶┘
//
// A job without any requested run costs one watch on a missing node, the bell.
//
// # Guarantees
//
//   - A claim is one transaction, which only succeeds for the version of the run's record or
//     request that was read, so exactly one instance claims it. It also checks that the owner node of
//     the shard is unchanged, and makes the running marker if the job has monitorExecution. A node
//     that was deleted and made again looks the same, so [Claim.StillOwned] must be asked before
//     the handler begins. The marker is ephemeral even with failover. If an instance dies, a Java agent finds
//     nothing to fail over, and the record makes the shard run again here or elsewhere.
//   - The result of a shard overwrites the version of the record that was read, in one
//     transaction with the removal of the marker. It's repeated until a server has answered, even
//     under the next session. If the claim was taken away in the meantime, nothing is written.
//   - A claim of this session that this process doesn't know is released.
//   - If this version of the program doesn't accept a run's parameters, the run is left to other
//     instances. If no instance can accept them, it fails.
package requested
