// Package lead performs the leader's duties for one job.
//
//	follower ──elected──▶ leading ──server disabled, resigned, another leader──▶ follower
//	                        │ each step
//	                        ├─ remove the markers of settings that were switched off
//	                        ├─ note the era of the settings
//	                        ├─ a reason to reshard: announce it ▸ reshard in the background
//	                        └─ at the audit's pace: remove triggers and servers of instances that left
//
// # Guarantees
//
//   - A [Leader] decides by [Facts], not by events, so a flag that a dying leader didn't set or a
//     lost watch event does no harm.
//   - Each term starts without memory, because the past is unknown.
//   - A disabled leader announces a resharding before it resigns, because a Java agent may have
//     seen the server's change already as a follower, and doesn't look back when it is elected.
//   - Transactions that remove markers check the configuration they rely on.
package lead
