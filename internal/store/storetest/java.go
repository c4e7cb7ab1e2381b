package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// The versions of ElasticJob's Java engine whose trace tables differ.
const (
	Java304 = "3.0.4"
	Java305 = "3.0.5"
)

// CreateJavaTables creates the trace tables with the columns and keys that an
// engine of that version gives them: in MySQL and PostgreSQL the form it has for
// them, in SQLite the form of the databases without an auto_id.
func CreateJavaTables(tb testing.TB, db *store.DB, version string) {
	tb.Helper()
	first, executionKey, statusKey, engine, prefix, truth := "", "PRIMARY KEY (id)", "PRIMARY KEY (id)", "", "", "INT"
	if db.Dialect == store.Postgres {
		truth = "BOOLEAN"
	}
	if db.Dialect == store.MySQL {
		first = "auto_id INT NOT NULL AUTO_INCREMENT, "
		executionKey, statusKey = "UNIQUE KEY id_uk (id), PRIMARY KEY (auto_id)", "PRIMARY KEY (auto_id)"
		engine, prefix = " ENGINE=InnoDB", "(128)"
	}
	source := "source VARCHAR(50) NOT NULL, "
	if version == Java305 {
		source = ""
	}
	for _, statement := range []string{
		"CREATE TABLE JOB_EXECUTION_LOG (" + first + "id VARCHAR(40) NOT NULL, job_name VARCHAR(100) NOT NULL, " +
			"task_id VARCHAR(255) NOT NULL, hostname VARCHAR(255) NOT NULL, ip VARCHAR(50) NOT NULL, " +
			"sharding_item INT NOT NULL, execution_source VARCHAR(20) NOT NULL, failure_cause VARCHAR(4000) NULL, " +
			"is_success " + truth + " NOT NULL, start_time TIMESTAMP NULL, complete_time TIMESTAMP NULL, " + executionKey + ")" + engine,
		"CREATE TABLE JOB_STATUS_TRACE_LOG (" + first + "id VARCHAR(40) NOT NULL, job_name VARCHAR(100) NOT NULL, " +
			"original_task_id VARCHAR(255) NOT NULL, task_id VARCHAR(255) NOT NULL, slave_id VARCHAR(50) NOT NULL, " +
			source + "execution_type VARCHAR(20) NOT NULL, sharding_item VARCHAR(100) NOT NULL, state VARCHAR(20) NOT NULL, " +
			"message VARCHAR(4000) NULL, creation_time TIMESTAMP NULL, " + statusKey + ")" + engine,
		"CREATE INDEX TASK_ID_STATE_INDEX ON JOB_STATUS_TRACE_LOG (task_id" + prefix + ", state)",
	} {
		if err := db.Exec(statement).Error; err != nil {
			tb.Fatal(err)
		}
	}
}

var javaRows atomic.Int64

// InsertJavaRows writes what a Java engine of that version writes for one run
// of a job named "java": a finished execution, a failed one whose completion
// time is missing, and a status. With twice, the status is there two times.
func InsertJavaRows(tb testing.TB, db *store.DB, version string, twice bool) {
	tb.Helper()
	n := javaRows.Add(1)
	insert := "INSERT INTO JOB_EXECUTION_LOG (id, job_name, task_id, hostname, ip, sharding_item, execution_source, " +
		"is_success, failure_cause, start_time, complete_time) VALUES "
	statements := []string{
		insert + fmt.Sprintf("('java-%d-0', 'java', 'java@-@0,1@-@READY@-@10.0.0.1@-@9833', 'h', '10.0.0.1', 0, "+
			"'NORMAL_TRIGGER', TRUE, NULL, '2026-11-20 10:00:00', '2026-11-20 10:00:01')", n),
		insert + fmt.Sprintf("('java-%d-1', 'java', 'java@-@0,1@-@READY@-@10.0.0.1@-@9833', 'h', '10.0.0.1', 1, "+
			"'NORMAL_TRIGGER', FALSE, 'java.lang.IllegalStateException', '2026-11-20 10:00:00', NULL)", n),
	}
	source, value := "source, ", "'LITE_EXECUTOR', "
	if version == Java305 {
		source, value = "", ""
	}
	status := fmt.Sprintf("INSERT INTO JOB_STATUS_TRACE_LOG (id, job_name, original_task_id, task_id, slave_id, "+source+
		"execution_type, sharding_item, state, message, creation_time) VALUES ('java-%d', 'java', '', "+
		"'java@-@0,1@-@READY@-@10.0.0.1@-@9833', '10.0.0.1', "+value+"'READY', '[0, 1]', 'TASK_STAGING', "+
		"'Job ''java'' execute begin.', '2026-11-20 10:00:00')", n)
	statements = append(statements, status)
	if twice {
		statements = append(statements, status)
	}
	for _, statement := range statements {
		if err := db.Exec(statement).Error; err != nil {
			tb.Fatal(err)
		}
	}
}
