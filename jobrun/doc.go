// Package jobrun has the types of requested runs: requests, and the runs they lead to.
//
//	Request ──submit──▶ Ticket ──▶ Run: scheduled ▸ queued ▸ running ▸ succeeded, failed, …
//
// Agents, operators and the console share them. The calls are in package lifecycle and in the agent
// of package coreagent.
package jobrun
