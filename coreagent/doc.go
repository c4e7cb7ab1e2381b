// Package coreagent serves ElasticJob jobs from a Go process: sharded cron jobs without a central scheduler.
//
// Every process that imports it registers in ZooKeeper. A leader assigns the job's shards to the
// living instances, and each process fires by its own cron. When an instance leaves, its shards
// move to the others. The tree in ZooKeeper is Apache ElasticJob-Lite 3.0.x's, so Go and Java
// processes can serve a job together.
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
// [New] checks the configuration, [Agent.Add] and [Agent.HandleFunc] add jobs, [Agent.Start]
// connects and registers them, and [Agent.Stop] drains. [Agent.Run] is Start, then Stop when its
// context ends: all that a main function needs. Jobs may also be added after Start. Several agents
// in one process are independent.
//
// # Kinds of jobs
//
// A [Handler], or a function by [HandlerFunc], does the work of one shard, as in ElasticJob's
// SIMPLE job. [Dataflow] fetches and processes, once or until no data are left, as in a DATAFLOW
// job. [Script] and [HTTP] start a program and make a request. With [Job.Type] a job needs no code
// at all, and can be declared in a file, which package jobfile reads. A [Job] with a [Schedule] runs
// by it; one without runs when [Agent.Trigger] or an operator triggers it. A [Trigger] makes
// the handler of a job whose runs have parameters, and requests such runs.
//
// # Declared and stored
//
// A [Job] in code is a proposal. The first instance writes it into ZooKeeper. From then on the
// stored configuration applies to every instance, until an operator or an instance with
// [Job.Overwrite] changes it, without a restart. Changing only the code changes nothing. Only
// settings that are local to the process, such as [Job.EagerFailover], always come from the code.
//
// # What a handler may rely on
//
//   - Its context ends when the run must end. The cause is [ErrSessionLost] if ZooKeeper may have
//     given the shard to another instance, [ErrStopping] if the agent stops and the drain deadline
//     has passed, [ErrTimeout] after [Job.Timeout], or [ErrCancelled] if the requested run was cancelled.
//   - No other Go instance runs the same shard at the same time, as long as the handler obeys its
//     context. A process that was frozen and resumes may still write late: [Shard.FencingToken]
//     grows with each change of owner, so stored results with a smaller number can be refused.
//   - A panic fails that shard's run, not the process. If a handler ignores its context, the agent
//     waits for it, and names it in the log and in Stop's error.
//   - The runs of one job follow each other within a process; different shards of a run work side
//     by side.
//
// # What a job may name
//
// A job has a [Strategy], an [Executor], an [ErrorHandler] and [Listener]s, ElasticJob's or the program's.
// In ZooKeeper they are names, which operators can change to any name that the job's declaration or
// [Config] has. [Agent.Add] refuses unknown names. An unknown name in ZooKeeper fails that job's
// runs with a visible error, and no other job's.
//
//	a fire: error handler and executor looked up ▸ clocks compared ▸ Before, of those with Once first
//	        ▸ shards, Executor.Parallel at a time ▸ After, of those with Once last
//	              └── each failure ──▶ ErrorHandler
//
// # Around this package
//
// Package registry has the settings of the connection, also for programs that operate jobs (package
// lifecycle) or show them (package statistics). Package coreagenttest tests jobs without a server,
// package jobfile reads them from a YAML file, package coreagentprom counts an agent's actions for
// Prometheus ([Config.Observer]), and package tracing/rdb stores the events of [Config.Tracing].
package coreagent
