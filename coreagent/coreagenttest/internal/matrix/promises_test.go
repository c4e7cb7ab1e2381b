//go:build !race

package matrix_test

import (
	"slices"
	"time"
)

// promise returns how often a shard must complete a fire time. All its quotes are from
// docs/guarantees.md unless another page is named. By default we combine the promises "At least
// once per fire time" and "Not again", which means exactly once.
func (c *cell) promise(job string, at time.Time, shard int) bounds {
	subject := slices.Contains(c.subject, shard)
	switch {
	case shard >= c.source.job.Shards:
		return c.promiseAdded(at)
	case at.Equal(c.source.of) && subject:
		return c.promiseSubject(job)
	case c.is("misfire") && at.Equal(firstFire) && subject && c.moment.early() && c.hitBy("killed"):
		// The previous run is interrupted after another fire time has passed: "several missed ones
		// count as one".
		return may
	}
	return once
}

// promiseAdded covers shards that the event adds: "nothing from before the leader has assigned
// them".
func (c *cell) promiseAdded(at time.Time) bounds {
	added := c.source.begins.Add(c.moment.after)
	if c.is("backfill") && at.Equal(c.source.of) {
		added = added.Add(at.Sub(c.source.begins)) // A requested run uses the number of shards at its start.
	}
	switch {
	case c.moment == justBefore && c.is("schedule") && at.Equal(c.source.of):
		return may // The leader waits for the run, because it has already marked its shards.
	case at.After(added) && c.is("trigger") && at.Equal(c.source.of):
		return may // "That an action is obeyed" is not promised.
	case at.After(added):
		return once
	}
	return never
}

// promiseSubject covers the shards and the fire time that the cell is about.
func (c *cell) promiseSubject(job string) bounds {
	switch {
	case c.is("trigger"):
		return c.promiseTrigger(job)
	case c.hitBy("shard disabled") && c.moment.early():
		return c.promiseDisabledShard(job)
	case c.hitBy("server disabled") && c.moment.early():
		return c.promiseDisabledServer()
	case c.hitBy("cron edited") && c.moment.early() && (c.is("misfire") || c.is("failover")):
		// "nothing from before the edit; a fire time that was already under way, or waits in an
		// instance, may still run".
		return may
	}
	return once
}

func (c *cell) promiseDisabledShard(job string) bounds {
	switch {
	case c.is("failover"):
		return once // A disabled shard is still failed over, as in ElasticJob.
	case c.moment == justBefore && c.is("schedule"):
		return may // The run has already marked its shards: "at most 250 ms earlier".
	case c.is("retry") && job == tablePlain:
		return may // Its back-off is random, so it may begin before the event.
	}
	// "A shard is disabled: nothing from before it is enabled again". For requested runs and
	// retries see docs/runs.md: "it is left out when the run begins".
	return never
}

func (c *cell) promiseDisabledServer() bounds {
	switch {
	case c.is("failover"), c.is("retry"), c.is("backfill"):
		return once // "a shard that waits is claimed by its new owner".
	case c.is("misfire"):
		return may // The fire time is from before the move: "nothing from before the move".
	case c.moment == justBefore:
		return may // The shards move before or after the fire time.
	}
	return once
}

// promiseTrigger covers triggers. We don't promise that a trigger runs, but once its run has begun,
// it's failed over like any other.
func (c *cell) promiseTrigger(job string) bounds {
	switch {
	case !c.moment.early() && job == tablePlain && c.hitBy("killed", "cut beyond"):
		return may // Only fire times have make-up runs, and this is a trigger.
	case !c.moment.early():
		return once
	case c.hitBy("shard disabled"):
		return never
	case c.hitBy("cut within"):
		return once // An instance that reconnects sooner takes the trigger.
	case c.hitBy("cron", "failover", "shards"):
		return once
	}
	return may
}
