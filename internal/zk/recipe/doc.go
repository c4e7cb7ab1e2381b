// Package recipe holds coordination recipes on top of a ZooKeeper session: a
// latch that admits one holder at a time and a cache of watched nodes. They
// know sessions and paths and nothing of what is coordinated.
//
//	watch event ──▶ Cache marks the node dirty ──▶ owner calls Refresh ──▶ re-read + new watch
//
//	Latch: create sequential node ─▶ first in line? ─▶ run ─▶ delete own node
//	                                  └─ no: wait for the node in front to go
//
// Nothing outlives the call but the removal of a latch node that could not be
// removed in time, and nothing calls user code on the client's goroutine.
package recipe
