// Package usercode calls code written by an agent's user so that it can't harm anything else.
// Handlers, listeners and error handlers are contained, and strategies are guarded.
//
//	Contain ──▶ goroutine: handler, listener, error handler
//	   │            panic, Goexit ──▶ error
//	   ▼
//	calls of the job ──▶ log, if one goes on after its context has ended
//	                ──▶ Running: error of Stop, if one is left behind
//
//	Assign ──▶ goroutine: strategy ──▶ does each shard have one present owner?
//	   │           panic ──▶ error
//	   └─ no answer within ten seconds, or the job ends ──▶ error; not called again
//	      before it has returned
//
// # Guarantees
//
//   - A panic of user code, or the end of its goroutine, becomes an error of that call and has no
//     other effect.
//   - Errors returned by user code are frozen, because their methods may panic, too. See package
//     usererror.
//   - Contain returns when the call has returned, no matter how long that takes, because
//     restarting a shard earlier could run it twice at once. A call that goes on after its context
//     has ended is logged after two seconds, and then less and less often.
//   - Assign returns within ten seconds, or at once when the job ends. An invalid assignment is
//     refused. No two calls of a job's strategies overlap.
//
// ElasticJob's own strategies are called directly.
package usercode
