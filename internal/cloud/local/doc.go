// Package local runs the tasks of ElasticJob-Cloud as processes of this host. It is for a
// laptop, a single machine and tests; a cluster is another engine.
//
//	Launch ──▶ runs/RUN/run.json ──▶ admission: all shards fit ──▶ a shim per shard ──▶ program
//	                                                                │  log, time-out, signals
//	Watch ◀── states ◀────────── runs/RUN/SHARD/ATTEMPT/end.json ◀──┘
//
// The shim is this program once more ([Shim], a hidden command of cmd/console): it outlives
// the engine, so that a restart of the console ends no task.
//
// # Guarantees
//
//   - A run exists when its folder does, which appears by one rename. Launching it again,
//     also after a crash, is success and starts nothing twice: each attempt is claimed by
//     one hard link.
//   - An engine that starts again adopts the shims that live, by process id and start
//     time, and reads end.json of those that have ended. What a restart of the machine has
//     ended is LOST.
//   - A run starts when all its shards fit beside what runs, by the processors and the
//     memory that jobs and applications declare. That is accounting, not isolation.
//   - Programs lie below one folder, or in the archive of their application (package archive),
//     symbolic links resolved. Their environment is built
//     and never inherited, nor is any descriptor. There is no shell unless the application asks for one.
//   - With an [Account], programs run as that user, and of the engine's files only their
//     working folder, their token and their archive are open to them.
//   - A program that has ended, for whatever reason, leaves no process behind: its group
//     and what has left the group are killed.
//   - A program never waits for its log. At most [MaxLog] bytes are kept: the first half
//     and the last.
//   - One engine at a time uses a folder.
//
// The run of a DAEMON job goes on until Daemon stops it: a process that ends is started again
// after a pause, and the last attempts of each shard are kept. Linux only.
package local
