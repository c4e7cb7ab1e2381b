// Package control brings one job in line with the tree.
//
//	Register: found the job, or settle the configuration ▸ server ▸ instance ▸ watches
//	   └─▶ Founded, Entered, or Gone if the job was removed while the instance was away
//
//	Follow: refresh ▸ configuration ▸ assignments ▸ view ──publish──▶ runs, requested runs
//	           └─▶ duties: trigger ▸ crashes ▸ elect ▸ lead ▸ take failover ▸ catch up ▸ misfires
//
// A [Controller] remembers between steps what it read, because each step reads only what watches
// marked dirty. When the session is another one, Register forgets what was true under the one
// before.
//
// # Guarantees
//
//   - "Absent" is only ever the server's answer. While it can't be asked, nothing is decided.
//   - Each step may fail at any point and be repeated.
//   - A node by a stranger, or a number out of bounds, costs no other job anything: it's left out,
//     or the job isn't served until it's corrected, and the log names it.
package control
