// Package control brings one job in line with the tree.
//
//	Register: found the job, or settle the configuration ▸ server ▸ instance ▸ watches
//	   └─▶ Founded, Entered, or Gone if the job was removed while the instance was away
//
//	Follow: refresh ▸ configuration ▸ assignments ▸ view ──publish──▶ runs, requested runs
//	           └─▶ duties: trigger ▸ crashes ▸ elect ▸ lead ▸ take failover ▸ catch up ▸ misfires
//
// A [Controller] keeps everything it has read, because each step reads only the nodes that watches
// marked dirty. Under a new session, Register drops the state of the old one.
//
// # Guarantees
//
//   - A node counts as absent only if the server has answered so. While the server can't be
//     asked, nothing is decided.
//   - Each step may fail at any point and be repeated.
//   - A node written by a stranger, or a number out of bounds, doesn't affect other jobs. It's
//     skipped, or the job isn't served until it's corrected, and the log names it.
package control
