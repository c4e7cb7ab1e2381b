package engine

import (
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
)

// startReshard begins a resharding unless one is under way.
func (j *Job) startReshard(epoch uint64) {
	known := j.control.latest
	if known.Owners == nil && j.control.founded {
		// Assigned by the transaction that founded the job, with the flags' parent;
		// no flag has been set before the one that is now.
		known = reshard.Assignment{Owners: j.control.assigned, At: reshard.FlagHistory{Czxid: j.cache.Get(j.tree.Server(j.env.IP)).Stat.Czxid}}
	}
	if !j.resharding.Begin() {
		return
	}
	j.env.Tasks.Go(func() {
		if !j.guard("resharding", func() { j.workReshard(epoch, known) }) {
			j.resharding.Abort()
		}
	})
}

func (j *Job) workReshard(epoch uint64, known reshard.Assignment) {
	o := j.resharding.Run(j.life, epoch, known, func(o reshard.Outcome) {
		if o.Assigned || o.Err != nil && j.life.Err() == nil {
			j.observe(host.Observation{Event: host.Resharded, Took: o.Took, Err: o.Err})
		}
	})
	switch {
	case o.Err == nil:
		j.obstacles.Clear(obstacle.Assign)
		// Look again: the instances may have changed meanwhile, and the
		// events of our own writes may have been lost.
		j.mu.Lock()
		j.control.rereadDue = true
		j.mu.Unlock()
		if !o.Assigned { // There was nothing to do, which the watches may not know for a while.
			j.env.Timers.Within(j.retry, retryFirst)
			return
		}
		j.kick()
	case o.Passing:
		j.env.Timers.Within(j.retry, retryFirst)
	default:
		if !o.Repeated {
			j.log.Error("resharding failed; the job does not run until it succeeds", "err", o.Err)
		}
		j.obstacles.Hinder(obstacle.Assign, obstacleOf(obstacle.Assign, o.Err))
		j.env.Timers.Within(j.retry, retryLast)
	}
}

// resharded is a job as resharding knows it.
type resharded struct{ j *Job }

// Strategy implements [reshard.Job].
func (r resharded) Strategy(name string) (reshard.Strategy, error) {
	return r.j.strategies.ByName(name)
}

// Now implements [reshard.Job].
func (r resharded) Now() time.Time { return r.j.env.Time() }

// LedSince implements [reshard.Job].
func (r resharded) LedSince() time.Time { return r.j.cache.Get(r.j.tree.LeaderInstance()).Stat.Ctime }

// Held implements [reshard.Job].
func (r resharded) Held() bool { return r.j.cache.Held().Schedule() }

// FlagChanges implements [reshard.Job].
func (r resharded) FlagChanges() uint64 { return r.j.cache.FlagChanges() }

// Suspect implements [reshard.Job].
func (r resharded) Suspect(shards bool) {
	if shards {
		r.j.cache.Suspect()
	} else {
		r.j.cache.SuspectIf(r.j.cache.NotOfShard)
	}
}
