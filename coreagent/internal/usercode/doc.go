// Package usercode calls what the user of an agent wrote, so that it can harm nobody
// else: handlers, listeners and error handlers are contained, strategies are guarded.
//
//	Contain ──▶ goroutine: handler, listener, error handler
//	   │            panic, Goexit ──▶ error
//	   ▼
//	calls of the job ──▶ log, when one goes on after its context has ended
//	                ──▶ Running: error of Stop, when one is left behind
//
//	Assign ──▶ goroutine: strategy ──▶ each shard has one owner, who is there?
//	   │           panic ──▶ error
//	   └─ no answer within ten seconds, or the job ends ──▶ error; not asked again
//	      before it has returned
//
// # Guarantees
//
//   - A panic of user code, or the end of its goroutine, is an error of that call and
//     reaches nothing else.
//   - Errors that user code returns are frozen: their own methods may panic as well. See
//     package usererror.
//   - Contain returns when the call has returned, however long that takes: starting a
//     shard again before would break the promise that it runs once at a time. A call that goes on after its context has
//     ended is reported in the log after two seconds, and ever more rarely after that.
//   - Assign returns within ten seconds, and at once when the job ends. A result that
//     is no assignment is refused. No two calls of a job's strategies overlap.
//
// ElasticJob's own strategies are called without a guard.
package usercode
