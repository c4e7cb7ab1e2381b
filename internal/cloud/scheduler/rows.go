package scheduler

import (
	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// rowState is what was recorded of a task.
type rowState struct {
	trail string // the ids of status rows
	ended bool   // whether the execution's end was
	began bool
}

// record records what is new of the tasks. Rows of one task come in the order of its
// states, so that only those behind the ones recorded already are new.
func (t *term) record() {
	count := 0
	t.mirror.takeTasks(func(run cloud.RunStatus, task cloud.Task, exists bool) {
		key := taskKey{run.Ref(), task.UID}
		if !exists && !cloud.Ended(task.State) {
			task.State, task.Message, task.Ended = tracing.StateUnknown, "nobody saw its end", t.Now()
		}
		count += t.recordTask(key, run, task)
		if !exists {
			delete(t.rows, key)
		}
	})
	if count > 0 {
		t.Metrics.Recorded(count)
	}
}

func (t *term) recordTask(key taskKey, run cloud.RunStatus, task cloud.Task) (count int) {
	before := t.rows[key]
	now := before
	statuses, execution := cloud.Rows(run, task)
	for _, row := range statuses {
		mark := "," + string(row.State)
		if !contains(before.trail, mark) {
			now.trail += mark
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

// contains reports whether a state stands in a trail as a whole word.
func contains(trail, mark string) bool {
	for len(trail) >= len(mark) {
		if trail[:len(mark)] == mark && (len(trail) == len(mark) || trail[len(mark)] == ',') {
			return true
		}
		trail = trail[1:]
	}
	return false
}
