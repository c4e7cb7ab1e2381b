package control

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// keepEra has the note say what the configuration does. A job that has never kept
// records needs none.
func (c *Controller) keepEra(ctx context.Context) error {
	lead := &c.lead
	node := c.Cache.Get(c.Tree.Config())
	if lead.era == node.Stat.Mzxid || node.Stat.Mzxid != c.configAt || c.Config == nil || c.Broken != nil {
		return nil // The event of a newer configuration is on its way, or this one cannot be served.
	}
	if c.noted && c.wroteConfig(node) {
		lead.era = node.Stat.Mzxid
		return nil
	}
	config := c.Config
	era, noted, err := c.Misfires.ReadEra(ctx, c.Settings)
	if err != nil {
		return err
	}
	unseen := lead.era == 0 && noted.Era.Version != node.Stat.Version // An edit that no leader has noted.
	if noted.Exists && (unseen || noted.Era.Settings != era.Settings) {
		// A leader that has seen the edit may have died before it had tidied up.
		if tidied, err := c.tidyMarkers(ctx); err != nil || !tidied {
			return err
		}
	}
	switch {
	case noted.Exists && noted.Era != era:
		_, err = c.Host.Client.Set(ctx, c.Tree.FireRecords(), era.Encode(), noted.Version)
	case !noted.Exists && firerecord.Kept(config):
		err = c.Nodes.Create(ctx, c.Tree.FireRecords(), era.Encode(), zk.Persistent)
	}
	if errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNodeExists) {
		return nil // Somebody else led a moment ago, or made the node: the next step looks again.
	}
	if err == nil {
		lead.era = node.Stat.Mzxid
	}
	return zk.Ignore(err, zk.ErrNoNode)
}

// noteEnabled moves the records of shards forward that were disabled and are no
// longer: what they missed meanwhile is not made up for. Nothing in the tree tells
// it later.
func (c *Controller) noteEnabled(ctx context.Context) error {
	if c.Config == nil {
		return nil
	}
	shards := c.mine
	if view.Rotates(c.Config) {
		shards = []int{0}
	}
	for _, n := range shards {
		node := c.Cache.Get(c.Tree.ItemDisabled(n))
		switch {
		case node.Exists && c.off == nil:
			c.off = map[int]bool{n: true}
		case node.Exists:
			c.off[n] = true
		case c.off[n]:
			now := c.Host.Time()
			if firerecord.Kept(c.Config) {
				if err := c.Misfires.AccountFor(ctx, n, now); err != nil {
					return err
				}
				// A shard that rotates is decided by the watched record.
				c.Cache.SuspectIf(func(path string) bool { return path == c.Tree.FireRecord(n) })
				if err := c.Cache.Refresh(ctx); err != nil {
					return err
				}
			}
			delete(c.off, n)
			if c.on == nil {
				c.on = make(map[int]time.Time)
			}
			c.on[n] = now
		}
	}
	return nil
}
