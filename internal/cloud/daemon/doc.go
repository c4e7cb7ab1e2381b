// Package daemon is the life of a process of a DAEMON job of ElasticJob-Cloud: it fires
// for itself until it is to end.
//
//	cron ──▶ Loop ── fire time ──▶ Work, one run at a time
//	           │                     │
//	           └── begin, end, cause ┴──▶ event.Reporter ──▶ console
//
// # Guarantees
//   - Runs do not overlap. Fire times that pass during a run are made up for by one run, that
//     of the newest, if the job has misfire; else they are skipped.
//   - So are those that pass while the process is frozen or the machine sleeps. A run that
//     can begin within a minute begins without misfire too.
//   - No fire time runs twice in a process, and none from before its start.
//   - The end of the context begins no run and waits for the one that goes on.
//   - Who asks at the port of the environment learns whether it fires: 200 between the beginning
//     of the first wait and the end of the context, 503 before and after. A run that goes on,
//     however long, is no reason for 503.
//
// It is shared by coreagent/cloudjob and cmd/cloudrun, and knows neither handlers nor programs.
package daemon
