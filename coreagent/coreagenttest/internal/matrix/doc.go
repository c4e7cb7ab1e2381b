// Package matrix checks from outside that a fire time runs exactly once per shard, no matter when
// an agent dies or is cut off, or when an operator disables or edits something. Its tests use only
// the public packages and the promises of docs/guarantees.md. The package contains only tests.
//
//	table of cases ──▶ fleet (agents, connections, bodies of known length) ──▶ history of runs
//	                     │ virtual time, package testing/synctest                   │
//	                     ▼                                                          ▼
//	                  events: kill, cut, disable, edit, remove          judge: completions per shard
//	                                                                    and fire time, over all sources
//
// TestW73RealProcesses runs two of the cases with processes, kill -9 and a real ZooKeeper.
package matrix
