// Package event carries the reports of ElasticJob-Cloud's DAEMON processes about their runs. They
// go through the console, because the processes have no password of the database.
//
//	process ── Report, with its token ──▶ POST /api/cloud/events ──▶ rows of executions
//
// The token decides for which job a process may report, not the report.
package event
