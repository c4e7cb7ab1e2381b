// Package scenario contains the tests that run whole agents against a ZooKeeper. They check jobs
// while agents join, stop, die, freeze and lose their connections, next to other Go agents and
// Java's. The package contains only tests.
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
// A number in a test's name is a case of docs/conformance.md: K, MS or R. V and W are defects that
// we found once. docs/testing.md lists the fixtures.
//
// FIXTURE_LOG=1 prints the agents' log even if the test passes.
package scenario
