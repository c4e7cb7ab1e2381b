// Command cloudrun runs a script, or a program in any language, as one shard of a job of
// ElasticJob-Cloud.
//
//	engine ── environment, signals ──▶ cloudrun ── argument, signals ──▶ PROGRAM ARG… CONTEXT
//	   ▲                                │    ▲                              │
//	   └── exit code, last lines ◀──────┘    └── output, exit code ◀────────┘
//
//	cloudrun PROGRAM [ARG]...
//
// The program gets the sharding context as JSON in one last argument, as ElasticJob's script
// jobs do, and the parameter of its shard in ELASTICJOB_SHARDING_PARAMETER. It runs in a
// process group of its own, to which SIGTERM, SIGINT and SIGHUP are forwarded. When it has
// ended, cloudrun kills the processes that are left in that group. If they still hold its
// output, it waits for two seconds first and prints a warning. It reaps orphans, so it can be
// the first process of a container.
//
// The exit code is the program's, and 128 and the signal's number if a signal has ended it.
// 64 says that the environment is wrong, 78 that the program cannot be started or the job's
// configuration is wrong: no engine tries again after these, nor after 65. If it is not 0, the last 80
// lines are the termination message, in at most 4 KiB and without secrets, if
// ELASTICJOB_TERMINATION_MESSAGE_PATH names a file.
//
// The process of a DAEMON job starts the program at each fire time, which is in
// ELASTICJOB_SCHEDULED_AT, one after the other, until SIGTERM or SIGINT; it waits for the
// program and ends with 0. An exit code other than 0 is a failed run: it and the last lines
// are reported to the console. For the program the type is TRANSIENT: it has one fire time.
// If ELASTICJOB_READY_PORT has a port, GET /readyz answers there 200 while the process fires, and
// 503 once it is to end; 78 says that another program has the port.
package main
