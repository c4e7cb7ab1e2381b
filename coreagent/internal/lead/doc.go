// Package lead does the leader's duties for one job.
//
//	follower ──elected──▶ leading ──server disabled, resigned, another leader──▶ follower
//	                        │ each step
//	                        ├─ markers of settings that were switched off go
//	                        ├─ the era of the settings is noted
//	                        ├─ a reason to reshard: announce it ▸ reshard in the background
//	                        └─ triggers and servers of instances that left go, at the audit's pace
//
// # Guarantees
//
//   - A [Leader] judges by [Facts], not by events: a flag that a dying leader didn't set, or a watch
//     that was lost, costs nothing.
//   - Each term starts without memory, because what happened before it is unknown.
//   - A disabled leader announces a resharding before it resigns. A Java agent may have seen the
//     change of the server already, as a follower, and doesn't look back when it is elected.
//   - Transactions that remove markers check the configuration by which they go.
package lead
