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
		known = reshard.Assignment{Owners: j.control.assigned, At: reshard.FlagHistory{Czxid: j.Cache.Get(j.Tree.Server(j.Host.IP)).Stat.Czxid}}
	}
	if !j.Resharding.Begin() {
		return
	}
	j.Host.Tasks.Go(func() {
		if !j.Guard("resharding", func() { j.workReshard(epoch, known) }) {
			j.Resharding.Abort()
		}
	})
}

func (j *Job) workReshard(epoch uint64, known reshard.Assignment) {
	o := j.Resharding.Run(j.Life, epoch, known, func(o reshard.Outcome) {
		if o.Assigned || o.Err != nil && j.Life.Err() == nil {
			j.Host.Tell(j.Name(), host.Observation{Event: host.Resharded, Took: o.Took, Err: o.Err})
		}
	})
	switch {
	case o.Err == nil:
		j.Obstacles.Clear(obstacle.Assign)
		// Look again: the instances may have changed meanwhile, and the
		// events of our own writes may have been lost.
		j.mu.Lock()
		j.control.rereadDue = true
		j.mu.Unlock()
		if !o.Assigned { // There was nothing to do, which the watches may not know for a while.
			j.Retry(retryFirst)
			return
		}
		j.Kick()
	case o.Passing:
		j.Retry(retryFirst)
	default:
		if !o.Repeated {
			j.Log.Error("resharding failed; the job does not run until it succeeds", "err", o.Err)
		}
		j.Hinder(obstacle.Assign, o.Err)
		j.Retry(retryLast)
	}
}

// resharded is a job as resharding knows it.
type resharded struct{ j *Job }

// Strategy implements [reshard.Job].
func (r resharded) Strategy(name string) (reshard.Strategy, error) {
	return r.j.strategies.ByName(name)
}

// Now implements [reshard.Job].
func (r resharded) Now() time.Time { return r.j.Host.Time() }

// LedSince implements [reshard.Job].
func (r resharded) LedSince() time.Time { return r.j.Cache.Get(r.j.Tree.LeaderInstance()).Stat.Ctime }

// Held implements [reshard.Job].
func (r resharded) Held() bool { return r.j.Cache.Held().Schedule() }

// FlagChanges implements [reshard.Job].
func (r resharded) FlagChanges() uint64 { return r.j.Cache.FlagChanges() }

// Suspect implements [reshard.Job].
func (r resharded) Suspect(shards bool) {
	if shards {
		r.j.Cache.Suspect()
	} else {
		r.j.Cache.SuspectIf(r.j.Cache.NotOfShard)
	}
}
