// Package scenario holds the tests that run whole agents against a ZooKeeper: what
// happens to a job when agents come, stop, die, freeze and lose their connections,
// beside each other and beside Java's agents. The package is its tests.
//
//	                 ┌─ onBothServers ── real time ──── in-process server, then ZooKeeper 3.8
//	TestK33Failover ─┤
//	                 └─ bubble ───────── virtual time ── in-process server, with its faults
//	                       │
//	                       ▼
//	                    fixture ── members (agents, their connections, clocks) ── journal of runs
//	                       │
//	                    await, while ── conditions on tree, journal and log
//
// A number in a test's name is a case of docs/conformance.md: K, MS or R. V and W are
// defects that were found once. docs/testing.md lists the fixtures.
//
// FIXTURE_LOG=1 prints the agents' log although the test passes.
package scenario
