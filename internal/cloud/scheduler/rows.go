package scheduler

import (
	"slices"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// rowState has the recorded rows of a task.
type rowState struct {
	states []cloud.State // of status rows
	began  bool          // the row of its execution
	ended  bool
}

// record records new rows of tasks. A task's rows follow the order of its states, so new rows come
// after the recorded ones.
func (t *term) record(news map[taskKey]taskNews) {
	count := 0
	for key, n := range news {
		if !n.exists && !cloud.Ended(n.task.State) {
			n.task.State, n.task.Message, n.task.Ended = tracing.StateUnknown, "its end was not observed", t.Now()
		}
		count += t.recordTask(key, n.run, n.task)
		if !n.exists {
			delete(t.rows, key)
		}
	}
	if count > 0 {
		t.Metrics.Recorded(count)
	}
}

func (t *term) recordTask(key taskKey, run cloud.RunStatus, task cloud.Task) (count int) {
	before := t.rows[key]
	now := before
	statuses, execution := cloud.Rows(run, task)
	for _, row := range statuses {
		if !slices.Contains(before.states, row.State) {
			now.states = append(now.states, row.State)
			t.Recorder.RecordStatus(row)
			count++
		}
	}
	if execution != nil {
		if ended := !execution.Running(); !before.began || ended && !before.ended {
			now.began, now.ended = true, ended
			t.Recorder.RecordExecution(*execution)
			count++
		}
	}
	t.rows[key] = now
	return count
}
