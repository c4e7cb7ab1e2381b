// Package agentmetrics counts an agent's actions. The agent of the command elasticjob answers with
// them directly, and package coreagentprom registers them with Prometheus' library.
package agentmetrics

import (
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/metrics"
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

// Metrics is a [coreagent.Observer] that counts.
type Metrics struct {
	maxJobs int
	set     metrics.Set

	mu         sync.Mutex
	labels     map[string]string // of served jobs
	named      int               // how many of them have their own series
	unassigned map[string]int    // the last report by job
	refusals   map[string]int    // the same

	fires       *metrics.Family
	runs        *metrics.Family
	items       *metrics.Family
	running     *metrics.Family
	runSeconds  *metrics.Family
	lateSeconds *metrics.Family
	lastSuccess *metrics.Family
	ownerless   *metrics.Family
	refused     *metrics.Family
	reshards    *metrics.Family
	requests    *metrics.Family
	waits       *metrics.Series
	session     *metrics.Family
	losses      *metrics.Series
	requested
}

// New returns the metrics, each with 0.
func New(opts Options) *Metrics {
	if opts.MaxJobs <= 0 {
		opts.MaxJobs = DefaultMaxJobs
	}
	m := &Metrics{maxJobs: opts.MaxJobs, labels: make(map[string]string), unassigned: make(map[string]int), refusals: make(map[string]int)}
	all := maker{&m.set}
	m.fires = all.counter("elasticjob_agent_fires_total", "Fire times of the job's schedule that came while it was not disabled on this server.", "job_name")
	m.runs = all.counter("elasticjob_agent_runs_total", "Runs of this instance's shards that have ended.", "job_name", "result")
	m.items = all.counter("elasticjob_agent_item_runs_total", "Shards that these runs had.", "job_name", "result")
	m.running = all.gauge("elasticjob_agent_runs_in_progress", "Runs under way on this instance.", "job_name")
	m.runSeconds = all.histogram("elasticjob_agent_run_seconds", "Time from the start of a run to the end of its last shard.", runBuckets, "job_name")
	m.lateSeconds = all.histogram("elasticjob_agent_run_late_seconds", "Time from the fire time to the start of the shards, of runs that the schedule made.", lateBuckets, "job_name")
	m.lastSuccess = all.gauge("elasticjob_agent_last_success_timestamp_seconds", "When the last run without a failure ended on this instance.", "job_name")
	m.ownerless = all.gauge("elasticjob_agent_items_unassigned", "Shards whose owner is missing, has left or is disabled, as the job's leader sees it.", "job_name")
	m.refused = all.gauge("elasticjob_agent_job_refused", "1 for a job that was added to the agent and that it doesn't serve; the log has the reason.", "job_name")
	m.reshards = all.histogram("elasticjob_agent_reshard_seconds", "Time that assigning the shards of a job took, on its leader.", reshardBuckets, "result")
	m.requests = all.counter("elasticjob_agent_registry_requests_total", "Requests to ZooKeeper; unanswered ones broke with the connection or took too long.", "operation", "result")
	m.session = all.gauge("elasticjob_agent_session_state", "1 for the state that the session with ZooKeeper is in, 0 for the others.", "state")
	m.waits = all.histogram("elasticjob_agent_registry_request_seconds", "Time from a request to ZooKeeper to its answer.", requestBuckets).With()
	m.losses = all.counter("elasticjob_agent_session_losses_total", "Sessions with ZooKeeper that were lost; each cancels what runs.").With()
	m.requested.init(all)
	if stats := opts.Recorder; stats != nil {
		m.set.AddFunc(metrics.Gauge, "elasticjob_agent_trace_queue_events", "Trace events that wait in memory.", func() float64 { return float64(stats().Queued) })
		m.set.AddFunc(metrics.Counter, "elasticjob_agent_trace_written_total", "Trace events that were written, to the database or to the spool.", func() float64 { return float64(stats().Written) })
		m.set.AddFunc(metrics.Counter, "elasticjob_agent_trace_dropped_total", "Trace events that were lost because the queue was full.", func() float64 { return float64(stats().Dropped) })
		m.set.AddFunc(metrics.Counter, "elasticjob_agent_trace_refused_total", "Trace events that the database refused.", func() float64 { return float64(stats().Failed) })
	}
	if stats := opts.Spool; stats != nil {
		m.set.AddFunc(metrics.Gauge, "elasticjob_agent_trace_spool_bytes", "Size of the trace events that wait in files.", func() float64 { return float64(stats().Bytes) })
		m.set.AddFunc(metrics.Counter, "elasticjob_agent_trace_spooled_total", "Trace events that went to files because the database was away.", func() float64 { return float64(stats().Spooled) })
		m.set.AddFunc(metrics.Counter, "elasticjob_agent_trace_spool_damaged_total", "Lines of the spool's files that could not be read; their events are lost.", func() float64 { return float64(stats().Damaged) })
		m.set.AddFunc(metrics.Counter, "elasticjob_agent_trace_spool_lost_total", "Trace events of spool files that were removed from outside.", func() float64 { return float64(stats().Lost) })
	}
	// All series exist from the start, with zero, because a rate needs two values.
	for _, op := range operations {
		m.requests.With(op, "answered")
		m.requests.With(op, "unanswered")
	}
	for _, result := range []string{"success", "failure"} {
		m.reshards.With(result)
	}
	for _, s := range states {
		m.session.With(string(s))
	}
	return m
}

// Set returns the metrics for Prometheus.
func (m *Metrics) Set() *metrics.Set { return &m.set }

// maker adds metrics to a set.
type maker struct{ set *metrics.Set }

func (a maker) counter(name, help string, labels ...string) *metrics.Family {
	return a.set.Add(metrics.Counter, name, help, nil, labels...)
}

func (a maker) gauge(name, help string, labels ...string) *metrics.Family {
	return a.set.Add(metrics.Gauge, name, help, nil, labels...)
}

func (a maker) histogram(name, help string, buckets []float64, labels ...string) *metrics.Family {
	return a.set.Add(metrics.Histogram, name, help, buckets, labels...)
}

// Observe implements [coreagent.Observer].
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
			m.fires.With(label).Inc()
		}
	case coreagent.RunStarted:
		if label, ok := m.label(o.Job); ok {
			m.running.With(label).Inc()
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
			m.suppressed.With(label).Inc()
		}
	case coreagent.ItemsUnassigned:
		m.report(m.ownerless, m.unassigned, o.Job, o.Items)
	case coreagent.Resharded:
		result := "success"
		if o.Err != nil {
			result = "failure"
		}
		m.reshards.With(result).Observe(o.Took.Seconds())
	case coreagent.Requested:
		result := "answered"
		if o.Unanswered {
			result = "unanswered"
		}
		m.requests.With(o.Operation, result).Inc()
		m.waits.Observe(o.Took.Seconds())
	case coreagent.SessionChanged:
		for _, s := range states {
			value := 0.0
			if s == o.State {
				value = 1
			}
			m.session.With(string(s)).Set(value)
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
		m.set.Delete("job_name", label)
		return
	}
	label = OtherJobs
	if m.named < m.maxJobs {
		m.named++
		label = o.Job
	}
	m.labels[o.Job] = label
	m.fires.With(label)
	m.refused.With(label)
	for _, r := range results {
		m.runs.With(label, string(r))
	}
	m.items.With(label, string(coreagent.RunSucceeded))
	m.items.With(label, string(coreagent.RunFailed))
	m.running.With(label)
	m.runSeconds.With(label)
	m.lateSeconds.With(label)
	m.ownerless.With(label)
	m.suppressed.With(label)
}

func (m *Metrics) ended(o coreagent.RunEnded) {
	label, ok := m.label(o.Job)
	if !ok {
		return
	}
	m.running.With(label).Add(-1)
	m.runs.With(label, string(o.Result)).Inc()
	m.items.With(label, string(coreagent.RunSucceeded)).Add(float64(max(o.Items-o.Failed, 0)))
	m.items.With(label, string(coreagent.RunFailed)).Add(float64(o.Failed))
	m.runSeconds.With(label).Observe(o.Took.Seconds())
	if o.Scheduled {
		m.lateSeconds.With(label).Observe(max(o.Late.Seconds(), 0))
	}
	if o.Result == coreagent.RunSucceeded {
		m.lastSuccess.With(label).Set(float64(o.At.UnixMilli()) / 1000)
	}
}

// report sets a gauge of a job. reported has the last values by job. Jobs that share a series are summed.
func (m *Metrics) report(gauge *metrics.Family, reported map[string]int, job string, n int) {
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
	gauge.With(label).Add(float64(n - before))
}

// requested counts requested runs. A job without any has no series for them.
type requested struct {
	runs       *metrics.Family
	beginWaits *metrics.Family
	took       *metrics.Family
	lost       *metrics.Family
	waiting    *metrics.Family
	oldest     *metrics.Family
	suppressed *metrics.Family

	waitMu sync.Mutex
	waits  map[string]coreagent.RunsWaiting // the last report by job
	olds   map[string]map[string]time.Time  // when the oldest was due, by label and job
}

func (r *requested) init(all maker) {
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
		r.lost.With(label).Inc()
		return
	}
	r.runs.With(label, string(o.State)).Inc()
	if o.State == coreagent.StateRunning && o.Attempt == 1 {
		r.beginWaits.With(label).Observe(o.Waited.Seconds())
	}
	if o.Took > 0 {
		r.took.With(label).Observe(o.Took.Seconds())
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
	r.waiting.With(label, "scheduled").Add(float64(o.Scheduled - before.Scheduled))
	r.waiting.With(label, "queued").Add(float64(o.Queued - before.Queued))
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
	r.oldest.With(label).Set(value)
}
