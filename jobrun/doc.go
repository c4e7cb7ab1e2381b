// Package jobrun has the types of requested runs: what somebody asks for, and what there
// is to say about a run of a job.
//
//	Request ──submit──▶ Ticket ──▶ Run: scheduled ▸ queued ▸ running ▸ succeeded, failed, …
//
// Agents, operators and the console share them; package lifecycle and the agent of package
// coreagent have the calls.
package jobrun
