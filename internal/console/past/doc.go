// Package past explains what a job did at a time that has passed: whether it was due,
// whether it ran, the known reasons why not, and the gaps in the evidence.
//
//	configuration, saved versions ─▶ scheduleAt: due, not due, or not known ─┐
//	runs around the time ──────────▶ runOf: the run of the fire time ────────┤
//	audit ─────────────────────────▶ stopsAt: the stops that applied ────────┼─▶ Explain ─▶ Past
//	instances: members ────────────▶ liveAt: which instances lived ──────────┘
//
// # Guarantees
//
//   - An answer may be unknown, but it isn't false: a run is missed only if the history is complete
//     about that time, and a time isn't a fire time only if the schedule of that time is known.
//   - The clocks of agents, the console and ZooKeeper may differ by [Around], and by as much as the clock of
//     an agent is known to be behind.
//   - Explain reads nothing and asks no clock: the same input has the same answer.
package past
