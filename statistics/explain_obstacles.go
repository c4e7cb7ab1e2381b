package statistics

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// obstacleWords has the start of the sentence and the advice for each obstacle. %s is the instance.
// The agent's own message completes the sentence.
var obstacleWords = map[jobtree.ObstacleCode]struct{ sentence, advice string }{
	jobtree.ObstacleConflict: {
		"The process %s contains the job and refuses to serve it",
		"Give one of the two jobs another name, or remove the stored job when no process serves it any more.",
	},
	jobtree.ObstacleExecutorUnknown: {
		"%s can't run the job",
		"Choose an executor type in the configuration that the program knows, or register this one in the program.",
	},
	jobtree.ObstacleListenerUnknown: {
		"%s can't run the job",
		"Register the listener in the program, or take it out of the configuration.",
	},
	jobtree.ObstacleErrorHandlerUnknown: {
		"%s can't run the job",
		"Choose an error handler in the configuration that the program knows, or register this one in the program.",
	},
	jobtree.ObstacleStrategyUnknown: {
		"%s leads and can't assign the shards",
		"Choose a sharding strategy in the configuration that the leader knows, or register this one in its program.",
	},
	jobtree.ObstacleAssigning: {
		"%s leads and can't assign the shards",
		"Remove the cause; the agent tries again by itself. Its log has more.",
	},
	jobtree.ObstacleControl: {
		"%s can't follow the job in ZooKeeper",
		"Remove the cause; the agent tries again by itself. Its log has more.",
	},
	jobtree.ObstacleForbidden: {
		"ZooKeeper refuses the credentials of %s",
		"Give the agent credentials that may read and write the job's nodes, or correct the ACL of these nodes.",
	},
	jobtree.ObstacleBroken: {
		"%s has taken itself out of the job and tries again within 5 minutes",
		"It's a bug of the agent, or of the recorder or tracer that the program gave it: its log has the stack. Correct it and restart the process.",
	},
	jobtree.ObstacleNotBegun: {
		"The last run on %s failed before it called a handler",
		"Remove the cause, and trigger the job to have the run now. The agent's log has more.",
	},
	jobtree.ObstacleHandlerHangs: {
		"A handler on %s doesn't end, and the instance runs nothing else of the job until it does",
		"Stop the process, and correct the handler: it must return when its context ends.",
	},
	jobtree.ObstacleListenerHangs: {
		"%s runs nothing of the job until a call returns",
		"Correct the listener, or stop the process: others get its shards then, and the shards that run are interrupted.",
	},
	jobtree.ObstacleListenerFails: {
		"A listener of the job failed on %s",
		"Correct the listener. The agent's log has more, and the stack of a panic. The finding goes after a run without a failure.",
	},
	jobtree.ObstacleErrorHandlerHangs: {
		"%s runs nothing of the job until a call returns",
		"Correct the error handler, or stop the process: others get its shards then, and the shards that run are interrupted.",
	},
	jobtree.ObstacleNoPlace: {
		"%s is busy",
		"Wait until a handler of that process ends, or restart the process with a larger MaxParallel.",
	},
	jobtree.ObstacleDebug: {
		"%s runs no fire time on its own",
		"Start its process without Debug, or trigger the job there.",
	},
}

// judgeObstacles adds a finding for each agent that doesn't serve or can't run the job.
func (d *diagnosis) judgeObstacles() {
	for i, id := range d.refusedIDs {
		n := d.refusals[i]
		obstacle := jobtree.DecodeObstacle([]byte(n.data))
		words, known := obstacleWords[obstacle.Code]
		if !known { // a code from a later version
			words = obstacleWords[jobtree.ObstacleNotBegun]
			words.sentence = "%s doesn't run the job"
		}
		f := Finding{
			Code: CodeAgentObstacle, Obstacle: jobtree.Shown(string(obstacle.Code)), Instance: id, Server: d.addressOf(id), Since: n.began(), Advice: words.advice,
			Value: jobtree.Shown(strings.TrimRight(obstacle.Text, ". ")),
		}
		// Until its context ended, a handler that hangs ran as any other, and no agent announced it.
		hangs := obstacle.Code == jobtree.ObstacleHandlerHangs
		if began := time.UnixMilli(obstacle.Since); obstacle.Since > 0 && !hangs && began.Before(f.Since) {
			f.Since = began
		}
		if f.Value == "" {
			f.Value = "the agent gives no reason"
		}
		f.Sentence = fmt.Sprintf(words.sentence, id) + ": " + f.Value + "."
		f.Effect, f.Items = d.hindered(obstacle, id)
		if obstacle.Code == jobtree.ObstacleConflict {
			f.Code = CodeJobRefused
		}
		d.found(f, n)
	}
}

// obstacleOf returns the obstacle that an instance announces; empty if there is none.
func (d *diagnosis) obstacleOf(id string) jobtree.ObstacleCode {
	if i := slices.Index(d.refusedIDs, id); i >= 0 {
		return jobtree.DecodeObstacle([]byte(d.refusals[i].data)).Code
	}
	return ""
}

// hindered returns the effect of an agent's obstacle.
func (d *diagnosis) hindered(obstacle jobtree.Obstacle, id string) (effect Effect, items []int) {
	code := obstacle.Code
	if code == jobtree.ObstacleListenerFails {
		return EffectNothing, nil
	}
	if items = d.waiting(obstacle); code == jobtree.ObstacleHandlerHangs {
		// The instance runs no other shard of the job until the handler returns.
		items = slices.Compact(slices.Sorted(slices.Values(append(items, d.ownedBy(id)...))))
	}
	if len(items) > 0 && len(d.instanceIDs) > 0 {
		return EffectShards, items
	}
	switch {
	case len(d.instanceIDs) == 0:
		return EffectJob, nil // No other process serves the job.
	case code == jobtree.ObstacleConflict:
		return EffectServer, nil
	case code == jobtree.ObstacleNoPlace && d.mayRunOn(id):
		return EffectNothing, nil // It may be busy with other shards of this job.
	case code == jobtree.ObstacleStrategyUnknown, code == jobtree.ObstacleAssigning:
		if id == d.leader.data && (d.necessary.exists || d.processing.exists) {
			return EffectJob, nil
		}
		return EffectNothing, nil // Only the next resharding can't happen.
	}
	if items = d.ownedBy(id); len(items) == 0 && (code == jobtree.ObstacleForbidden || code == jobtree.ObstacleControl) {
		items = d.unowned() // It should assign them, or own them.
	}
	if len(items) == 0 {
		return EffectServer, nil
	}
	return EffectShards, items
}

// waiting returns the shards that an obstacle names. It notes them as idle, so that we don't take
// their running markers for runs.
func (d *diagnosis) waiting(obstacle jobtree.Obstacle) (items []int) {
	for _, item := range d.items {
		if !d.beyond(item) && !item.disabled.exists && slices.Contains(obstacle.Waiting(), item.number) {
			items = append(items, item.number)
			d.idle[item.number] = obstacle.Code != jobtree.ObstacleHandlerHangs
		}
	}
	return items
}

// mayRunOn reports whether an instance runs shards of the job, or might, because we can't see it.
func (d *diagnosis) mayRunOn(id string) bool {
	return d.decoded == nil || !d.decoded.MonitorExecution || slices.ContainsFunc(d.items, func(item itemEvidence) bool {
		runner, running := d.runner(item)
		return running && runner == id
	})
}

// ownedBy returns the enabled shards that an instance owns.
func (d *diagnosis) ownedBy(id string) (items []int) {
	for _, item := range d.items {
		if item.instance.data == id && !item.disabled.exists && !d.beyond(item) {
			items = append(items, item.number)
		}
	}
	return items
}

// unowned returns the shards without an owner that can run them.
func (d *diagnosis) unowned() (items []int) {
	if d.decoded == nil || d.configErr != nil {
		return nil
	}
	for n, owner := range d.assigned() {
		if !d.available[owner] && !d.unnamed[owner] {
			items = append(items, n)
		}
	}
	return items
}
