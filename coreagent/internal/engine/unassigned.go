package engine

import "github.com/elasticjob-go/elasticjob/coreagent/internal/host"

// observeUnassigned tells, when it changes, how many shards have no owner that
// could run them.
func (j *Job) observeUnassigned(available []string) {
	if j.Host.Observe == nil || j.control.assigned == nil {
		return
	}
	present := make(map[string]bool, len(available))
	for _, id := range available {
		present[id] = true
	}
	count := 0
	for _, owner := range j.control.assigned {
		if !present[owner] {
			count++
		}
	}
	j.tellUnassigned(count)
}

func (j *Job) tellUnassigned(count int) {
	if lead := &j.control.lead; lead.unassigned != count {
		lead.unassigned = count
		j.Host.Tell(j.Name(), host.Observation{Event: host.Unassigned, Items: count})
	}
}
