package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// onMachine adds the evidence of a machine to the handmade history.
func onMachine() *judge.History {
	h := goodHistory()
	m := new(judge.Machine)
	for _, r := range h.Runs {
		id := fmt.Sprint(r.Item, r.Start.Unix())
		m.Recorded = append(m.Recorded, judge.Recorded{ID: id, Process: r.Process, At: r.Start}, judge.Recorded{ID: id, Process: r.Process, At: r.End, Complete: true, Success: true})
		m.Rows = append(m.Rows, judge.Row{ID: id, Job: r.Job, Item: r.Item, Complete: true, Success: true})
	}
	for second := 0.0; second < handEnd; second += 2 {
		m.Samples = append(m.Samples, judge.Sample{Process: "a", At: at(second), Resident: 50 << 20, Descriptors: 20, Goroutines: 100, Heap: 10 << 20})
	}
	m.Answers = []judge.Answer{{Span: judge.Span{From: at(196), To: at(196.1)}, Request: judge.ListRequest, Status: 200, Body: `[{"jobName":"job","instanceCount":2,"shardingTotalCount":2}]`}}
	h.Machine = m
	return h
}

// answered adds console answers with a status, a second apart.
func answered(h *judge.History, status ...int) {
	m := h.Machine
	for n, s := range status {
		from := at(50 + float64(n))
		m.Answers = append([]judge.Answer{{Span: judge.Span{From: from, To: from.Add(time.Second / 10)}, Request: "GET /api/servers", Status: s}}, m.Answers...)
	}
}

// growing makes a resource grow by an amount from sample to sample.
func growing(by float64, resource func(s *judge.Sample) *float64) func(h *judge.History) {
	return func(h *judge.History) {
		for i := range h.Machine.Samples {
			*resource(&h.Machine.Samples[i]) += by * float64(i)
		}
	}
}

// machines are histories on a machine, with the broken rule and the text of the violation.
var machines = map[string]struct {
	rule, text string
	make       func(h *judge.History)
}{
	"as it is":                {"", "", func(*judge.History) {}},
	"a row is missing":        {"row", "has no row", func(h *judge.History) { h.Machine.Rows = h.Machine.Rows[1:] }},
	"a row that does not end": {"row", "goes on", func(h *judge.History) { h.Machine.Rows[3].Complete = false }},
	"a row with a failure":    {"row", "has success", func(h *judge.History) { h.Machine.Rows[3].Success = false }},
	"a row of no execution": {"row", "of no execution", func(h *judge.History) {
		h.Machine.Rows = append(h.Machine.Rows, judge.Row{ID: "x", Job: "job"})
	}},
	"an execution that was not recorded": {"row", "did not record", func(h *judge.History) {
		h.Jobs["job"].Triggers = []time.Time{at(33)}
		ran(h, 0, "a", tracing.SourceNormal, 33, 33, 34)
	}},
	"a killed process takes its last row with it": {"", "", func(h *judge.History) {
		h.Machine.Rows, h.Machine.Killed = h.Machine.Rows[1:], map[string]bool{"a": true}
		h.Processes["a"] = &judge.Span{From: at(-20), To: at(15)}
	}},
	"memory grows":          {"growth", "resident", growing(1<<20, func(s *judge.Sample) *float64 { return &s.Resident })},
	"the heap grows":        {"growth", "heap", growing(1<<20, func(s *judge.Sample) *float64 { return &s.Heap })},
	"goroutines grow":       {"growth", "goroutines", growing(1, func(s *judge.Sample) *float64 { return &s.Goroutines })},
	"descriptors grow":      {"growth", "descriptors", growing(1, func(s *judge.Sample) *float64 { return &s.Descriptors })},
	"the console fails":     {"console", "is answered 500", func(h *judge.History) { answered(h, 500) }},
	"503 twice for nothing": {"console", "nothing is away", func(h *judge.History) { answered(h, 503, 503) }},
	"503 once":              {"", "", func(h *judge.History) { answered(h, 503) }},
	"503 after a fault": {"", "", func(h *judge.History) {
		answered(h, 503, 503, 0)
		h.Machine.Faults = []judge.Span{{From: at(30), To: at(40)}}
	}},
	"the console is silent": {"console", "has no answer", func(h *judge.History) { answered(h, 0) }},
	"no list after quiet":   {"console", "did not list", func(h *judge.History) { h.Machine.Answers = nil }},
	"the list is not the tree": {"console", "3 instances", func(h *judge.History) {
		list := &h.Machine.Answers[0]
		list.Body = strings.Replace(list.Body, `"instanceCount":2`, `"instanceCount":3`, 1)
	}},
}

// The rules for processes on a machine.
func TestMachinesAreJudged(t *testing.T) {
	t.Parallel()
	for name, c := range machines {
		h := onMachine()
		c.make(h)
		found := judge.Check(h)
		wanted := func(v judge.Violation) bool { return v.Rule == c.rule && strings.Contains(v.Text, c.text) }
		if c.rule == "" && len(found) > 0 || c.rule != "" && !slices.ContainsFunc(found, wanted) {
			t.Errorf("%s: want %q, got %v", name, c.rule, found)
		}
	}
}
