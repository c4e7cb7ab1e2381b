// Package view holds what one instance knows of a job's part of the tree.
//
//	watches ──▶ Tree: the nodes as they were last read
//	               │ a control step
//	               ▼
//	            View: unsettled ──assigned──▶ settled ──flag, edit, new session──▶ unsettled …
//
// # Guarantees
//
//   - A [View] is immutable. Each control step publishes a new one, and a run keeps the View it
//     was based on.
//   - A settled View has the shards of this instance and the tokens of their assignment. No
//     resharding was announced when it was read.
//   - [Tree] answers from memory and never asks a server, except in Refresh.
//
// The package makes no decisions about runs and doesn't know other parts of the engine.
package view
