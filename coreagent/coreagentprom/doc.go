// Package coreagentprom counts an agent's actions for Prometheus.
//
//	coreagent.Agent ──▶ Config.Observer = Metrics ──▶ prometheus.Registerer ──▶ GET /metrics
//	tracing.Async, tracing.Spool ── Stats ──▶ Options.Recorder, Options.Spool ──┘
//
// All names, labels and limits are in metrics.go; docs/monitoring.md has a table. Several agents in
// one process need different registerers, for example from prometheus.WrapRegistererWith. An agent
// without this package doesn't link Prometheus.
package coreagentprom
