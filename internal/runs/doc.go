// Package runs reads and writes the requested runs of a job: their form in the registry, their
// states, and the rules for requests.
//
//	Submit ─┬─ later, or no room ─▶ due/BUCKET/NAME ──steward──▶ queue/NAME ──claim──▶ active/… ──▶ done/…
//	        └─ due, and room ───────────────────────────────────────▲                    │
//	                                    again: a shard that stopped, or was lost ◀───────┘
//
// The functions on records are pure: they return a run's next state. Agents, operators and the
// console use [Store] to submit and cancel. Only agents claim shards and do the steward's work.
package runs
