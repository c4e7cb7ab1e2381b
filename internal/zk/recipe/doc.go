// Package recipe implements coordination recipes on a ZooKeeper session: a latch for one holder at
// a time and a cache of watched nodes. They don't depend on the coordinated work.
//
//	watch event ──▶ Cache marks the node dirty ──▶ owner calls Refresh ──▶ re-read + new watch
//
//	Latch: create sequential node ─▶ first in line? ─▶ run ─▶ delete own node
//	                                 └─ no: wait until the node in front is gone
//
// Nothing outlives a call, except for the delayed removal of a latch node, and user code never runs
// on the client's goroutine.
package recipe
