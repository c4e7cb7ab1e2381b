// Package run works off what a job has to run on this instance: fire times, triggers, misfires,
// failover shards and claims of requested runs.
//
//	                  ┌────────────── one run ──────────────┐
//	timer ──OnFire──▶ │ queue ▸ a settled view ▸ a batch     │
//	control: Trigger, │   picked ──mark──▶ ready             │
//	Misfire, Taker ──▶│   ready ──fire time──▶ begun         │
//	requested: Slot ─▶│   begun ──handlers──▶ returned       │
//	                  │   returned ──clear──▶ recorded       │
//	                  │   picked, ready ──stale──▶ taken back: again by a new view
//	                  │   returned ──session lost──▶ remembered by misfire.Ledger
//	                  └──────────────────────────────────────┘
//
//	Worker: closed ──Open──▶ open ──Close──▶ closed; idle when the last batch has ended
//
// Runs of a job are made one after the other, as ElasticJob's single scheduler thread does. Failover
// shards of a job that is eager, and requests that one shard has, run next to them. A job that has
// nothing to do has no goroutine.
//
// # Guarantees
//
//   - A shard starts only after a transaction has marked it running and made sure that it is still
//     assigned to us, and that its fire record is the one by which the run was decided.
//   - No two batches of this process have one shard at the same time.
//   - When the session is lost, the contexts of handlers end, and nothing new begins.
//   - The transaction at the end of a run removes its markers and records the fire time. It's
//     repeated until a server has answered or the session is lost.
//
// Without monitorExecution there are no markers, and with them go the first and the last guarantee.
package run
