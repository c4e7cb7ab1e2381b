package app

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// CloudMetrics counts what a scheduler of ElasticJob-Cloud does. It implements the Metrics
// of package scheduler. Its methods may be called at the same time.
type CloudMetrics struct {
	fires   *prometheus.CounterVec
	lag     prometheus.Histogram
	calls   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	leads   prometheus.Gauge
	terms   prometheus.Counter
	rows    prometheus.Counter
}

// Cloud registers the metrics of a scheduler. Call it once.
func (m *Metrics) Cloud() *CloudMetrics {
	c := &CloudMetrics{
		fires: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "elasticjob_cloud_fires_total", Help: "Fire times and requests, by what became of them: launch, postpone, miss, merge or forget.",
		}, []string{"result"}),
		lag: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "elasticjob_cloud_fire_lag_seconds", Help: "Time from a fire time to the launch of its run.",
			Buckets: []float64{.01, .05, .1, .5, 1, 5, 20, 120},
		}),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "elasticjob_cloud_calls_total", Help: "Calls of the engine and the store, and notifications of failed runs (notify), by verb and result; refused ones are useless to ask for again, failed ones may pass.",
		}, []string{"verb", "result"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "elasticjob_cloud_call_seconds", Help: "Time that calls of the engine and the store, and notifications of failed runs, take.",
			Buckets: []float64{.005, .02, .1, .5, 2, 10},
		}, []string{"verb"}),
		leads: prometheus.NewGauge(prometheus.GaugeOpts{Name: "elasticjob_cloud_leader", Help: "1 while this console schedules, 0 while another one may."}),
		terms: prometheus.NewCounter(prometheus.CounterOpts{Name: "elasticjob_cloud_terms_total", Help: "How often this console has begun to schedule."}),
		rows:  prometheus.NewCounter(prometheus.CounterOpts{Name: "elasticjob_cloud_rows_total", Help: "Rows of the history that were recorded."}),
	}
	for _, do := range []cloud.Do{cloud.DoLaunch, cloud.DoPostpone, cloud.DoMiss, cloud.DoMerge, cloud.DoForget} {
		c.fires.WithLabelValues(string(do))
	}
	m.registry.MustRegister(c.fires, c.lag, c.calls, c.seconds, c.leads, c.terms, c.rows)
	return c
}

// Fired counts what became of fire times and requests; lag is how late a launch is.
func (c *CloudMetrics) Fired(do cloud.Do, count int, lag time.Duration) {
	c.fires.WithLabelValues(string(do)).Add(float64(count))
	if do == cloud.DoLaunch {
		c.lag.Observe(lag.Seconds())
	}
}

// Called counts a call of the engine or the store.
func (c *CloudMetrics) Called(verb string, took time.Duration, err error) {
	result := "done"
	switch {
	case errors.Is(err, cloud.ErrRefused):
		result = "refused"
	case err != nil:
		result = "failed"
	}
	c.calls.WithLabelValues(verb, result).Inc()
	c.seconds.WithLabelValues(verb).Observe(took.Seconds())
}

// Led says whether this console schedules.
func (c *CloudMetrics) Led(leads bool) {
	c.leads.Set(map[bool]float64{true: 1}[leads])
	if leads {
		c.terms.Inc()
	}
}

// Recorded counts rows of the history.
func (c *CloudMetrics) Recorded(rows int) { c.rows.Add(float64(rows)) }

var (
	cloudReadDesc    = prometheus.NewDesc("elasticjob_cloud_readable", "Whether store and engine of ElasticJob-Cloud can be read.", nil, nil)
	cloudRunsDesc    = prometheus.NewDesc("elasticjob_cloud_runs", "Runs that the engine has, by state.", []string{"state"}, nil)
	cloudPendingDesc = prometheus.NewDesc("elasticjob_cloud_pending", "Fire times and requests that wait for a run.", nil, nil)
	cloudJobsDesc    = prometheus.NewDesc("elasticjob_cloud_jobs", "Jobs that can fire, and those that cannot as they are.", []string{"accepted"}, nil)
)

// cloudConditions are what scheduler and engine have, as far as it was reported.
func (x conditions) cloudConditions(gauge func(d *prometheus.Desc, value float64, labels ...string)) {
	at := x.s.opts.Cloud
	if at == nil {
		return
	}
	truth := map[bool]float64{true: 1}
	gauge(cloudReadDesc, truth[at.Seen.Synced()])
	runs := make(map[cloud.RunState]int)
	for _, r := range at.Seen.Runs("") {
		runs[r.State]++
	}
	for _, state := range []cloud.RunState{cloud.RunWaiting, cloud.RunRunning, cloud.RunSuspended, cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled} {
		gauge(cloudRunsDesc, float64(runs[state]), string(state))
	}
	pending, refused := 0, 0
	jobs := at.Seen.Jobs()
	for _, d := range jobs {
		pending += len(d.Status.Pending) + len(d.Status.Requests)
		if c, said := d.Status.Condition(cloud.ConditionAccepted); said && !c.OK {
			refused++
		}
	}
	gauge(cloudPendingDesc, float64(pending))
	gauge(cloudJobsDesc, float64(len(jobs)-refused), "true")
	gauge(cloudJobsDesc, float64(refused), "false")
}
