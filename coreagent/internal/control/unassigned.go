package control

import "github.com/elasticjob-go/elasticjob/coreagent/internal/host"

// observeUnassigned tells, when it changes, how many shards have no owner that
// could run them.
func (c *Controller) observeUnassigned(available []string) {
	if c.Host.Observe == nil || c.assigned == nil {
		return
	}
	present := make(map[string]bool, len(available))
	for _, id := range available {
		present[id] = true
	}
	count := 0
	for _, owner := range c.assigned {
		if !present[owner] {
			count++
		}
	}
	c.tellUnassigned(count)
}

func (c *Controller) tellUnassigned(count int) {
	if lead := &c.lead; lead.unassigned != count {
		lead.unassigned = count
		c.Host.Report(c.Tree.Name(), host.Observation{Event: host.Unassigned, Items: count})
	}
}
