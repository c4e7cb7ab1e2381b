// Package explain determines the state of a job. Lists, pages, checks and answers all show its
// result, so they can't contradict each other.
//
//	statistics.Job: the registry ─────────────┐
//	newest runs of the job ─▶ Digest ─────────┼─▶ Judge ─▶ Judgement{State, Finding}
//	records of fire times: statistics.Fired ──┤      │
//	the time ─────────────────────────────────┘      └─▶ Causes: jobs that fail alike
//	statistics.Explanation ──────────────────────▶ Explain ─▶ Answer{Judgement, Findings, Checks}
//
// # Guarantees
//
//   - The first state that applies counts: a state in which the whole job can't run (Unreadable,
//     Down, Disabled, Held, Ended, Blocked), Failing, Late, Resharding, Partial, Unstable, Running,
//     Unknown, Healthy.
//   - A job is Failing because of its last run that ended. A shard doesn't count if a later attempt
//     or a failover succeeded.
//   - A job is Late if a fire time passed while it could have run, and the registry proves that a
//     shard missed it. Without records in the registry, a job is Late if there's no row of the run,
//     although the database accepts rows, each owner has recorded a run since it registered, and
//     the rows of the fire time can't be late any more.
//   - A job is Healthy only if we can prove it. It's Unknown without a history. It's also Unknown
//     if there's no record of a past fire time, even if that time was before the first live
//     instance registered.
//   - A job is Partial if a shard is disabled or takes no part in the runs. We decide that some
//     seconds after the last run has ended, if no other run is on.
//   - The result depends only on the evidence. The package reads nothing and doesn't look at the
//     clock.
package explain
