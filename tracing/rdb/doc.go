// Package rdb stores trace events in ElasticJob's two tables, and requested runs in four tables of
// its own, and answers the console's queries. The databases are MySQL, MariaDB, PostgreSQL and
// SQLite; packages mysql, postgres and sqlite have a driver each.
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
// A [Run] is all executions of one fire, trigger or request of a job. Rows of Java engines don't
// have a run id, so they are grouped by job and the second in which they started; see [RunOf].
//
// Java engines may write to the same tables, and may have created them. Their versions disagree
// about the column source, and none has the columns run_id, attempt, trigger and scheduled_at. The
// first statement checks which columns exist; missing ones aren't used. [Store.Lacks] lists them.
//
// Ids and job names are stored unchanged or not at all, and compared exactly in any character set
// and collation. If a table can't hold a value, its row is left out, the log has the SQL that makes
// room, and a filter finds nothing. Task ids and addresses that are too long are shortened to their
// beginning and a hash. [Findings] lists the faults of the tables.
//
// A [tracing.RunRecord] is a requested run; [Store.RequestedRun] and similar methods read it. A database without
// the four tables keeps everything else: readers get [ErrNoRunTables], and the agent logs the gap.
//
// A row names its job and not the namespace, as in ElasticJob. Two namespaces with jobs of
// the same name need a database, or a schema, each.
//
// Guaranteed: writing a batch twice changes nothing; the start and the end of an execution make one row
// in either order; the latest state of a requested run wins in any order; pages neither repeat nor lose
// a row while newer ones arrive; no query reads a whole table unless the filter leaves no other way.
//
// Times are stored in UTC with milliseconds, or whole seconds in MySQL tables that a Java engine
// created. A connection to MySQL has the zone UTC on both sides, regardless of its data source name.
package rdb
