// Package cloudjob turns a handler into a program that ElasticJob-Cloud starts for each shard of a job.
//
//	engine ── environment, SIGTERM ──▶ Main ──▶ Handler.Handle, once, or of a DAEMON
//	   ▲                                 │      job at each fire time
//	   └── exit code, last lines ◀───────┤
//	console ◀── runs of a DAEMON job ◀───┘
//
// The handler and its [coreagent.Shard] are the same as in an agent, so the same code runs in both.
// There is no registry and no other shard: the program works on one shard of one run and ends. For
// a DAEMON job it works on one shard, one run after the other.
//
//	func main() {
//		cloudjob.Main(coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
//			s.Log.Info("settling", "region", s.Parameter)
//			return nil
//		}))
//	}
//
// # Guarantees
//   - The handler is called once per run, with everything from the environment. A wrong
//     environment is refused first, with an error that names each variable.
//   - FencingToken grows with each attempt at a shard, and with each fire time: it's the fire
//     time's Unix second times 1,000, plus the attempt.
//   - SIGTERM or an interrupt ends the context with the cause [coreagent.ErrStopping]. A second
//     signal ends the process at once.
//   - A panic fails the shard like an error.
//   - The last line on standard error is the reason for a failure. Together with the earlier
//     lines of Shard.Log it's the termination message, if the engine asks for one.
//
// # DAEMON jobs
//   - The handler is called at each fire time, by the job's rules for clock changes, windows and
//     excluded days. Runs don't overlap. Fire times during a run are made up for by one run,
//     with the newest fire time, if the job has misfire; otherwise they're skipped.
//   - An error, a panic and coreagent.Permanent fail the run, and the process continues.
//   - SIGTERM ends the context of the active run and waits for it. The exit code is 0.
//   - Each run, or each n-th, as configured in the application, is reported to the console at
//     its start and end. While the console is away at most 1,000 reports wait in memory; then
//     the oldest are dropped, and the log has their number. At its end the process waits up to
//     five seconds to deliver the rest.
//   - If ELASTICJOB_READY_PORT is set, GET /readyz on that port answers 200 while the process
//     fires, and 503 before and once it's stopping. If the port is taken, the exit code is 78.
//
// # DAEMON jobs whose processes share the shards
//   - For a job with the property cloud.daemon = registry the process is a [coreagent.Agent]. It
//     calls the handler for each of its shards at a fire time, several at a time. The rules of
//     agents apply, not the rules of DAEMON jobs above.
//   - The scheduler's configuration of the job overwrites the registry's at each start.
//   - After SIGTERM runs may continue until 5 seconds of the grace are left, or half of it.
//
// # Exit codes
//
//	0    the handler returned nil, or an error of coreagent.SkipRun; a DAEMON was ended
//	1    it returned an error or panicked; with failover the shard is tried again
//	64   the environment is wrong
//	78   the configuration of the job is wrong, or the error is coreagent.Permanent
//	143  it returned an error after its context had ended, or there was a second signal
//
// For a DAEMON job only 0, 64, 78 and, for a second signal, 143 occur. A process that shares the
// shards also ends with 1 if it can't join the registry, and with 143 if a handler ignores the end
// of its context.
//
// After 64 and 78 engines don't retry a run. The process of a DAEMON job is restarted after any
// exit code, with growing pauses.
//
// # Not guaranteed
//   - For a DAEMON job: fire times without a running process of the shard. A process has none
//     from before its start.
//   - Shard.Progress and Shard.Result are checked but not stored.
package cloudjob
