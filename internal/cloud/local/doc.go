// Package local runs the tasks of ElasticJob-Cloud as processes of this host, for laptops, single
// machines and tests. Clusters have another engine.
//
//	Launch ──▶ runs/RUN/run.json ──▶ admission: all shards fit ──▶ a shim per shard ──▶ program
//	                                                                │  log, time-out, signals
//	Watch ◀── states ◀────────── runs/RUN/SHARD/ATTEMPT/end.json ◀──┘
//
// The shim is this program again ([Shim], a hidden command of cmd/console). It outlives the engine,
// so restarting the console ends no task.
//
// # Guarantees
//
//   - A run exists if its folder does, which appears by one rename. Launching it again, even
//     after a crash, succeeds and starts nothing twice, because each attempt is claimed by one
//     hard link.
//   - A restarted engine adopts running shims by process id and start time, and reads end.json
//     of ended ones. Tasks that ended with a restart of the machine are LOST.
//   - A run starts when all its shards fit, by the CPU and memory that jobs and applications
//     declare. That is accounting, not isolation.
//   - After resolving symbolic links, programs are below one folder or in their application's
//     archive (package archive). They inherit no environment and no descriptor. There's no
//     shell unless the application asks for one.
//   - With an [Account], programs run as that user, and can only access their working folder,
//     their token and their archive among the engine's files.
//   - When a program ends for any reason, its process group and processes that left the group
//     are killed.
//   - A program never waits for its log. At most [MaxLog] bytes are kept: the first half and the
//     last.
//   - A folder is used by one engine at a time.
//
// A DAEMON job's run lasts until Daemon stops it: an ended process is restarted after a pause, and
// the last attempts of each shard are kept. Linux only.
package local
