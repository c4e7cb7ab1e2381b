package main

import (
	"net/http"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// health says whether the process lives and whether it serves its jobs. The
// agent tells it of its session.
type health struct {
	registered atomic.Bool // the jobs are, with ZooKeeper
	connected  atomic.Bool
	stopping   atomic.Bool
}

// Observe notes how the session with ZooKeeper is.
func (h *health) Observe(o coreagent.Observation) {
	if session, ok := o.(coreagent.SessionChanged); ok {
		h.connected.Store(session.State == coreagent.SessionConnected)
	}
}

// live answers as long as the process does: a restart would not bring ZooKeeper
// or the database back.
func (h *health) live(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") }

// ready says why jobs are not served here now. The trace database is no reason:
// events wait while it is away, and jobs run.
func (h *health) ready(w http.ResponseWriter, _ *http.Request) {
	switch {
	case h.stopping.Load():
		answer(w, http.StatusServiceUnavailable, "stopping")
	case !h.registered.Load():
		answer(w, http.StatusServiceUnavailable, "the jobs are not registered yet")
	case !h.connected.Load():
		answer(w, http.StatusServiceUnavailable, "no session with ZooKeeper")
	default:
		answer(w, http.StatusOK, "ok")
	}
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // The client may have left.
}

// observers passes on to several what an agent tells one.
type observers []coreagent.Observer

// Observe tells all of them.
func (all observers) Observe(o coreagent.Observation) {
	for _, each := range all {
		each.Observe(o)
	}
}
