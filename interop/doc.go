// Package interop proves that agents of this module and agents of Apache
// ElasticJob, as published for Java, serve the same jobs together.
//
//	           ┌───────────── one ZooKeeper, one namespace ─────────────┐
//	go test ───┤ agent process, Java (java/, built by Maven)            │
//	           │ agent process, Go   (the test binary, run as an agent) │
//	           │ console process, whose REST interface takes actions    │
//	           └────────────────────────────────────────────────────────┘
//	  │  ▲
//	  │  └── START item=0 at=... task=...   reports, one a line
//	  └───── trigger, shutdown, signals     actions
//
// Both kinds of processes take the same arguments, print the same reports and
// obey the same actions, so a test says which side does what by a name. There is
// nothing here but tests, and they have the build tag interop, because they
// need a JDK and Maven, which fetches the Java artifacts:
//
//	make interop
//
// INTEROP_JAVA=3.0.3,3.0.2 names the versions to run every test with; without
// it that is the newest, and older ones for the tests that show whether a
// version gets along with us at all. INTEROP_ROLLING=1m says how long agents
// are restarted, which is five minutes without it, INTEROP_LOG=1 prints what
// they log. A Java agent is built once for each version into java/target and
// from then on needs no network.
package interop
