// Package tracing carries the events of a job from its agent to the history.
//
//	a job's goroutine                  one goroutine                 a database
//	┌────────────────┐  never waits  ┌───────────────┐   batches   ┌────────────┐
//	│ RecordExecution ├──────────────▶ Async: bounded ├────────────▶ Sink        │
//	│ RecordStatus    │              │ queue, retries │ ◀─ error ── │ (e.g. rdb)  │
//	│ RecordRun …     │              │               │             │            │
//	└────────────────┘               └──────┬────────┘             └────────────┘
//	                                        └─ full: counted drop, never a blocked job
//
// The events are ElasticJob's: an [Execution] when a shard starts and again when it ends, and a
// [Status] per step of a task. Requested runs, which ElasticJob doesn't have, add a [RunRecord] and a
// [RunStep] per change of state, and the [LogLine] and [Progress] events of their handlers.
//
// An agent only knows [Recorder], and [RunRecorder] for requested runs. [Discard] is the recorder
// of an agent without tracing. [Async] is a recorder in front of a [Sink]; a [Spool] between them
// keeps events in files while the sink is unavailable, even across restarts.
//
// Guaranteed: recording doesn't wait; events are written in the order of recording; every event is
// written at least once, or counted as dropped or failed; memory is bounded.
//
// Not guaranteed: that every event survives the end of the process without Close, or an outage that
// outlasts the queue and the spool. Log lines and progress may use only half of the queue.
//
// The package depends only on the standard library. The sink for ElasticJob's two tables and for
// requested runs is in tracing/rdb.
package tracing
