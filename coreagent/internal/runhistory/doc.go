// Package runhistory passes an agent's knowledge of requested runs to a [tracing.RunRecorder]: each
// change of a run's state, the handlers' logs, and their progress.
//
//	steward, claims ──▶ Job ──▶ Run, RunStep ─┐
//	Shard.Log, LogHandler ──▶ Stream ─────────┼──▶ RunRecorder ──▶ database
//	Shard.Progress ─────────▶ Stream ─────────┘
//
// Each line would wake the whole fleet in ZooKeeper, so we store none of this there. Nothing
// waits for these records. Changes are recorded once a transaction has written them. If a
// program without a history, such as a console, writes the end of a run, the steward records it.
//
// The log of an execution is limited: after [Limits.Lines] lines or [Limits.Bytes], only the last
// [tailLines] are kept. They're recorded at the end, after a line with the number of dropped lines.
// The whole process records at most [mostPerSecond] lines per second.
package runhistory
