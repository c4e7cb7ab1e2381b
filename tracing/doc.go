// Package tracing carries what happened in a job from the agent that ran it to
// the history an operator looks at.
//
//	a job's goroutine                  one goroutine                 a database
//	┌────────────────┐  never waits  ┌───────────────┐   batches   ┌────────────┐
//	│ RecordExecution ├──────────────▶ Async: bounded ├────────────▶ Sink        │
//	│ RecordStatus    │              │ queue, retries │ ◀─ error ── │ (e.g. rdb)  │
//	│ RecordRun …     │              │               │             │            │
//	└────────────────┘               └──────┬────────┘             └────────────┘
//	                                        └─ full: counted drop, never a blocked job
//
// The events are those of ElasticJob's tracing: an [Execution] per run of a
// shard, reported once when it starts and once when it ends, and a [Status] per
// step of a task. Requested runs, which ElasticJob does not have, bring four kinds more:
// a [Run] with each change of its state, which is a [RunStep], and a [LogLine] and a
// [Progress] of their handlers. [Recorder], and for these [RunRecorder], is what an agent
// needs to know of all this;
// [Discard] is the recorder of an agent without tracing, and [Async] puts a
// [Sink] behind one. A [Spool] between the two keeps events in files while the
// sink is away, and over restarts.
//
// Guaranteed: recording does not wait; the order of recording is the order of
// writing; an event is written at least once or counted as dropped or failed;
// memory is bounded. Not guaranteed: that every event survives an outage
// longer than the queue or, with one, than the spool has room for, or the end
// of the process without Close; a flood of lines may use half of the queue alone.
//
// The package depends on the standard library alone. The sink for ElasticJob's
// two tables, and for those of requested runs, is in tracing/rdb.
package tracing
