// Package run makes the runs of a job on this instance, for fire times, triggers, misfires,
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
// Runs of a job are made one after the other, as on ElasticJob's single scheduler thread. Failover
// shards of an eager job and requested runs of single shards run next to them. An idle job has no
// goroutine.
//
// # Guarantees
//
//   - A shard starts only after a transaction has marked it running. The transaction also checks
//     that the shard is still assigned to us and that its fire record hasn't changed since the
//     decision.
//   - No two batches of this process hold the same shard at the same time.
//   - When the session is lost, the handlers' contexts end and nothing new begins. Shards that had
//     come to their end are recorded before the instance registers again; the others are
//     interrupted, and failover or a misfire run does them again.
//   - The transaction at the end of a run removes its markers and records the fire time. It's
//     repeated until a server has answered or the session is lost.
//
// Without monitorExecution there are no markers, so the first and the last guarantee don't apply.
package run
