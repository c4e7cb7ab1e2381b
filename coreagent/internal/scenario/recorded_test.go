package scenario_test

import (
	"bytes"
	"sync"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// trace collects events.
type trace struct {
	mu         sync.Mutex
	executions []tracing.Execution
	statuses   []tracing.Status
	requested  *runLog // of the whole fleet
}

func (r *trace) RecordRun(run tracing.RunRecord)   { r.requested.keep(run) }
func (r *trace) RecordRunStep(s tracing.RunStep)   { r.requested.keepStep(s) }
func (r *trace) RecordLogLine(l tracing.LogLine)   { r.requested.keepLine(l) }
func (r *trace) RecordProgress(p tracing.Progress) { r.requested.keepProgress(p) }

func (r *trace) RecordExecution(e tracing.Execution) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.executions = append(r.executions, e)
}

func (r *trace) RecordStatus(s tracing.Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.statuses = append(r.statuses, s)
}

// states lists a job's states and messages in the order of their arrival.
func (r *trace) states(job string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []string
	for _, s := range r.statuses {
		if s.JobName == job {
			list = append(list, string(s.State)+" "+s.Message)
		}
	}
	return list
}

func (r *trace) executed(job string) []tracing.Execution {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []tracing.Execution
	for _, e := range r.executions {
		if e.JobName == job {
			list = append(list, e)
		}
	}
	return list
}

type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *logBuffer) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.buf.Bytes(), []byte(text))
}
