package coreagentprom

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// requested counts requested runs. A job without any has no series for them.
type requested struct {
	runs       *prometheus.CounterVec
	beginWaits *prometheus.HistogramVec
	took       *prometheus.HistogramVec
	lost       *prometheus.CounterVec
	waiting    *prometheus.GaugeVec
	oldest     *prometheus.GaugeVec
	suppressed *prometheus.CounterVec

	waitMu sync.Mutex
	waits  map[string]coreagent.RunsWaiting // the last report by job
	olds   map[string]map[string]time.Time  // when the oldest was due, by label and job
}

func (r *requested) init(
	counter func(name, help string, labels ...string) *prometheus.CounterVec,
	gauge func(name, help string, labels ...string) *prometheus.GaugeVec,
	histogram func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec,
) []prometheus.Collector {
	r.waits, r.olds = make(map[string]coreagent.RunsWaiting), make(map[string]map[string]time.Time)
	r.runs = counter("elasticjob_agent_requested_runs_total", "Requested runs that came into a state, counted by the agent that moved them.", "job_name", "state")
	r.beginWaits = histogram("elasticjob_agent_requested_run_wait_seconds", "Time from when a requested run was due until it began.", lateBuckets, "job_name")
	r.took = histogram("elasticjob_agent_requested_run_seconds", "Time from the beginning of a requested run to its end, with the pauses between its attempts.", runBuckets, "job_name")
	r.lost = counter("elasticjob_agent_requested_runs_lost_total", "Times that an instance left during a requested run.", "job_name")
	r.waiting = gauge("elasticjob_agent_requested_runs_waiting", "Requested runs that wait, on the one agent that looks after the queue.", "job_name", "state")
	r.oldest = gauge("elasticjob_agent_requested_run_oldest_timestamp_seconds", "When the first requested run was due that waits though its time has come; 0 without one.", "job_name")
	r.suppressed = counter("elasticjob_agent_fires_suppressed_total", "Fire times that were skipped because the job is held.", "job_name")
	return []prometheus.Collector{r.runs, r.beginWaits, r.took, r.lost, r.waiting, r.oldest, r.suppressed}
}

func (r *requested) moved(label string, o coreagent.RunMoved) {
	if o.State == coreagent.StateLost {
		r.lost.WithLabelValues(label).Inc()
		return
	}
	r.runs.WithLabelValues(label, string(o.State)).Inc()
	if o.State == coreagent.StateRunning && o.Attempt == 1 {
		r.beginWaits.WithLabelValues(label).Observe(o.Waited.Seconds())
	}
	if o.Took > 0 {
		r.took.WithLabelValues(label).Observe(o.Took.Seconds())
	}
}

// wait updates the number of waiting runs of a job. Jobs that share a series are summed.
func (r *requested) wait(label string, o coreagent.RunsWaiting) {
	r.waitMu.Lock()
	defer r.waitMu.Unlock()
	before := r.waits[o.Job]
	if before == (coreagent.RunsWaiting{}) && o == (coreagent.RunsWaiting{Job: o.Job}) {
		return // No run ever waited.
	}
	if r.waits[o.Job] = o; o == (coreagent.RunsWaiting{Job: o.Job}) {
		delete(r.waits, o.Job)
	}
	r.waiting.WithLabelValues(label, "scheduled").Add(float64(o.Scheduled - before.Scheduled))
	r.waiting.WithLabelValues(label, "queued").Add(float64(o.Queued - before.Queued))
	if r.olds[label] == nil {
		r.olds[label] = make(map[string]time.Time)
	}
	if r.olds[label][o.Job] = o.Oldest; o.Oldest.IsZero() {
		delete(r.olds[label], o.Job)
	}
	var first time.Time
	for _, at := range r.olds[label] {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	value := 0.0
	if !first.IsZero() {
		value = float64(first.UnixMilli()) / 1000
	}
	r.oldest.WithLabelValues(label).Set(value)
}
