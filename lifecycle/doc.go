// Package lifecycle executes the actions of an operator: trigger, disable, enable, shut down and
// remove jobs, enable and disable servers and single shards, and change configurations.
//
//	registry.Open ──▶ NewOperator ──▶ Operator
//
//	action ──▶ check the job ──▶ read its state ──▶ one transaction ──▶ Outcome
//	                                  ▲                   │ refused because of
//	                                  └───────────────────┘ a concurrent change
//
// Java and Go agents watch the tree and react. This package doesn't talk to them directly, except
// in [Operator.Dump].
//
// # Guarantees
//
//   - An action on a missing job, server or shard is ErrNotFound and creates nothing.
//   - Success means that the tree was changed as in Outcome. If there was nothing to do, the action
//     returns an error with a hint, or Outcome.Skipped has a reason for each target.
//   - An action on one job is one transaction based on the state that was read. After a concurrent
//     change it reads again and retries. Only actions too big for a transaction (thousands of
//     nodes) use several.
//   - Absent, not permitted and unreachable are three different errors.
//   - Addresses are compared exactly: 10.0.0.1 never means 10.0.0.10.
//
// # Not guaranteed
//
//   - That an agent reacts, because it may hang or be busy. An agent drops a trigger that arrives
//     while the job runs.
//   - That an enabled or disabled server stays so after a restart, unless it was for good: at its
//     start an agent writes its server's state from the configuration.
//   - That a shutdown can be undone: only a restart of the process restores the job's instance. A
//     running execution isn't interrupted.
//   - That a removed job stays away: a process that is still configured for it registers it again
//     at its next start.
//
// Jobs of ElasticJob 2.1.x are operated in their own way, by the stored configuration: a trigger is
// the text TRIGGER in the instance node, and an enabled server's node is empty.
package lifecycle
