// Package coreagenttest helps users of package coreagent to test their jobs without installing anything:
//
//   - [RunShard] runs one shard of a job to test a handler.
//   - [NewCluster] runs several agents with a server, for example to kill one.
//   - [NewServer] and [NewPipeServer] are for everything else.
//
// [Server] is a ZooKeeper server inside the test's own process. Agents use it like a real one,
// because it has the same protocol:
//
//	test ──▶ NewServer ──────▶ Server ◀── loopback TCP ── agents, also of other processes
//	test ──▶ NewPipeServer ──▶ Server ◀── in memory ───── agents of this process
//
// The test can make it fail: end a session as if its agent had been unreachable for too long, break
// connections, stop and start again.
//
// # Virtual time
//
// With [NewCluster] or [NewPipeServer] a whole test can run in a bubble of package testing/synctest.
// An agent with a job that fires every night can be tested for a week in a second or two, at exact
// times. Only the agents' contact with the server takes time, a few times per session timeout.
//
//	func TestNightlyReport(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			server := coreagenttest.NewPipeServer(t)
//			agent, err := coreagent.New(coreagent.Config{
//				Namespace: "test",
//				ZooKeeper: server.ZooKeeper(),
//			})
//			// add the job, start the agent and check the errors
//			time.Sleep(7 * 24 * time.Hour)
//			// count the runs, stop the agent
//		})
//	}
//
// The server keeps everything in memory. It's no replacement for ZooKeeper in production.
package coreagenttest
