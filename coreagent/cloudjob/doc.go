// Package cloudjob makes a program of a handler: one that ElasticJob-Cloud starts for each
// shard of a job.
//
//	engine ── environment, SIGTERM ──▶ Main ──▶ Handler.Handle, once, or of a DAEMON
//	   ▲                                 │      job at each fire time
//	   └── exit code, last lines ◀───────┤
//	console ◀── runs of a DAEMON job ◀───┘
//
// The handler and its [coreagent.Shard] are those of an agent, so that the same code runs
// in either. There is no registry, and no other shard: the program works on one shard of one
// run and ends. That of a DAEMON job works on one shard, one run after the other.
//
//	func main() {
//		cloudjob.Main(coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
//			s.Log.Info("settling", "region", s.Parameter)
//			return nil
//		}))
//	}
//
// # Guarantees
//   - The handler is called once per run, with everything that the environment says. A wrong
//     environment is refused before, with an error that names each variable.
//   - FencingToken grows with each attempt at a shard, and with each fire time: it is the
//     second of the fire time times 1,000, and the attempt.
//   - The context ends with SIGTERM and with an interrupt; its cause is
//     [coreagent.ErrStopping]. A second signal ends the process at once.
//   - A panic fails the shard as an error does.
//   - The last line on standard error says why the shard failed. It and the lines that
//     Shard.Log wrote before are the termination message, if the engine asks for one.
//
// # DAEMON jobs
//   - The handler is called at each fire time, by the rules of clock changes, windows and
//     excluded days that the job has. Runs do not overlap. Fire times that pass during a run
//     are made up for by one run, that of the newest, if the job has misfire, and are skipped
//     without.
//   - An error, a panic and coreagent.Permanent fail the run, and the process goes on.
//   - SIGTERM ends the context of the run that goes on and waits for it. The exit code is 0.
//   - Runs are reported to the console, each one or each so many-th, as the application says:
//     when they begin and when they have ended. While the console is away they wait in
//     memory, at most 1,000; then the oldest are dropped, and the log says how many.
//     At its end the process waits up to five seconds for what is not delivered.
//   - If ELASTICJOB_READY_PORT has a port, GET /readyz answers there 200 while the process fires,
//     and 503 before and once it is to end. A port that another program has is the exit code 78.
//
// # DAEMON jobs whose processes share the shards
//   - Of a job with the property cloud.daemon = registry the process is a [coreagent.Agent]: it
//     calls the handler for each shard that it has at a fire time, several at a time. What holds
//     of agents holds of it, and not the rules of DAEMON jobs above.
//   - What the scheduler has of the job is written over what the registry has, at each start.
//   - After SIGTERM runs may go on until 5 seconds are left of the grace, or half of it.
//
// # Exit codes
//
//	0    the handler returned nil, or an error of coreagent.SkipRun; a DAEMON was ended
//	1    it returned an error or panicked; with failover the shard is tried again
//	64   the environment is wrong
//	78   the configuration of the job is wrong, or the error is coreagent.Permanent
//	143  it returned an error after its context had ended, or there was a second signal
//
// Of a DAEMON job only 0, 64, 78 and, for a second signal, 143 occur. A process that shares the
// shards ends with 1, too, if it cannot join the registry, and with 143 if a handler ignores the
// end of its context.
//
// After 64 and 78 no engine tries a run again. The process of a DAEMON job is started again
// after whatever it ended with, at growing intervals.
//
// # Not guaranteed
//   - Of a DAEMON job: fire times at which no process of the shard lived. A process has none
//     from before its start.
//   - Shard.Progress and Shard.Result are checked and kept nowhere.
package cloudjob
