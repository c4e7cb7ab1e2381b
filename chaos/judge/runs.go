package judge

import (
	"path"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// RunRow is a requested run as the database has it.
type RunRow struct{ ID, Job, State string }

// runs compares the requested runs of the last snapshot with the database: when all is quiet,
// it has each run as the registry does, whichever process was killed.
func (v *verdicts) runs() {
	ns, err := jobtree.NewNamespace(v.h.Namespace)
	if err != nil || len(v.h.Snapshots) == 0 {
		return
	}
	last := v.h.Snapshots[len(v.h.Snapshots)-1]
	for _, job := range v.h.Jobs {
		states := make(map[string]jobrun.State) // by run, as the registry has it
		for _, n := range last.Nodes {
			if id, state := runAt(ns.Job(job.Name), n); id != "" {
				states[id] = state
			}
		}
		rows := make(map[string]jobrun.State)
		for _, r := range v.h.Runs {
			if r.Job == job.Name {
				rows[r.ID] = jobrun.State(r.State)
			}
		}
		for id, state := range states {
			row, there := rows[id]
			if !there && !state.Ended() || waits(state) && waits(row) { // It may never have been recorded.
				continue
			}
			if state != row {
				v.add("history", job.Name, -1, last.At, "the run %s is %s, and the database has it as %q", id, state, row)
			}
		}
		for id, row := range rows {
			if _, there := states[id]; !there && !row.Ended() {
				v.add("history", job.Name, -1, last.At, "the database has the run %s as %s, and the registry doesn't have it", id, row)
			}
		}
	}
}

func waits(s jobrun.State) bool { return s == jobrun.Scheduled || s == jobrun.Queued }

// runAt reads which run a node is of, and its state; no run if it's another node.
func runAt(paths jobtree.Job, n Node) (id string, state jobrun.State) {
	folder, name := path.Split(n.Path)
	folder = strings.TrimSuffix(folder, "/")
	switch {
	case folder == paths.RunsDone():
		o, err := jobtree.DecodeRunOutcome([]byte(n.Data))
		if err == nil {
			return o.ID, jobrun.State(o.State)
		}
	case folder == paths.RunsActive():
		r, err := jobtree.DecodeRunRecord([]byte(n.Data))
		if err == nil {
			return r.ID, jobrun.Running
		}
	case folder == paths.RunsQueue(), strings.HasPrefix(folder, paths.RunsDue()+"/"):
		if _, id, ours := jobtree.ParseRunName(name); ours {
			return id, jobrun.Queued
		}
	}
	return "", ""
}
