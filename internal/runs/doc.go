// Package runs reads and writes the requested runs of a job: what a run is in the
// registry, how it moves from one state to the next, and who may ask for what.
//
//	Submit ─┬─ later, or no room ─▶ due/BUCKET/NAME ──steward──▶ queue/NAME ──claim──▶ active/… ──▶ done/…
//	        └─ due, and room ───────────────────────────────────────▲                    │
//	                                    again: a shard that stopped, or was lost ◀───────┘
//
// The functions on records are pure: they say what a run becomes. [Store] does what the
// submitting and the cancelling side do, and is used by agents, operators and the
// console alike; claims, and what is done once for all, are an agent's.
package runs
