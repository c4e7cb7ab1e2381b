// Package lifecycle carries out the actions of an operator: trigger, disable,
// enable, shut down and remove jobs, switch servers and single shards, and
// change configurations.
//
//	registry.Open ──▶ NewOperator ──▶ Operator
//
//	action ──▶ check the job ──▶ read what it is about ──▶ one transaction ──▶ Outcome
//	                                  ▲                        │ refused: something
//	                                  └────────────────────────┘ changed meanwhile
//
// Agents, of Java or Go, watch the tree and obey. Nothing here talks to them,
// except that [Operator.Dump] asks one what it sees.
//
// # Guarantees
//
//   - An action on something that does not exist is ErrNotFound and creates
//     nothing: no phantom job, server or shard.
//   - Success means that the tree was changed as Outcome says. An action that
//     found nothing to do is an error with a hint, or says in Outcome.Skipped
//     why it left each target alone.
//   - An action on one job is one transaction based on what was read; if the
//     tree changed in between it is read and tried again. Only actions too big
//     for a transaction (thousands of nodes) are carried out in several.
//   - Absent, not permitted and not reachable are three different errors.
//   - Addresses are compared exactly: 10.0.0.1 never means 10.0.0.10.
//
// # Not guaranteed
//
//   - That an agent acts on the action: it may hang, or be busy. A trigger that
//     arrives while the job runs is dropped by the agent.
//   - That a switch outlives a restart, unless it was for good: an agent writes
//     its server's state anew when it starts, according to the configuration.
//   - That a shutdown can be taken back: only restarting the process brings the
//     job's instance back. A running execution is not interrupted.
//   - That a removed job stays away: a process that is still configured for it
//     registers it again when it restarts.
//
// Jobs of ElasticJob 2.1.x are operated in their own manner, which the stored
// configuration tells: a trigger is the text TRIGGER in the instance node, and
// an enabled server's node is empty.
package lifecycle
