package coreagentprom

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// DefaultMaxJobs is the default number of jobs with their own series. A job has about 45.
const DefaultMaxJobs = 500

// OtherJobs is the value of label job_name for all jobs beyond the limit together. No job can have
// this name, because it has a slash.
const OtherJobs = "other/jobs"

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

// The buckets of the histograms, in seconds.
var (
	runBuckets     = []float64{.01, .05, .1, .5, 1, 5, 15, 60, 300, 1800, 7200}
	lateBuckets    = []float64{.005, .025, .1, .5, 1, 2.5, 5, 15, 60, 300}
	reshardBuckets = []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 15, 60}
	requestBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
)

var (
	operations = []string{"get", "exists", "children", "create", "set", "delete", "multi", "sync"}
	results    = []coreagent.RunResult{coreagent.RunSucceeded, coreagent.RunFailed, coreagent.RunCancelled}
	states     = []coreagent.SessionState{coreagent.SessionConnected, coreagent.SessionSuspended, coreagent.SessionLost, coreagent.SessionClosed}
)

// Metrics is a [coreagent.Observer] with counts for a registerer.
type Metrics struct {
	maxJobs int
	all     collectors

	mu         sync.Mutex
	labels     map[string]string // of served jobs
	named      int               // how many of them have their own series
	unassigned map[string]int    // the last report by job
	refusals   map[string]int    // the same

	fires       *prometheus.CounterVec
	runs        *prometheus.CounterVec
	items       *prometheus.CounterVec
	running     *prometheus.GaugeVec
	runSeconds  *prometheus.HistogramVec
	lateSeconds *prometheus.HistogramVec
	lastSuccess *prometheus.GaugeVec
	ownerless   *prometheus.GaugeVec
	refused     *prometheus.GaugeVec
	reshards    *prometheus.HistogramVec
	requests    *prometheus.CounterVec
	waits       prometheus.Histogram
	session     *prometheus.GaugeVec
	losses      prometheus.Counter
	requested
}

// New registers the metrics. The error names a name that is already taken.
func New(reg prometheus.Registerer, opts Options) (*Metrics, error) {
	if reg == nil {
		return nil, errors.New("coreagentprom: the registerer is nil")
	}
	if opts.MaxJobs <= 0 {
		opts.MaxJobs = DefaultMaxJobs
	}
	var all collectors
	m := &Metrics{
		maxJobs: opts.MaxJobs, labels: make(map[string]string), unassigned: make(map[string]int), refusals: make(map[string]int),

		fires:       all.counter("elasticjob_agent_fires_total", "Fire times of the job's schedule that came while it was not disabled on this server.", "job_name"),
		runs:        all.counter("elasticjob_agent_runs_total", "Runs of this instance's shards that have ended.", "job_name", "result"),
		items:       all.counter("elasticjob_agent_item_runs_total", "Shards that these runs had.", "job_name", "result"),
		running:     all.gauge("elasticjob_agent_runs_in_progress", "Runs under way on this instance.", "job_name"),
		runSeconds:  all.histogram("elasticjob_agent_run_seconds", "Time from the start of a run to the end of its last shard.", runBuckets, "job_name"),
		lateSeconds: all.histogram("elasticjob_agent_run_late_seconds", "Time from the fire time to the start of the shards, of runs that the schedule made.", lateBuckets, "job_name"),
		lastSuccess: all.gauge("elasticjob_agent_last_success_timestamp_seconds", "When the last run without a failure ended on this instance.", "job_name"),
		ownerless:   all.gauge("elasticjob_agent_items_unassigned", "Shards whose owner is missing, has left or is disabled, as the job's leader sees it.", "job_name"),
		refused:     all.gauge("elasticjob_agent_job_refused", "1 for a job that was added to the agent and that it doesn't serve; the log has the reason.", "job_name"),
		reshards:    all.histogram("elasticjob_agent_reshard_seconds", "Time that assigning the shards of a job took, on its leader.", reshardBuckets, "result"),
		requests:    all.counter("elasticjob_agent_registry_requests_total", "Requests to ZooKeeper; unanswered ones broke with the connection or took too long.", "operation", "result"),
		session:     all.gauge("elasticjob_agent_session_state", "1 for the state that the session with ZooKeeper is in, 0 for the others.", "state"),
		waits: add(&all, prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "elasticjob_agent_registry_request_seconds", Help: "Time from a request to ZooKeeper to its answer.", Buckets: requestBuckets,
		})),
		losses: add(&all, prometheus.NewCounter(prometheus.CounterOpts{
			Name: "elasticjob_agent_session_losses_total", Help: "Sessions with ZooKeeper that were lost; each cancels what runs.",
		})),
	}
	m.requested.init(&all)
	if stats := opts.Recorder; stats != nil {
		all.gaugeFunc("elasticjob_agent_trace_queue_events", "Trace events that wait in memory.", func() float64 { return float64(stats().Queued) })
		all.counterFunc("elasticjob_agent_trace_written_total", "Trace events that were written, to the database or to the spool.", func() float64 { return float64(stats().Written) })
		all.counterFunc("elasticjob_agent_trace_dropped_total", "Trace events that were lost because the queue was full.", func() float64 { return float64(stats().Dropped) })
		all.counterFunc("elasticjob_agent_trace_refused_total", "Trace events that the database refused.", func() float64 { return float64(stats().Failed) })
	}
	if stats := opts.Spool; stats != nil {
		all.gaugeFunc("elasticjob_agent_trace_spool_bytes", "Size of the trace events that wait in files.", func() float64 { return float64(stats().Bytes) })
		all.counterFunc("elasticjob_agent_trace_spooled_total", "Trace events that went to files because the database was away.", func() float64 { return float64(stats().Spooled) })
		all.counterFunc("elasticjob_agent_trace_spool_damaged_total", "Lines of the spool's files that could not be read; their events are lost.", func() float64 { return float64(stats().Damaged) })
		all.counterFunc("elasticjob_agent_trace_spool_lost_total", "Trace events of spool files that were removed from outside.", func() float64 { return float64(stats().Lost) })
	}
	if err := all.register(reg); err != nil {
		return nil, err
	}
	m.all = all
	// All series exist from the start, with zero, because a rate needs two values.
	for _, op := range operations {
		m.requests.WithLabelValues(op, "answered")
		m.requests.WithLabelValues(op, "unanswered")
	}
	for _, result := range []string{"success", "failure"} {
		m.reshards.WithLabelValues(result)
	}
	for _, s := range states {
		m.session.WithLabelValues(string(s))
	}
	return m, nil
}

// collectors makes metrics, and has all that it has made.
type collectors []prometheus.Collector

func (all *collectors) counter(name, help string, labels ...string) *prometheus.CounterVec {
	return add(all, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels))
}

func (all *collectors) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return add(all, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels))
}

func (all *collectors) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return add(all, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels))
}

func (all *collectors) gaugeFunc(name, help string, value func() float64) {
	add(all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

func (all *collectors) counterFunc(name, help string, value func() float64) {
	add(all, prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

func add[C prometheus.Collector](all *collectors, c C) C {
	*all = append(*all, c)
	return c
}

// forget deletes the series of a job.
func (all collectors) forget(label string) {
	for _, c := range all {
		if vec, ok := c.(interface {
			DeletePartialMatch(prometheus.Labels) int
		}); ok {
			vec.DeletePartialMatch(prometheus.Labels{"job_name": label})
		}
	}
}

// register registers all or, if one is refused, none.
func (all collectors) register(reg prometheus.Registerer) error {
	for i, c := range all {
		if err := reg.Register(c); err != nil {
			for _, registered := range all[:i] {
				reg.Unregister(registered)
			}
			return fmt.Errorf("coreagentprom: %w", err)
		}
	}
	return nil
}

func (m *Metrics) Observe(what coreagent.Observation) {
	switch o := what.(type) {
	case coreagent.JobServed:
		m.served(o)
	case coreagent.JobRefused:
		if o.Err != nil {
			m.report(m.refused, m.refusals, o.Job, 1)
		} else {
			m.report(m.refused, m.refusals, o.Job, 0)
		}
	case coreagent.Fired:
		if label, ok := m.label(o.Job); ok {
			m.fires.WithLabelValues(label).Inc()
		}
	case coreagent.RunStarted:
		if label, ok := m.label(o.Job); ok {
			m.running.WithLabelValues(label).Inc()
		}
	case coreagent.RunEnded:
		m.ended(o)
	case coreagent.RunMoved:
		if label, ok := m.label(o.Job); ok {
			m.moved(label, o)
		}
	case coreagent.RunsWaiting:
		if label, ok := m.label(o.Job); ok {
			m.wait(label, o)
		}
	case coreagent.FireSuppressed:
		if label, ok := m.label(o.Job); ok {
			m.suppressed.WithLabelValues(label).Inc()
		}
	case coreagent.ItemsUnassigned:
		m.report(m.ownerless, m.unassigned, o.Job, o.Items)
	case coreagent.Resharded:
		result := "success"
		if o.Err != nil {
			result = "failure"
		}
		m.reshards.WithLabelValues(result).Observe(o.Took.Seconds())
	case coreagent.Requested:
		result := "answered"
		if o.Unanswered {
			result = "unanswered"
		}
		m.requests.WithLabelValues(o.Operation, result).Inc()
		m.waits.Observe(o.Took.Seconds())
	case coreagent.SessionChanged:
		for _, s := range states {
			value := 0.0
			if s == o.State {
				value = 1
			}
			m.session.WithLabelValues(string(s)).Set(value)
		}
		if o.State == coreagent.SessionLost {
			m.losses.Inc()
		}
	}
}

// label returns the job's name, or [OtherJobs] for a job beyond the limit. A run that ends after
// its job has left, because its handler ignored its context, no longer counts.
func (m *Metrics) label(job string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	label, ok := m.labels[job]
	return label, ok
}

func (m *Metrics) served(o coreagent.JobServed) {
	label, known := m.label(o.Job)
	if known == !o.Ended {
		return
	}
	if o.Ended {
		m.report(m.ownerless, m.unassigned, o.Job, 0)
		m.report(m.refused, m.refusals, o.Job, 0)
		m.wait(label, coreagent.RunsWaiting{Job: o.Job})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if o.Ended {
		delete(m.labels, o.Job)
		if label == OtherJobs {
			return
		}
		m.named--
		m.all.forget(label)
		return
	}
	label = OtherJobs
	if m.named < m.maxJobs {
		m.named++
		label = o.Job
	}
	m.labels[o.Job] = label
	m.fires.WithLabelValues(label)
	m.refused.WithLabelValues(label)
	for _, r := range results {
		m.runs.WithLabelValues(label, string(r))
	}
	m.items.WithLabelValues(label, string(coreagent.RunSucceeded))
	m.items.WithLabelValues(label, string(coreagent.RunFailed))
	m.running.WithLabelValues(label)
	m.runSeconds.WithLabelValues(label)
	m.lateSeconds.WithLabelValues(label)
	m.ownerless.WithLabelValues(label)
	m.suppressed.WithLabelValues(label)
}

func (m *Metrics) ended(o coreagent.RunEnded) {
	label, ok := m.label(o.Job)
	if !ok {
		return
	}
	m.running.WithLabelValues(label).Dec()
	m.runs.WithLabelValues(label, string(o.Result)).Inc()
	m.items.WithLabelValues(label, string(coreagent.RunSucceeded)).Add(float64(max(o.Items-o.Failed, 0)))
	m.items.WithLabelValues(label, string(coreagent.RunFailed)).Add(float64(o.Failed))
	m.runSeconds.WithLabelValues(label).Observe(o.Took.Seconds())
	if o.Scheduled {
		m.lateSeconds.WithLabelValues(label).Observe(max(o.Late.Seconds(), 0))
	}
	if o.Result == coreagent.RunSucceeded {
		m.lastSuccess.WithLabelValues(label).Set(float64(o.At.UnixMilli()) / 1000)
	}
}

// report sets a gauge of a job. reported has the last values by job. Jobs that share a series are summed.
func (m *Metrics) report(gauge *prometheus.GaugeVec, reported map[string]int, job string, n int) {
	label, ok := m.label(job)
	if !ok {
		return
	}
	m.mu.Lock()
	before := reported[job]
	reported[job] = n
	if n == 0 {
		delete(reported, job)
	}
	m.mu.Unlock()
	gauge.WithLabelValues(label).Add(float64(n - before))
}

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

func (r *requested) init(all *collectors) {
	r.waits, r.olds = make(map[string]coreagent.RunsWaiting), make(map[string]map[string]time.Time)
	r.runs = all.counter("elasticjob_agent_requested_runs_total", "Requested runs that came into a state, counted by the agent that moved them.", "job_name", "state")
	r.beginWaits = all.histogram("elasticjob_agent_requested_run_wait_seconds", "Time from when a requested run was due until it began.", lateBuckets, "job_name")
	r.took = all.histogram("elasticjob_agent_requested_run_seconds", "Time from the beginning of a requested run to its end, with the pauses between its attempts.", runBuckets, "job_name")
	r.lost = all.counter("elasticjob_agent_requested_runs_lost_total", "Times that an instance left during a requested run.", "job_name")
	r.waiting = all.gauge("elasticjob_agent_requested_runs_waiting", "Requested runs that wait, on the one agent that looks after the queue.", "job_name", "state")
	r.oldest = all.gauge("elasticjob_agent_requested_run_oldest_timestamp_seconds", "When the first requested run was due that waits though its time has come; 0 without one.", "job_name")
	r.suppressed = all.counter("elasticjob_agent_fires_suppressed_total", "Fire times that were skipped because the job is held.", "job_name")
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
