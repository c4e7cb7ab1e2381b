package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// HistoryEnd is when the last run of [FillHistory] began.
var HistoryEnd = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// HistoryDays is how far its history reaches back.
const HistoryDays = 30

// fillChunk is how many rows one statement makes up.
const fillChunk = 500_000

// FillHistory puts a history of so many executions into a new database, and a
// tenth as many steps, made up inside the server: of 200 jobs, of which job-000
// has half of the rows, on 20 servers; one run in fifty has failed and one in
// 2,000 has no end, most of these because their agent was killed. The indexes are
// taken away and built by the migrations when the rows are there.
func FillHistory(ctx context.Context, db *store.DB, rows int) error {
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	exec := func(statement string) error { return db.WithContext(ctx).Exec(statement).Error }
	indexes := map[string][]string{
		"JOB_EXECUTION_LOG": {"EXECUTION_START_INDEX", "EXECUTION_JOB_START_INDEX", "EXECUTION_IP_START_INDEX", "EXECUTION_RESULT_START_INDEX",
			"EXECUTION_TASK_INDEX", "EXECUTION_UNFINISHED_INDEX", "EXECUTION_DURATION_INDEX", "EXECUTION_ITEM_START_INDEX", "EXECUTION_RUN_INDEX", "EXECUTION_TRIGGER_START_INDEX"},
		"JOB_STATUS_TRACE_LOG": {"STATUS_CREATION_INDEX", "STATUS_JOB_CREATION_INDEX", "TASK_ID_STATE_INDEX"},
	}
	for table, names := range indexes {
		for _, name := range names {
			drop := "DROP INDEX " + name
			if db.Dialect == store.MySQL {
				drop += " ON " + table
			}
			if err := exec(drop); err != nil {
				return err
			}
		}
	}
	if db.Dialect != store.MySQL {
		if err := exec("DROP INDEX EXECUTION_COMPLETE_INDEX"); err != nil {
			return err
		}
	}
	for begin := 0; begin < rows; begin += fillChunk {
		n := min(fillChunk, rows-begin)
		if err := exec(executions(db.Dialect, rows, begin, n)); err != nil {
			return err
		}
		if err := exec(steps(db.Dialect, rows, begin, n)); err != nil {
			return err
		}
	}
	if db.Dialect == store.SQLite { // whose files are not applied twice
		for _, column := range []string{"run_id", "attempt", "trigger", "scheduled_at"} {
			if err := exec("ALTER TABLE JOB_EXECUTION_LOG DROP COLUMN " + column); err != nil {
				return err
			}
		}
	}
	if err := exec("DELETE FROM elasticjob_schema_version WHERE version_id >= 3"); err != nil {
		return err
	}
	if err := db.Migrate(ctx); err != nil {
		return err
	}
	if db.Dialect == store.MySQL {
		return exec("ANALYZE TABLE JOB_EXECUTION_LOG, JOB_STATUS_TRACE_LOG")
	}
	return exec("ANALYZE")
}

// Columns of the row number n, in the words of each product. h is a number that
// looks random.
func words(dialect string, rows int) (id, job, text func(string) string, start, end string) {
	step := float64(HistoryDays*24*3600) / float64(rows)
	first := float64(HistoryEnd.Unix()) - HistoryDays*24*3600
	at := fmt.Sprintf("(%f + n * %.9f)", first, step)
	took := "(h % 4000) / 1000.0"
	long := "CASE WHEN n % 9973 = 0 THEN 7200 ELSE 0 END" // a few take hours
	switch dialect {
	case store.MySQL:
		text = func(number string) string { return "CAST(" + number + " AS CHAR)" }
		id = func(number string) string { return "CONCAT('0198f3c2-', LPAD(" + number + ", 27, '0'))" }
		job = func(number string) string { return "CONCAT('job-', LPAD(" + number + ", 3, '0'))" }
		start, end = "FROM_UNIXTIME("+at+")", "FROM_UNIXTIME("+at+" + "+took+" + "+long+")"
	case store.Postgres:
		text = func(number string) string { return "CAST(" + number + " AS TEXT)" }
		id = func(number string) string { return "'0198f3c2-' || LPAD(CAST(" + number + " AS TEXT), 27, '0')" }
		job = func(number string) string { return "'job-' || LPAD(CAST(" + number + " AS TEXT), 3, '0')" }
		moment := func(s string) string {
			return "DATE_TRUNC('milliseconds', TO_TIMESTAMP(" + s + ") AT TIME ZONE 'UTC')"
		}
		start, end = moment(at), moment(at+" + "+took+" + "+long)
	default:
		text = func(number string) string { return "CAST(" + number + " AS TEXT)" }
		id = func(number string) string { return "printf('0198f3c2-%027d', " + number + ")" }
		job = func(number string) string { return "printf('job-%03d', " + number + ")" }
		moment := func(s string) string { return "strftime('%Y-%m-%d %H:%M:%f', " + s + ", 'unixepoch')" }
		start, end = moment(at), moment(at+" + "+took+" + "+long)
	}
	return id, job, text, start, end
}

// numbers is a table of n and h, for the rows from begin on.
func numbers(dialect string, begin, count int) string {
	hash := "(n * 7919 + n / 3) % 999983"
	switch dialect {
	case store.MySQL:
		hash = "(n * 7919 + n DIV 3) % 999983"
		return fmt.Sprintf("(SELECT n, %s AS h FROM (SELECT seq AS n FROM seq_%d_to_%d) s) t", hash, begin, begin+count-1)
	case store.Postgres:
		return fmt.Sprintf("(SELECT n, %s AS h FROM GENERATE_SERIES(%d::bigint, %d) AS s (n)) t", hash, begin, begin+count-1)
	default:
		return fmt.Sprintf("(WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n, %s AS h FROM s) t", begin, begin+count-1, hash)
	}
}

// The job of a row, by its number: every other one is of the busiest.
const jobNumber = "CASE WHEN n % 2 = 0 THEN 0 ELSE h % 200 END"

func executions(dialect string, rows, begin, count int) string {
	id, job, text, start, end := words(dialect, rows)
	yes, no := "1", "0"
	if dialect == store.Postgres {
		yes, no = "TRUE", "FALSE"
	}
	server := text("h % 20")
	join := func(parts ...string) string {
		joined, with := parts[0], " || "
		if dialect == store.MySQL {
			with = ", "
		}
		for _, part := range parts[1:] {
			joined += with + part
		}
		if dialect == store.MySQL {
			return "CONCAT(" + joined + ")"
		}
		return joined
	}
	return "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item, execution_source, failure_cause, is_success, start_time, complete_time) " +
		"SELECT " + id("n") + ", " + job(jobNumber) + ", " + join(job(jobNumber), "'@-@0,1,2@-@READY@-@10.0.0.1@-@77_'", text("n - n % 3")) + ", " +
		join("'worker-'", server) + ", " + join("'10.0.0.'", server) + ", h % 10, CASE WHEN n % 97 = 0 THEN 'MISFIRE' ELSE 'NORMAL_TRIGGER' END, " +
		"CASE WHEN n % 2000 <> 1 AND n % 50 = 0 THEN " + join("'dial tcp 10.0.3.7:3306: connection timed out, attempt '", text("n")) + " ELSE NULL END, " +
		"CASE WHEN n % 2000 = 1 OR n % 50 = 0 THEN " + no + " ELSE " + yes + " END, " + start + ", CASE WHEN n % 2000 = 1 THEN NULL ELSE " + end + " END FROM " + numbers(dialect, begin, count)
}

func steps(dialect string, rows, begin, count int) string {
	id, job, text, start, _ := words(dialect, rows)
	task := job(jobNumber) + " || '@-@0,1,2@-@READY@-@10.0.0.1@-@77_' || " + text("n - n % 3")
	if dialect == store.MySQL {
		task = "CONCAT(" + job(jobNumber) + ", '@-@0,1,2@-@READY@-@10.0.0.1@-@77_', " + text("n - n % 3") + ")"
	}
	return "INSERT INTO JOB_STATUS_TRACE_LOG (id, job_name, original_task_id, task_id, slave_id, source, execution_type, sharding_item, state, message, creation_time) " +
		"SELECT " + id("n") + ", " + job(jobNumber) + ", '', " + task + ", '10.0.0.1', 'LITE_EXECUTOR', 'READY', '[0, 1, 2]', 'TASK_FINISHED', '', " + start +
		" FROM " + numbers(dialect, begin, count) + " WHERE n % 10 = 0"
}
