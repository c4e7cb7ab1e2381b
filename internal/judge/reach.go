package judge

import (
	"time"
)

// Connect records the time from which a process considers itself connected.
func (h *History) Connect(process string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.disconnect(process, at)
	h.Connected[process] = append(h.Connected[process], Span{From: at})
}

// Disconnect records that a process is no longer connected.
func (h *History) Disconnect(process string, at time.Time) {
	h.locked(func() { h.disconnect(process, at) })
}

func (h *History) disconnect(process string, at time.Time) {
	if list := h.Connected[process]; len(list) > 0 && list[len(list)-1].To.IsZero() {
		list[len(list)-1].To = at
	}
}

// Cut records that none of a process's writes reached the server, or no answers reached the
// process, no matter what it believed.
func (h *History) Cut(process string, s Span) {
	h.locked(func() { h.Cuts[process] = append(h.Cuts[process], s) })
}

// writable returns the times in which a process could write to the tree.
func (h *History) writable(process string) []Span {
	return writable(h.Connected[process], h.Cuts[process], h.End)
}

// Leave records that an agent gave up a job and lives on.
func (h *History) Leave(job, process string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	j := h.Jobs[job]
	if j.Left == nil {
		j.Left = make(map[string][]time.Time)
	}
	j.Left[process] = append(j.Left[process], at)
}

// Met records that a job's listener was called because every shard was about to start for a fire
// time, or has completed.
func (h *History) Met(job string, fire time.Time, completed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if j := h.Jobs[job]; completed {
		j.Ended = append(j.Ended, fire)
	} else {
		j.Started = append(j.Started, fire)
	}
}

// served returns how long a process had a job at most, for one of its instances: until it ended or
// gave up the job. In that time it remembers its pending runs.
func (h *History) served(job *JobHistory, life *Life) Span {
	s := Span{From: life.From}
	if p := h.Processes[life.Process]; p != nil {
		s.To = p.To
	}
	for _, left := range job.Left[life.Process] {
		if !left.Before(life.From) && (s.To.IsZero() || left.Before(s.To)) {
			s.To = left
		}
	}
	return s
}
