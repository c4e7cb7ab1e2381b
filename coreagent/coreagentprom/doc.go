// Package coreagentprom counts what an agent does, for Prometheus.
//
//	coreagent.Agent ──▶ Config.Observer = Metrics ──▶ prometheus.Registerer ──▶ GET /metrics
//	tracing.Async, tracing.Spool ── Stats ──▶ Options.Recorder, Options.Spool ──┘
//
// All names, labels and limits stand in metrics.go; docs/monitoring.md has them
// as a table. Several agents of one process need registerers that tell them
// apart, such as prometheus.WrapRegistererWith makes. An agent without this
// package carries no Prometheus.
package coreagentprom
