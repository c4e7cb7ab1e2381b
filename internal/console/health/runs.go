package health

import (
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// RunsOf are the runs of executions, as a judgement takes them; the newest first.
func RunsOf(rows []tracing.Execution) []explain.Run {
	groups := rdb.GroupRuns(rows)
	runs := make([]explain.Run, len(groups))
	for i, g := range groups {
		r := explain.Run{ScheduledAt: g.ScheduledAt, Start: g.Start, End: g.End, Trigger: g.Trigger, Together: g.Grouped, Cause: g.Cause, CauseItem: g.CauseItem}
		for k, e := range g.Executions { // by shard, attempt and start
			if k+1 == len(g.Executions) || g.Executions[k+1].Item != e.Item {
				shard := explain.ShardRun{Item: e.Item, Outcome: explain.Outcome(rdb.StateOf(e)), IP: e.IP}
				if task, err := jobtree.ParseTaskID(e.TaskID); err == nil {
					shard.Instance = task.InstanceID()
				}
				r.Shards = append(r.Shards, shard)
			}
		}
		runs[i] = r
	}
	return runs
}
