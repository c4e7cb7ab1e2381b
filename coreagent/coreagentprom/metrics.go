package coreagentprom

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/agentmetrics"
	"github.com/elasticjob-go/elasticjob/internal/metrics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// DefaultMaxJobs is the default number of jobs with their own series. A job has about 45.
const DefaultMaxJobs = agentmetrics.DefaultMaxJobs

// OtherJobs is the value of label job_name for all jobs beyond the limit together. No job can have
// this name, because it has a slash.
const OtherJobs = agentmetrics.OtherJobs

// Options tunes [New]. The zero value suits most processes.
type Options struct {
	// MaxJobs is the number of jobs with their own series; further ones share [OtherJobs]. Defaults
	// to [DefaultMaxJobs].
	MaxJobs int
	// Recorder is the method Stats of a [tracing.Async], for the queue of trace events; nil if there is none.
	Recorder func() tracing.Stats
	// Spool is the method Stats of a [tracing.Spool], for the trace events in files; nil if there is none.
	Spool func() tracing.SpoolStats
}

// Metrics is a [coreagent.Observer] with counts for a registerer.
type Metrics struct{ counts *agentmetrics.Metrics }

// New registers the metrics. The error names a name that is already taken.
func New(reg prometheus.Registerer, opts Options) (*Metrics, error) {
	if reg == nil {
		return nil, errors.New("coreagentprom: the registerer is nil")
	}
	m := &Metrics{agentmetrics.New(agentmetrics.Options(opts))}
	if err := reg.Register(newCollector(m.counts.Set())); err != nil {
		return nil, fmt.Errorf("coreagentprom: %w", err)
	}
	return m, nil
}

// Observe implements [coreagent.Observer].
func (m *Metrics) Observe(what coreagent.Observation) { m.counts.Observe(what) }

// collector offers a set of metrics to Prometheus' library.
type collector struct {
	families []*metrics.Family
	descs    []*prometheus.Desc
}

func newCollector(set *metrics.Set) *collector {
	c := &collector{families: set.Families()}
	for _, f := range c.families {
		c.descs = append(c.descs, prometheus.NewDesc(f.Name, f.Help, f.Labels, nil))
	}
	return c
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, desc := range c.descs {
		to <- desc
	}
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(to chan<- prometheus.Metric) {
	for i, f := range c.families {
		kind := prometheus.GaugeValue
		if f.Kind == metrics.Counter {
			kind = prometheus.CounterValue
		}
		for _, one := range f.Samples() {
			if f.Kind == metrics.Histogram {
				to <- prometheus.MustNewConstHistogram(c.descs[i], one.Count, one.Value, one.Buckets, one.Labels...)
			} else {
				to <- prometheus.MustNewConstMetric(c.descs[i], kind, one.Value, one.Labels...)
			}
		}
	}
}
