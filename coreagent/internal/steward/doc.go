// Package steward does what has to be done once for all agents of a job so that its
// requested runs begin, and end.
//
//	due/BUCKET ──time──▶ queue ──overlap?──▶ open ──▶ active/all ──claims──▶ … ──▶ done ──▶ removed
//	     │                 │                             │
//	     └── expired ──────┴── skipped, expired          └── a claim without a session: waits again
//
// Every agent that takes runs has a [Steward]; the one that has made the node
// runs/steward works, whoever leads the job. It remembers nothing that the next one
// needs: a term begins with reading everything. Each duty is one transaction on the
// condition of what was read, so two stewards, of which one does not know yet that its
// session has ended, can only refuse each other.
package steward
