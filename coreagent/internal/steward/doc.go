// Package steward performs the duties for a job's requested runs that only one of its agents must
// do.
//
//	due/BUCKET ──time──▶ queue ──overlap?──▶ open ──▶ active/all ──claims──▶ … ──▶ done ──▶ removed
//	     │                 │                             │
//	     └── expired ──────┴── skipped, expired          └── a claim without a session: waits again
//
// Every agent that takes runs has a [Steward]. The agent that has created the node runs/steward is
// active, leader or not. It keeps no state that its successor needs, because a term begins
// by reading everything. Each duty is one transaction that checks the nodes it was based on. So if
// an old steward doesn't know yet that its session has ended, the two can only refuse each other.
package steward
