// Package explain judges the state of a job. Lists, pages, checks and answers all render its
// judgement, so they can't contradict each other.
//
//	statistics.Job: the registry ─────────────┐
//	newest runs of the job ─▶ Digest ─────────┼─▶ Judge ─▶ Judgement{State, Finding}
//	records of fire times: statistics.Fired ──┤      │
//	the time ─────────────────────────────────┘      └─▶ Causes: jobs that fail alike
//	statistics.Explanation ──────────────────────▶ Explain ─▶ Answer{Judgement, Findings, Checks}
//
// # Guarantees
//
//   - The first state that applies counts: what keeps all of the job from running (Unreadable,
//     Down, Disabled, Held, Ended, Blocked), Failing, Late, Resharding, Partial, Unstable,
//     Running, Unknown, Healthy.
//   - A job is Failing by its last run that has ended. A shard that a later attempt
//     or a failover made good does not count.
//   - A job is Late if a fire time passed while it could have run, and the registry shows that a
//     shard has missed it. Without records in the registry, it's Late if no run is on record although
//     the database takes rows and each owner has recorded a run since it registered.
//   - A job is Healthy only if something proves that it is: without a history, and without a
//     record of a fire time that has passed, it is Unknown.
//   - A shard that is switched off, or takes no part in the runs, makes the job Partial: once the last run
//     has ended for a while, if none is on.
//   - Nothing is read and no clock is asked: the same evidence has the same judgement.
package explain
