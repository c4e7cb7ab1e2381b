// Package health says how a job is, in one place for every page and answer: a
// state, a reason of a few words, and a sentence.
//
//	statistics.Job ──────────┐
//	newest runs of the job ──┼─▶ Digest ─▶ Judge ─▶ Health{State, Reason, Sentence}
//	the time ────────────────┘                           │
//	                                  Causes ◀───────────┘ jobs that fail alike
//
// # Guarantees
//
//   - The first state that applies counts: Unreadable, Disabled, Down, Failing,
//     Late, Resharding, Running, Healthy.
//   - A job is Failing by its last run that has ended. A shard that a later attempt
//     or a failover made good does not count.
//   - A job is Late only if its history is known, a run of it is on record, and a
//     fire time passed while it could have run.
//   - A reason has at most five words.
//   - Nothing is read and no clock is asked: the same input has the same answer.
package health
