// Package cloudjob makes a program of a handler: one that ElasticJob-Cloud starts for each
// shard of a job.
//
//	engine ── environment, SIGTERM ──▶ Main ──▶ Handler.Handle, once
//	   ▲                                 │
//	   └── exit code, last lines ◀───────┘
//
// The handler and its [coreagent.Shard] are those of an agent, so that the same code runs
// in either. There is no registry, and no other shard: the program works on one shard of one
// run and ends.
//
//	func main() {
//		cloudjob.Main(coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
//			s.Log.Info("settling", "region", s.Parameter)
//			return nil
//		}))
//	}
//
// # Guarantees
//   - The handler is called once, with everything that the environment says. A wrong
//     environment is refused before, with an error that names each variable.
//   - FencingToken grows with each attempt at a shard, and with each fire time: it is the
//     second of the fire time times 1,000, and the attempt.
//   - The context ends with SIGTERM and with an interrupt; its cause is
//     [coreagent.ErrStopping]. A second signal ends the process at once.
//   - A panic fails the shard as an error does.
//   - The last line on standard error says why the shard failed. It and the lines that
//     Shard.Log wrote before are the termination message, if the engine asks for one.
//
// # Exit codes
//
//	0    the handler returned nil, or an error of coreagent.SkipRun
//	1    it returned an error or panicked; with failover the shard is tried again
//	64   the environment is wrong, or the job is a DAEMON
//	78   the configuration of the job is wrong, or the error is coreagent.Permanent
//	143  it returned an error after its context had ended, or there was a second signal
//
// After 64 and 78 no engine tries again.
//
// # Not guaranteed
//   - Daemon jobs: they are refused.
//   - Shard.Progress and Shard.Result are checked and kept nowhere.
package cloudjob
