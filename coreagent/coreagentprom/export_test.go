package coreagentprom

import "github.com/elasticjob-go/elasticjob/internal/metrics"

// SetOf returns the metrics as the command elasticjob answers with them.
func SetOf(m *Metrics) *metrics.Set { return m.counts.Set() }
