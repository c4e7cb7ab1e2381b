package engine

import (
	"context"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// Shards of crashed instances are, as in ElasticJob, claimed by instances that
// have nothing to do; who runs takes them when its run has ended. A job that is
// eager takes them at once and runs each in a batch of its own beside the run:
//
//	offered ──▶ claimed ──▶ queue ──▶ run        (idle, the default)
//	                   └──▶ beside: mark ▸ execute ▸ clear
//
// The same nodes are written, so other instances see no difference. No shard is
// held by two batches of a process; see queue.occupy.

// freeForFailover reports whether a shard may be claimed now. Eager jobs run as
// many failover shards at once as a run would.
func (j *Job) freeForFailover(v *view.View) bool {
	able := &batch{job: j, view: v}
	if v.Broken != nil || able.equip() != nil {
		// The shards wait for a configuration that can be served, and an agent that
		// knows every name of the job. Claimed now they would be released at once.
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.phase != serving || time.Now().Before(j.queue.refusedUntil):
		return false
	case j.def.EagerFailover || j.queue.awaiting:
		return j.queue.beside < able.parallel
	}
	j.queue.awaited = j.queue.looping
	return !j.queue.looping
}

// onFailover has a claimed shard run, or releases the claim if the job has
// begun to leave.
func (j *Job) onFailover(s *takenShard) {
	var taken bool
	j.mu.Lock()
	beside := j.def.EagerFailover || j.queue.awaiting
	j.mu.Unlock()
	if beside {
		taken = j.startBeside(s)
	} else {
		taken = j.enqueue(func(q *queue) {
			q.taken = append(q.taken, s)
			j.signalView() // A run that came meanwhile, and waits, gives way.
		})
	}
	if !taken {
		j.unreserve(s)
		j.control.doubts = append(j.control.doubts, s.Number) // The job has begun to leave.
	}
}

// startBeside runs a claimed shard at once, whatever else runs.
func (j *Job) startBeside(s *takenShard) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.phase != serving {
		return false
	}
	j.queue.begin()
	j.queue.beside++
	go j.runBeside(s)
	j.kicked = true // There may be more: control, whose step this is, looks again.
	return true
}

func (j *Job) runBeside(s *takenShard) {
	j.guard("failover run", func() {
		r := failoverOf(s, j.env.Time())
		r.beside = true
		if err := j.run(r); err != nil && j.env.Life.Err() == nil {
			j.log.Error("failover run failed", "shard", s.Number, "err", err)
		}
	})
	j.mu.Lock()
	j.queue.beside--
	j.queue.settle()
	j.mu.Unlock()
	j.kick() // More shards may be waiting for a free place.
}

// offerAgain offers a shard again that was claimed and not begun. control does it,
// for it claims as well and repeats what no server has answered: a claim that
// stayed would keep the shard from everybody for as long as this instance lives.
// Once the job leaves there are no steps any more; where it fails then, the
// others do it when the instance has left.
func (j *Job) offerAgain(s *takenShard) {
	if s == nil {
		return
	}
	j.mu.Lock()
	serves := j.phase == serving
	if serves {
		j.queue.returned = append(j.queue.returned, s.Number)
	}
	j.mu.Unlock()
	if serves {
		j.kick()
		return
	}
	ctx, cancel := context.WithTimeout(j.env.Life, stepTimeout)
	defer cancel()
	if err := j.failover.Release(ctx, s.Number, j.id, true); err != nil {
		j.log.Warn("a claimed failover shard could not be released", "shard", s.Number, "err", err)
	}
}
