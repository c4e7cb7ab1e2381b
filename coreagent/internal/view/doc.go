// Package view has what one instance knows of a job's part of the tree.
//
//	watches ──▶ Tree: the nodes as they were last read
//	               │ a control step
//	               ▼
//	            View: unsettled ──assigned──▶ settled ──flag, edit, new session──▶ unsettled …
//
// # Guarantees
//
//   - A [View] is immutable. Each control step publishes a new one, and a run keeps the one
//     by which it was decided.
//   - A settled View has the shards of this instance under the tokens with which they were
//     assigned. No resharding was announced when it was read.
//   - [Tree] answers from memory and never asks a server, except in Refresh.
//
// The package decides nothing about runs, and knows no other part of the engine.
package view
