// Package archtest holds no code, only tests about the rest of the
// repository: who may import whom, the manners a reader relies on, and that
// documents agree with the code.
//
//	cmd/console ──▶ internal/console, web ──▶ lifecycle, statistics, tracing/rdb
//	                                                 │
//	            coreagent ──────────────────────────▶├──▶ registry ──▶ internal/jobtree ──▶ internal/zk
//	            (no web framework, no database)      ├──▶ jobconfig
//	                                                 └──▶ tracing (types only)
//
// Imports point one way. Exactly one package knows the ZooKeeper client, one
// knows how a path is spelt, and an agent that is embedded in somebody's
// service carries nothing of the console. A rule that is only written down is
// broken within a month; these are checked on every test run.
package archtest
