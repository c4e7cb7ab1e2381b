// Package daemon runs a process of an ElasticJob-Cloud DAEMON job. It fires by its own schedule
// until it's stopped.
//
//	cron ──▶ Loop ── fire time ──▶ Work, one run at a time
//	           │                     │
//	           └── begin, end, cause ┴──▶ event.Reporter ──▶ console
//
// # Guarantees
//   - Runs don't overlap. Fire times during a run are made up for by one run, with the newest
//     fire time, if the job has misfire. Otherwise they're skipped.
//   - The same applies while the process is frozen or the machine sleeps. A run that can start
//     within a minute starts even without misfire.
//   - No fire time runs twice in a process, and none from before its start.
//   - When the context ends, no run starts, and the process waits for the active run.
//   - The readiness check answers 200 from the first wait until the context ends, else 503. A
//     long run doesn't cause 503.
//
// It's shared by coreagent/cloudjob and cmd/cloudrun, and depends on neither handlers nor programs.
package daemon
