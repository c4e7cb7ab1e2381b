// Package tracing carries what happened in a job from the agent that ran it to
// the history an operator looks at.
//
//	a job's goroutine                  one goroutine                 a database
//	┌────────────────┐  never waits  ┌───────────────┐   batches   ┌────────────┐
//	│ RecordExecution ├──────────────▶ Async: bounded ├────────────▶ Sink        │
//	│ RecordStatus    │              │ queue, retries │ ◀─ error ── │ (e.g. rdb)  │
//	└────────────────┘               └──────┬────────┘             └────────────┘
//	                                        └─ full: counted drop, never a blocked job
//
// The events are those of ElasticJob's tracing: an [Execution] per run of a
// shard, reported once when it starts and once when it ends, and a [Status] per
// step of a task. [Recorder] is what an agent needs to know of all this;
// [Discard] is the recorder of an agent without tracing, and [Async] puts a
// [Sink] behind one. A [Spool] between the two keeps events in files while the
// sink is away, and over restarts.
//
// Guaranteed: recording does not wait; the order of recording is the order of
// writing; an event is written at least once or counted as dropped or failed;
// memory is bounded. Not guaranteed: that every event survives an outage
// longer than the queue or, with one, than the spool has room for, or the end
// of the process without Close.
//
// The package depends on the standard library alone. The sink for ElasticJob's
// two tables is in tracing/rdb.
package tracing
