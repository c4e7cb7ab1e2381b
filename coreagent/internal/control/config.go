package control

import (
	"cmp"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// readConfig decodes the stored configuration if it has changed, and updates the schedule.
func (c *Controller) readConfig() {
	node := c.Cache.Get(c.Tree.Config())
	if node.Exists && c.configAt == node.Stat.Mzxid {
		return
	}
	c.configAt = node.Stat.Mzxid
	config, cron, zone, err := c.decode(node)
	if err != nil {
		if c.Broken == nil || c.Broken.Error() != err.Error() {
			c.Log.Error("invalid job configuration in ZooKeeper; the job won't fire until it's corrected", "path", c.Tree.Config(), "err", err)
		}
		if c.Broken == nil && c.Config == nil {
			c.scheduleAudit(nil) // We could miss its correction, too.
		}
		c.Broken = err
		c.Fires.Set(nil, nil)
		return
	}
	for _, problem := range config.OutOfBounds() {
		c.Log.Warn("a number in the stored configuration is out of bounds; the nearest bound applies, or the feature that needs it fails", "path", c.Tree.Config(), "err", problem)
	}
	old, corrected := c.Config, c.Broken != nil
	c.Config, c.Schedule, c.Zone, c.Broken = config, cron, zone, nil
	c.ConfigVersion, c.ConfigWritten = node.Stat.Version, node.Stat.Mtime
	if err := c.checkNames(config); err != nil {
		c.job.Hinder(obstacle.Run, err)
	} else {
		c.Obstacles.Clear(obstacle.Run) // An edit may have removed the cause of the last obstacle.
	}
	c.Fires.AllowEarly(schedule.Early(config))
	if corrected || old == nil || old.Cron != config.Cron || old.TimeZone != config.TimeZone ||
		quartz.RulesOf(c.Tree.Name(), old.Props) != quartz.RulesOf(c.Tree.Name(), config.Props) {
		c.Fires.Set(cron, zone)
	}
	if old == nil || old.ReconcileMinutes != config.ReconcileMinutes {
		c.scheduleAudit(config)
	}
	if config.Failover {
		c.Cache.WatchChildren(c.Tree.FailoverItems())
		c.Cache.WatchChildren(c.Tree.Agents())
		if !config.MonitorExecution && old == nil {
			c.Log.Warn("failover has no effect without monitorExecution, because there's no record of the running shards")
		}
	}
	if old != nil && (config.Failover && !old.Failover || config.Misfire && !old.Misfire) {
		c.Cache.WatchShards(config, c.mine) // Otherwise they're watched only when the shards change hands.
	}
	c.rotated = c.rotated || view.Rotates(old) && !view.Rotates(config) && firerecord.Enabled(old)
	c.unclaimed = c.unclaimed || c.rotated || old != nil && firerecord.Enabled(config) && !firerecord.Enabled(old)
	if old == nil && c.founded {
		old = c.Def.Config
	}
	if old != nil && (old.Failover && !config.Failover || old.MonitorExecution && !config.MonitorExecution || old.Misfire && !config.Misfire) {
		c.leader.SwitchedOff()
	}
}

// checkNames returns an error if this program lacks an executor type, a listener or an error
// handler of the configuration. Without it, only the next run would fail.
func (c *Controller) checkNames(config *jobconfig.Config) error {
	_, unknownExecutor := host.Parallel(config.ExecutorType, c.Def.Plugins.Executors)
	_, unknownListener := host.ResolveListeners(config.ListenerTypes, c.Def.Plugins.Listeners)
	return cmp.Or(unknownExecutor, unknownListener, c.Def.Plugins.Errors.Check(config.ErrorHandlerType, config.Props))
}

func (c *Controller) decode(node recipe.Node) (*jobconfig.Config, *quartz.Expression, *time.Location, error) {
	if !node.Exists {
		return nil, nil, nil, errors.New("JobConfiguration was not found. It maybe has been removed or has not been configured correctly.")
	}
	config, err := c.Def.Config, error(nil)
	if !c.isDeclaredConfig(node) {
		config, err = jobconfig.Decode(node.Data)
	}
	if err == nil {
		err = config.Usable()
	}
	if err != nil {
		return nil, nil, nil, err
	}
	cron, zone, err := quartz.RulesOf(c.Tree.Name(), config.Props).Schedule(config.Cron, config.TimeZone)
	if err != nil {
		return nil, nil, nil, err
	}
	return config, cron, zone, nil
}

// isDeclaredConfig reports whether the stored configuration is still the declared one, because it's
// unchanged since this instance created the job and registered its server in one transaction.
func (c *Controller) isDeclaredConfig(node recipe.Node) bool {
	return c.founded && node.Stat.Version == 0 && node.Stat.Czxid == c.Cache.Get(c.Tree.Server(c.Host.IP)).Stat.Czxid
}
