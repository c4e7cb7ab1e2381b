package control

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// The nodes of servers are persistent, because they hold what an operator has
// said. In a cluster where each new pod has a new address they would pile up
// for ever. The leader removes those that say nothing, ENABLED, and have had
// no instance at two audits in a row. A disabled server stays disabled until
// an operator says otherwise.

// absentees are the servers without an instance at the last audit, and the
// transaction that wrote their node last: Java's agents write it when they
// start, a moment before their instance.
type absentees struct {
	at      time.Time
	written map[string]int64
	left    time.Time // when the nodes of agents that left were looked at
}

const (
	// rememberLeft is how long the registry remembers an orderly departure, or crowdedLeft if
	// there are more than manyLeft. lookLeft is how often the leader looks for older ones.
	rememberLeft = 24 * time.Hour
	crowdedLeft  = 5 * time.Minute
	manyLeft     = 20
	lookLeft     = time.Hour
)

// sweepLeft removes the nodes of agents that left long ago.
func (c *Controller) sweepLeft(ctx context.Context) error {
	last, old := &c.lead.absent, rememberLeft
	ids, err := c.Nodes.Children(ctx, c.Tree.AllLeft())
	switch {
	case err != nil:
		return zk.Ignore(err, zk.ErrNoNode)
	case len(ids) > manyLeft:
		old = crowdedLeft
	case time.Since(last.left) < lookLeft:
		return nil
	}
	last.left = time.Now()
	return nodes.Each(ctx, len(ids), func(ctx context.Context, i int) error {
		stat, exists, err := c.Host.Client.Exists(ctx, c.Tree.Left(ids[i]))
		if err != nil || !exists || c.Host.Time().Sub(stat.Mtime) < old {
			return err
		}
		return zk.Ignore(c.Host.Client.Delete(ctx, c.Tree.Left(ids[i]), zk.AnyVersion), zk.ErrNoNode)
	})
}

// sweepServers removes the nodes of servers that are offline. It has effect once
// per audit at most.
func (c *Controller) sweepServers(ctx context.Context, v *view.View) error {
	last := &c.lead.absent
	interval := v.Config.ReconcileInterval()
	if interval <= 0 || time.Since(last.at) < interval*8/10 {
		return nil
	}
	if err := c.sweepLeft(ctx); err != nil {
		return err
	}
	servers, err := c.Nodes.Children(ctx, c.Tree.Servers())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	present := c.Cache.PresentServers()
	var offline []string
	for _, ip := range servers {
		if !present[ip] {
			offline = append(offline, ip)
		}
	}
	written := make([]int64, len(offline))
	removed := make([]bool, len(offline))
	if err := nodes.Each(ctx, len(offline), func(ctx context.Context, i int) error {
		status, stat, err := c.Host.Client.Get(ctx, c.Tree.Server(offline[i]))
		if err != nil || string(status) != jobtree.ServerEnabled {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		written[i] = stat.Mzxid
		if last.written[offline[i]] != stat.Mzxid {
			return nil
		}
		err = c.Host.Client.Delete(ctx, c.Tree.Server(offline[i]), stat.Version)
		if err == nil || errors.Is(err, zk.ErrNoNode) {
			removed[i] = true
			return nil
		}
		return zk.Ignore(err, zk.ErrBadVersion) // Somebody starts there, or has disabled it.
	}); err != nil {
		return err
	}
	next := absentees{at: time.Now(), written: make(map[string]int64), left: last.left}
	count := 0
	for i, ip := range offline {
		if removed[i] {
			count++
		} else if written[i] > 0 {
			next.written[ip] = written[i]
		}
	}
	*last = next
	if count > 0 {
		c.Log.InfoContext(ctx, "servers removed that have had no instance for long", "servers", count)
	}
	return nil
}
