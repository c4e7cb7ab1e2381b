package judge

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// Machine is evidence that only exists for processes on a real machine.
type Machine struct {
	Killed   map[string]bool // by process: it was ended by kill -9
	Recorded []Recorded
	Rows     []Row
	Answers  []Answer
	Samples  []Sample
	Faults   []Span // of all kinds, including faults that keep no agent from running its jobs
}

// Recorded is an execution as an agent passed it to its recorder: once at its begin and once at its
// end.
type Recorded struct {
	ID, Process       string
	At                time.Time
	Complete, Success bool
}

// Row is an execution in the database.
type Row struct {
	ID, Job           string
	Item              int
	Complete, Success bool
}

// Answer is an answer of the console.
type Answer struct {
	Span
	Request string
	Status  int    // 0 if there was none
	Body    string // empty if no rule needs it
}

// Sample is a process's use of resources at a time. 0 means unknown.
type Sample struct {
	Process                                 string
	At                                      time.Time
	Resident, Descriptors, Goroutines, Heap float64 // in bytes; for the heap, live bytes
}

const (
	// unwritten is how long before kill -9 an agent may have recorded events that never reached a
	// file or the database.
	unwritten = 10 * time.Second
	// reported is how many violations of one kind are listed individually.
	reported = 20
	// longEnough is the minimum life of a process for the growth rule.
	longEnough = 3 * time.Minute
	// outage is how long after a fault the console may still answer that it can't reach ZooKeeper
	// or the database.
	outage = 15 * time.Second
)

// rows compares the executions that agents recorded with the rows of the database, and with the
// runs of the agents.
func (v *verdicts) rows(m *Machine) {
	rows, known := make(map[string]Row, len(m.Rows)), make(map[string]bool, len(m.Rows))
	for _, r := range m.Rows {
		rows[r.ID] = r
	}
	runs := make(map[string]int) // by process: runs that were not recorded
	for _, r := range v.h.Runs {
		if r.Source != "" { // Java agents don't have our recorder.
			runs[r.Process]++
		}
	}
	missing, strange := 0, 0
	for _, r := range m.Recorded {
		known[r.ID] = true
		if !r.Complete {
			runs[r.Process]--
		}
		row, found := rows[r.ID]
		if found && (!r.Complete || row.Complete && row.Success == r.Success) {
			continue
		}
		if p := v.h.Processes[r.Process]; m.Killed[r.Process] && p != nil && p.To.Sub(r.At) < unwritten {
			continue
		}
		if missing++; missing > reported {
			continue
		}
		switch {
		case !found:
			v.add("row", "", -1, r.At, "the execution %s of %s has no row", r.ID, r.Process)
		case !row.Complete:
			v.add("row", row.Job, row.Item, r.At, "by the row %s the execution goes on; it ended", r.ID)
		default:
			v.add("row", row.Job, row.Item, r.At, "the row %s has success %v; the agent recorded %v", r.ID, row.Success, r.Success)
		}
	}
	for _, r := range m.Rows {
		if !known[r.ID] {
			if strange++; strange <= reported {
				v.add("row", r.Job, r.Item, v.h.End, "the row %s is of no execution that an agent recorded", r.ID)
			}
		}
	}
	if missing > reported || strange > reported {
		v.add("row", "", -1, v.h.End, "%d rows are missing or wrong in all, %d are strange", missing, strange)
	}
	for process, n := range runs { // An empty run of a dataflow is recorded but not an execution.
		if n > 0 {
			v.add("row", "", -1, v.h.End, "%s did not record %d of its executions", process, n)
		}
	}
}

// bounds are how much more a process may use at its end than in the middle of its life: as a
// fraction, and as a minimum.
var bounds = []struct {
	what         string
	value        func(Sample) float64
	share, least float64
}{
	{"resident bytes", func(s Sample) float64 { return s.Resident }, 0.5, 24 << 20},
	{"live heap bytes", func(s Sample) float64 { return s.Heap }, 0.5, 8 << 20},
	{"goroutines", func(s Sample) float64 { return s.Goroutines }, 0.25, 40},
	{"descriptors", func(s Sample) float64 { return s.Descriptors }, 0.25, 12},
}

// growth compares the resources of each process in the middle of its life and at its end.
func (v *verdicts) growth(m *Machine) {
	samples := make(map[string][]Sample)
	for _, s := range m.Samples {
		samples[s.Process] = append(samples[s.Process], s)
	}
	for process, list := range samples {
		first, last := list[0].At, list[len(list)-1].At
		life := last.Sub(first)
		if life < longEnough {
			continue
		}
		var middle, end []Sample
		for _, s := range list {
			switch age := s.At.Sub(first); {
			case age > life*4/5:
				end = append(end, s)
			case age > life/5 && age < life/2:
				middle = append(middle, s)
			}
		}
		for _, b := range bounds {
			from, to := median(middle, b.value), median(end, b.value)
			if from > 0 && to-from > max(b.least, from*b.share) {
				v.add("growth", "", -1, last, "%s takes %.0f %s at the end of %v and took %.0f before", process, to, b.what, life.Round(time.Second), from)
			}
		}
	}
}

func median(list []Sample, value func(Sample) float64) float64 {
	var known []float64
	for _, s := range list {
		if n := value(s); n > 0 {
			known = append(known, n)
		}
	}
	if len(known) == 0 {
		return 0
	}
	slices.Sort(known)
	return known[len(known)/2]
}

// console checks the console's answers: no errors of its own, 503 only while ZooKeeper or the
// database was away, and always an answer unless there was a fault.
func (v *verdicts) console(m *Machine) {
	var before time.Time // the last bad answer without a reason
	for _, a := range m.Answers {
		disturbed := slices.ContainsFunc(m.Faults, func(f Span) bool {
			return !f.From.After(a.To) && (f.To.IsZero() || !f.To.Before(a.From.Add(-outage)))
		})
		switch {
		case a.Status >= 500 && a.Status != http.StatusServiceUnavailable:
			v.add("console", "", -1, a.From, "%s is answered %d: %s", a.Request, a.Status, a.Body)
		case a.Status == 0 && !disturbed:
			v.add("console", "", -1, a.From, "%s has no answer within %v: %s", a.Request, a.To.Sub(a.From), a.Body)
		case a.Status == http.StatusServiceUnavailable && !disturbed:
			// A busy machine may delay ZooKeeper for a second, but not twice.
			if a.From.Sub(before) < outage {
				v.add("console", "", -1, a.From, "%s is answered 503 again although nothing is away: %s", a.Request, a.Body)
			}
			before = a.From
		}
	}
}

// ListRequest is the request with a last answer that must agree with the tree.
const ListRequest = "GET /api/jobs"

// agreement compares the console's last list of jobs with the last snapshots.
func (v *verdicts) agreement(m *Machine) {
	trees := make(map[string]tree)
	for _, s := range v.h.Snapshots {
		trees[s.Job] = treeOf(s)
	}
	for _, a := range slices.Backward(m.Answers) {
		if a.Request != ListRequest || a.Status != http.StatusOK || a.From.Before(v.h.Quiet) {
			continue
		}
		var list []struct {
			JobName            string `json:"jobName"`
			InstanceCount      int    `json:"instanceCount"`
			ShardingTotalCount int    `json:"shardingTotalCount"`
		}
		if err := json.Unmarshal([]byte(a.Body), &list); err != nil {
			v.add("console", "", -1, a.From, "the list of jobs can't be read: %v", err)
			return
		}
		if len(list) != len(v.h.Jobs) {
			v.add("console", "", -1, a.From, "the console lists %d jobs, there are %d", len(list), len(v.h.Jobs))
		}
		for _, j := range list {
			if live := len(trees[j.JobName].below("/instances")); j.InstanceCount != live {
				v.add("console", j.JobName, -1, a.From, "the console has %d instances, the tree has %d", j.InstanceCount, live)
			}
			if job := v.h.Jobs[j.JobName]; job != nil && job.at(v.h.End).Items != j.ShardingTotalCount {
				v.add("console", j.JobName, -1, a.From, "the console has %d shards, the tree has %d", j.ShardingTotalCount, job.at(v.h.End).Items)
			}
		}
		return
	}
	if !v.h.Quiet.IsZero() {
		v.add("console", "", -1, v.h.End, "the console did not list the jobs after quiet")
	}
}
