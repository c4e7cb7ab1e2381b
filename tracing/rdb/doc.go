// Package rdb keeps trace events in ElasticJob's two tables, and in four of its own
// those of requested runs, and answers the console's questions about them. The databases are MySQL, MariaDB,
// PostgreSQL and SQLite; the packages mysql, postgres and sqlite have a driver each.
//
//	agent ──▶ Recorder: waiting events in memory or files; opens and migrates the database
//	                 │
//	                 └──── batch ─▶ Sink ──┬─▶ JOB_EXECUTION_LOG     one row per run of a shard
//	                                ├─▶ JOB_STATUS_TRACE_LOG  one row per step of a task
//	                                ├─▶ JOB_RUN, JOB_RUN_STEP requested runs, what became of them
//	                                └─▶ JOB_RUN_LOG, JOB_RUN_PROGRESS  of their handlers
//	                                        │
//	     console ◀─ pages, newest first ─ Store
//
// A [Run] is all executions of one fire, trigger or request of a job. Where they do
// not say which run they belong to, in rows of Java engines, they are grouped by job
// and the second in which they began; see [RunOf].
//
// Java engines may write to the same tables, and may have created them. What
// their versions disagree about, the column source, and what none of them has,
// the columns run_id, attempt, trigger and scheduled_at, is found out with the
// first statement and then used or left alone; [Store.Lacks] names what is missing.
//
// Ids and job names are stored unchanged or not at all, and compared exactly in any character
// set and collation. If a table can't hold a value, its row is left out, the log has the SQL
// that makes room, and a filter finds nothing. Task ids and addresses that are too long are
// shortened to their beginning and a hash. [Findings] lists the faults of the tables.
//
// A [tracing.Run] is one that somebody asked for: [Store.RequestedRun] and those beside
// it read what Sink stored. A database without the four tables keeps all else:
// [ErrNoRunTables] tells a reader, the log tells whoever runs the agent.
//
// A row names its job and not the namespace, as in ElasticJob. Two namespaces with jobs of
// the same name need a database, or a schema, each.
//
// Guaranteed: writing a batch twice changes nothing; the start and the end of a
// run make one row in whichever order they arrive, and so do the states of a requested
// run, of which the latest stays; pages neither repeat nor
// lose a row while newer ones arrive; no query reads a whole table unless the
// filter leaves no other way. Times are stored in UTC with milliseconds, in
// MySQL tables of a Java engine's making with whole seconds. A connection to MySQL
// has the zone UTC on both sides, whatever its data source name asks for.
package rdb
