// Package event carries reports of ElasticJob-Cloud's DAEMON processes about their runs. Reports go
// through the console, because the processes have no password for the database.
//
//	process ── Report, with its token ──▶ POST /api/cloud/events ──▶ rows of executions
//
// The token decides for which job a process may report, not the report.
package event
