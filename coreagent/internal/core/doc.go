// Package core has the types that a handler shares with the agent that calls it: the shard, its
// run, and the errors that mean more than a failure.
//
//	engine, or a test ──New──▶ Shard ──▶ Handler.Handle ──▶ nil, an error, or one of these:
//	                  └ Call    │                           PermanentError  RetryError
//	                            ▼                           SnoozeError     SkipError
//	                  Log, Progress, Result ──▶ the run's history
//
// Package coreagent exports these types under the same names. Only the agent and the built-in
// handlers use the [Call] of a shard, so it isn't a public field.
package core
