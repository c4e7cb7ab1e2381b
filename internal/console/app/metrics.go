package app

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
)

// Every metric of the console stands in this file and in metrics_cloud.go;
// testdata/metrics.txt holds the names to it. No label has a job, an account or an address in it: a console
// has as many series as routes, whatever its registry holds.

// Metrics counts what a console does, in a registry of Prometheus.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	asked    *prometheus.CounterVec
	lost     prometheus.Counter
}

// NewMetrics registers the metrics. Give them to [Options] of one console.
func NewMetrics(registry *prometheus.Registry) *Metrics {
	m := &Metrics{
		registry: registry,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "elasticjob_console_http_requests_total", Help: "Requests answered, by route; none is no route of the console.",
		}, []string{"method", "route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "elasticjob_console_http_request_seconds", Help: "Time from a request to its answer.",
			Buckets: []float64{.001, .005, .02, .1, .5, 1, 4, 10},
		}, []string{"route"}),
		asked: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "elasticjob_console_registry_requests_total", Help: "Requests to ZooKeeper; unanswered ones broke with the connection or took too long.",
		}, []string{"operation", "result"}),
		lost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "elasticjob_console_audit_failures_total", Help: "Attempts to write an audit record that failed; what they were about is in the log.",
		}),
	}
	for _, op := range []string{"get", "exists", "children", "create", "set", "delete", "multi", "sync"} {
		m.asked.WithLabelValues(op, "answered")
		m.asked.WithLabelValues(op, "unanswered")
	}
	registry.MustRegister(m.requests, m.seconds, m.asked, m.lost)
	return m
}

// Requested counts a request to ZooKeeper by its operation.
func (m *Metrics) Requested(op string, answered bool) {
	result := "unanswered"
	if answered {
		result = "answered"
	}
	m.asked.WithLabelValues(op, result).Inc()
}

func (m *Metrics) auditFailed() { m.lost.Inc() }

// Handler shows the metrics to whoever asks.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ErrorHandling: promhttp.ContinueOnError,
		MaxRequestsInFlight: 4, Timeout: 10 * time.Second,
	})
}

// answered counts a request. Methods that nobody has heard of share a label.
func (m *Metrics) answered(c *gin.Context, took time.Duration) {
	route, method := c.FullPath(), c.Request.Method
	if route == "" {
		route = "none"
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete:
	default:
		method = "other"
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(c.Writer.Status())).Inc()
	if route != EventsRoute && !c.GetBool(streamedKey) { // a stream lasts as long as its page
		m.seconds.WithLabelValues(route).Observe(took.Seconds())
	}
}

// conditions shows how the things are that the console depends on, when it is
// asked. It asks ZooKeeper nothing, and the databases what the readiness probe
// asks them.
type conditions struct{ s *Console }

var (
	registryDesc = prometheus.NewDesc("elasticjob_console_registry_state", "1 for the state that the session with ZooKeeper is in, 0 for the others.", []string{"state"}, nil)
	databaseDesc = prometheus.NewDesc("elasticjob_console_database_up", "Whether the trace database answers.", nil, nil)
	settingsDesc = prometheus.NewDesc("elasticjob_console_settings_up", "Whether the console's own database answers.", nil, nil)
	ageDesc      = prometheus.NewDesc("elasticjob_console_snapshot_age_seconds", "Time since everything kept of the registry was last read or compared; infinite until it has been, and after a broken connection.", nil, nil)
	repairsDesc  = prometheus.NewDesc("elasticjob_console_snapshot_repairs_total", "Nodes that a comparison found changed although no event had come.", nil, nil)
	jobsDesc     = prometheus.NewDesc("elasticjob_console_jobs", "Jobs by status, as far as they are in memory; READING are those that are not.", []string{"status"}, nil)
)

// Describe implements [prometheus.Collector].
func (x conditions) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{registryDesc, databaseDesc, settingsDesc, ageDesc, repairsDesc, jobsDesc, cloudReadDesc, cloudRunsDesc, cloudPendingDesc, cloudJobsDesc} {
		descs <- d
	}
}

// Collect implements [prometheus.Collector].
func (x conditions) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	truth := map[bool]float64{true: 1}
	state := x.s.opts.Health.Registry().State
	for _, one := range []RegistryState{RegistryConnected, RegistrySuspended, RegistryLost} {
		gauge(registryDesc, truth[state == one], string(one))
	}
	x.cloudConditions(gauge)
	ready := x.s.checkReady(context.Background())
	gauge(databaseDesc, truth[ready.Checks["database"].Status == "ok"])
	if own, ok := ready.Checks["settings"]; ok {
		gauge(settingsDesc, truth[own.Status == "ok"])
	}
	if x.s.opts.Known == nil {
		return
	}
	known := x.s.opts.Known()
	age := math.Inf(1)
	if !known.Since.IsZero() && state == RegistryConnected {
		age = x.s.opts.Clock().Sub(known.Since).Seconds()
	}
	gauge(ageDesc, age)
	out <- prometheus.MustNewConstMetric(repairsDesc, prometheus.CounterValue, float64(known.Repaired))
	for _, status := range query.JobStatuses {
		gauge(jobsDesc, float64(known.Jobs[status]), string(status))
	}
}

// countConditions has the metrics show them.
func (s *Console) countConditions() error {
	if s.opts.Metrics == nil {
		s.opts.Metrics = NewMetrics(prometheus.NewRegistry())
	}
	return s.opts.Metrics.registry.Register(conditions{s})
}
