// Package requested looks at the runs of a job that were requested, with parameters or without:
// it claims them for shards of this instance, and writes how they ended.
//
//	none ──bell──▶ open: steward's duties ▸ cancelled? ▸ claims ──Close──▶ closed
//	                  │
//	                  │ each shard takes part ──Offer──▶ the job's queue ──▶ Claim
//	                  └─ one shard has the run ──Slot──▶ Claim, next to the other runs
//
//	Claim: claimed ──Begin──▶ running ──Settle──▶ settled ──End──▶ forgotten
//	          └─ cancelled, or a shard was lost ──Settle(stopped)─▶┘
//
// A job of which no run was ever requested pays one watch of an absent node, the bell.
//
// # Guarantees
//
//   - A claim is one transaction: the shard is still this instance's, its running marker is made,
//     and the run's record, or its request, is written over the version that was read. The marker
//     is ephemeral, also with failover: if an instance dies, a Java agent finds nothing to fail
//     over, and the record has the shard run again here or elsewhere.
//   - How a shard ended is written over the version of the record that was read, together with the
//     end of its marker. It's repeated until a server has answered, also under the next session.
//     If the claim was taken away since then, nothing is written.
//   - A claim of this session that this process doesn't know is released.
//   - A run whose parameters this version of the program doesn't take is left to other instances,
//     unless no instance can take them: then it fails.
package requested
