// Package coreagent serves ElasticJob jobs from a Go process: sharded cron
// jobs without a central scheduler.
//
// Every process that imports it registers in ZooKeeper, a leader assigns the
// job's shards out to the living instances, each process fires its own cron,
// and when an instance goes its shards move to the others. The tree in
// ZooKeeper is that of Apache ElasticJob-Lite 3.0.x, so Go and Java processes
// serve one job together.
//
//	your main ──▶ Agent ──▶ registers ──▶ ZooKeeper ◀── other instances, Java or Go
//	                │                         │
//	              cron fires            assignments, triggers,
//	                │                   enable and disable
//	                ▼                         ▼
//	              for each own shard: Handler.Handle(ctx, shard)
//	                │
//	                ▼
//	              trace events ──▶ Config.Tracing
//
// # The life of an agent
//
// [New] checks the configuration, [Agent.Add] and [Agent.HandleFunc] add jobs,
// [Agent.Start] connects and registers them, [Agent.Stop] drains. [Agent.Run]
// is Start, then Stop when its context ends: all a main function needs. Jobs
// may be added after Start too. Several agents in one process are independent.
//
// # Kinds of jobs
//
// A [Handler], or a function by [HandlerFunc], does the work of one shard:
// ElasticJob's SIMPLE job. [Dataflow] fetches and processes, once or until nothing
// is left, a DATAFLOW job. [Script] and [HTTP] start a program and make a request;
// a job says so itself by its [Job.Type], so that it needs no code at all, and
// can stand in a file, which package jobfile reads. A [Job] with a Cron runs
// when it says; one without runs when [Agent.Trigger] or an operator says. A [Trigger]
// makes the handler of a job whose runs have parameters, and asks for such runs.
//
// # Declared and stored
//
// A [Job] in code is a proposal. The first instance writes it into ZooKeeper;
// from then on what is stored there counts, for every instance and until an
// operator or an instance with [Job.Overwrite] changes it, without a restart.
// Changing the code alone changes nothing. Only what is said to be local to the
// process, such as [Job.Timeout], always comes from the code.
//
// # What a handler may rely on
//
//   - Its context ends when the run must end: with the cause [ErrSessionLost]
//     when ZooKeeper may have given the shard to another instance,
//     [ErrStopping] when the agent stops and the drain deadline has passed,
//     [ErrTimeout] after [Job.Timeout].
//   - No other Go instance runs the same shard at the same time, as long as
//     the handler obeys its context. A process that was frozen and resumes may
//     still write late: [Shard.FencingToken] grows with each change of owner,
//     so whoever stores results can refuse the smaller number.
//   - A panic fails that shard's run, not the process. A handler that ignores
//     its context is waited for, named in the log, and named by Stop.
//   - The runs of one job follow each other within a process; different shards
//     of a run work side by side.
//
// # What a job may name
//
// A job asks for some things by name, as its configuration in ZooKeeper does:
// its [Job.Type], [Job.Strategy], [Job.Executor], [Job.ErrorHandler] and
// [Job.Listeners]. ElasticJob's own are there; a [Strategy], an [ErrorHandler],
// a [Listener], an [OnceListener] or a type of the program's is registered in
// [Config]. What nobody knows is refused by [Agent.Add]; where it is stored in
// ZooKeeper it fails that job's runs with a visible error, and no other job's.
//
//	a fire: error handler and pool looked up ▸ clocks compared ▸ OnceListener.Started
//	        ▸ Listener.Before ▸ shards, Executor at a time ▸ Listener.After ▸ OnceListener.Completed
//	                              └── each failure ──▶ ErrorHandler
//
// # Around this package
//
// Package registry has the settings of the connection, here and for programs that
// operate jobs (package lifecycle) or show them (package statistics).
// Package coreagenttest tests jobs without a server, package jobfile reads them
// from a YAML file, package coreagentprom counts what the agent does, for
// Prometheus ([Config.Observer]), package tracing/rdb stores what [Config.Tracing] receives.
package coreagent
