// Package event is what the processes of DAEMON jobs of ElasticJob-Cloud report of
// their runs, and how: they have no password of the database.
//
//	process ── Report, with its token ──▶ POST /api/cloud/events ──▶ rows of executions
//
// Whose runs a process may report the token says, not the report.
package event
