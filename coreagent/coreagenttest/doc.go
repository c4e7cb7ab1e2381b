// Package coreagenttest helps users of package coreagent to test their jobs
// without installing anything:
//
//   - [RunShard] runs one shard of a job: what does my handler do?
//   - [NewCluster] runs several agents with a server: what happens to my jobs
//     when one of them is killed?
//   - [NewServer] and [NewPipeServer] are for everything else.
//
// [Server] is a ZooKeeper server inside the test's own process. Agents talk to
// it as they talk to a real one, because it speaks the same protocol:
//
//	test ──▶ NewServer ──────▶ Server ◀── loopback TCP ── agents, also of other processes
//	test ──▶ NewPipeServer ──▶ Server ◀── in memory ───── agents of this process
//
// The test can make it misbehave: end a session as if its agent had been
// unreachable for too long, break connections, stop and start again.
//
// # Virtual time
//
// With [NewCluster] or [NewPipeServer] a whole test runs in a bubble of package
// testing/synctest: an agent whose job fires every night can be watched for a
// week in a second or two, exactly to the instant. What costs time is the
// agents' contact with the server, a few times per session timeout.
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
// The server keeps everything in memory and is no ZooKeeper for production.
package coreagenttest
