// Package runhistory hands to a [tracing.RunRecorder] what agents know of requested
// runs: each change of a run's state, what handlers log, and how far they are.
//
//	steward, claims ──▶ Job ──▶ Run, RunStep ─┐
//	Shard.Log, LogHandler ──▶ Stream ─────────┼──▶ RunRecorder ──▶ database
//	Shard.Progress ─────────▶ Stream ─────────┘
//
// Nothing of it is in ZooKeeper, where each line would wake the whole fleet, and nothing
// of it waits. What is recorded is what a transaction has written; a run whose end was
// written by somebody who keeps no history, such as a console, is recorded by the steward.
//
// The log of an execution is bounded: after [Limits.Lines] lines or [Limits.Bytes] only
// the last [tailLines] are kept, and recorded at the end, after a line that says how many
// were left out. The whole process records at most [mostPerSecond] lines a second.
package runhistory
