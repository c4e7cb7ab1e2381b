package judge

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// unwritten is how long before kill -9 an agent may have recorded what did not
// reach a file or the database yet.
const unwritten = 10 * time.Second

// rows compares what agents recorded with what the database has.
func (v *verdicts) rows() {
	rows := make(map[string]Row, len(v.h.Rows))
	for _, r := range v.h.Rows {
		rows[r.ID] = r
	}
	known := make(map[string]bool, len(rows))
	missing := 0
	for _, r := range v.h.Recorded {
		known[r.ID] = true
		row, found := rows[r.ID]
		if found && (!r.Complete || row.Complete && row.Success == r.Success) {
			continue
		}
		life := v.h.lifeOf(r.PID, r.At)
		if life != nil && life.Killed && life.To.Sub(r.At) < unwritten {
			continue
		}
		if missing++; missing > reported {
			continue
		}
		switch {
		case !found:
			v.add("row", "", -1, r.At, "the execution %s of process %d has no row", r.ID, r.PID)
		case !row.Complete:
			v.add("row", row.Job, row.Item, r.At, "the row %s says that the execution goes on; it ended", r.ID)
		default:
			v.add("row", row.Job, row.Item, r.At, "the row %s says success %v; the agent recorded %v", r.ID, row.Success, r.Success)
		}
	}
	strange := 0
	for _, r := range v.h.Rows {
		if !known[r.ID] {
			if strange++; strange <= reported {
				v.add("row", r.Job, r.Item, v.h.End, "the row %s is of no execution that an agent recorded", r.ID)
			}
		}
	}
	if missing > reported || strange > reported {
		v.add("row", "", -1, v.h.End, "%d rows are missing or wrong in all, %d are strange", missing, strange)
	}
	v.recorded()
}

// reported is how many violations of one kind are listed one by one.
const reported = 20

// recorded compares what agents ran with what they recorded.
func (v *verdicts) recorded() {
	began, told := make(map[int]int), make(map[int]int)
	for _, e := range v.h.Executions {
		if !e.Java {
			began[e.PID]++
		}
	}
	for _, r := range v.h.Recorded {
		if !r.Complete {
			told[r.PID]++
		}
	}
	for pid, n := range began {
		// A run of a dataflow that finds nothing is recorded and no execution.
		if told[pid] < n {
			v.add("row", "", -1, v.h.End, "process %d ran %d executions and recorded %d", pid, n, told[pid])
		}
	}
}

// tree judges the last two snapshots: what stands in both is left behind.
func (v *verdicts) tree() {
	if len(v.h.Snapshots) < 2 {
		return
	}
	ns, err := jobtree.NewNamespace(v.h.Namespace)
	if err != nil {
		v.add("tree", "", -1, v.h.End, "%v", err)
		return
	}
	before, last := nodes(v.h.Snapshots[len(v.h.Snapshots)-2]), nodes(v.h.Snapshots[len(v.h.Snapshots)-1])
	for _, job := range v.h.Jobs {
		v.leftovers(job.Name, ns.Job(job.Name), before, last)
		v.coverage(job.Name, ns.Job(job.Name), last)
	}
}

func nodes(s Snapshot) map[string]Node {
	all := make(map[string]Node, len(s.Nodes))
	for _, n := range s.Nodes {
		all[n.Path] = n
	}
	return all
}

// below lists the names right below a path.
func below(all map[string]Node, path string) []string {
	var names []string
	for p := range all {
		if rest, ok := strings.CutPrefix(p, path+"/"); ok && !strings.Contains(rest, "/") {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return names
}

// leftovers looks for markers that stand in both snapshots.
func (v *verdicts) leftovers(name string, paths jobtree.Job, before, last map[string]Node) {
	s := v.h.at(name, v.h.End)
	stands := func(item int, path string) {
		n, now := last[path]
		old, then := before[path]
		if now && then && n.Created == old.Created {
			v.add("tree", name, item, n.At, "%s = %q is left behind", path, n.Data)
		}
	}
	for item := range max(s.Shards, 64) {
		stands(item, paths.ItemRunning(item))
		stands(item, paths.ItemFailover(item))
		stands(item, paths.ItemFailovering(item))
		stands(item, paths.FailoverItem(item))
		stands(item, paths.GuaranteeStartedItem(item))
		stands(item, paths.GuaranteeCompletedItem(item))
		if !slices.Contains(s.Off, item) && !v.overrun(name, s) {
			stands(item, paths.ItemMisfire(item))
		}
		if _, there := last[paths.Item(item)]; there && item >= s.Shards {
			v.add("tree", name, item, v.h.End, "the shard exists, the configuration says %d", s.Shards)
		}
	}
	stands(-1, paths.Necessary())
	stands(-1, paths.Processing())
	for _, parent := range []string{paths.Triggers(), paths.ElectionLatch(), paths.FailoverLatch()} {
		for _, child := range below(last, parent) {
			stands(-1, parent+"/"+child)
		}
	}
	live := below(last, paths.Instances())
	for _, id := range below(last, paths.Agents()) {
		if !slices.Contains(live, id) {
			stands(-1, paths.Agents()+"/"+id)
		}
	}
}

func (v *verdicts) overrun(name string, s Setting) bool {
	for _, job := range v.h.Jobs {
		if job.Name == name {
			return overruns(job, s.Period)
		}
	}
	return false
}

// coverage looks for shards without a living owner.
func (v *verdicts) coverage(name string, paths jobtree.Job, last map[string]Node) {
	s := v.h.at(name, v.h.End)
	live := below(last, paths.Instances())
	if len(live) == 0 {
		v.add("tree", name, -1, v.h.End, "no instance serves the job")
		return
	}
	for item := range s.Shards {
		owner, ok := last[paths.ItemInstance(item)]
		switch {
		case !ok || owner.Data == "":
			v.add("tree", name, item, v.h.End, "the shard has no owner")
		case !slices.Contains(live, owner.Data):
			v.add("tree", name, item, v.h.End, "the shard belongs to %s, which has left", owner.Data)
		}
	}
	for _, id := range live {
		if !slices.ContainsFunc(v.h.Lives, func(l Life) bool {
			return l.To.IsZero() && strings.HasSuffix(id, "@-@"+strconv.Itoa(l.PID))
		}) {
			v.add("tree", name, -1, v.h.End, "the instance %s is registered and no process of the fleet", id)
		}
	}
}

// Bounds of growth: what the end may have more than the middle, as a share and
// at least.
var bounds = []struct {
	what  string
	value func(Sample) float64
	share float64
	least float64
}{
	{"resident bytes", func(s Sample) float64 { return s.Resident }, 0.5, 24 << 20},
	{"live heap bytes", func(s Sample) float64 { return s.Heap }, 0.5, 8 << 20},
	{"goroutines", func(s Sample) float64 { return s.Goroutines }, 0.25, 40},
	{"descriptors", func(s Sample) float64 { return s.Descriptors }, 0.25, 12},
}

// longEnough is how long a process must have lived for its growth to tell
// anything.
const longEnough = 3 * time.Minute

// growth compares what each process took in the middle of its life with its
// end.
func (v *verdicts) growth() {
	byPID := make(map[int][]Sample)
	for _, s := range v.h.Samples {
		byPID[s.PID] = append(byPID[s.PID], s)
	}
	for _, list := range byPID {
		first, last := list[0].At, list[len(list)-1].At
		if last.Sub(first) < longEnough {
			continue
		}
		var middle, end []Sample
		for _, s := range list {
			switch age := s.At.Sub(first); {
			case age > last.Sub(first)*4/5:
				end = append(end, s)
			case age > last.Sub(first)/5 && age < last.Sub(first)/2:
				middle = append(middle, s)
			}
		}
		for _, b := range bounds {
			from, to := median(middle, b.value), median(end, b.value)
			if from > 0 && to-from > max(b.least, from*b.share) {
				v.add("growth", "", -1, last, "%s (%d) takes %.0f %s at the end of %v and took %.0f before", list[0].Process, list[0].PID, to, b.what, last.Sub(first).Round(time.Second), from)
			}
		}
	}
}

// median is that of the values that are known.
func median(list []Sample, value func(Sample) float64) float64 {
	var known []float64
	for _, s := range list {
		if n := value(s); n > 0 {
			known = append(known, n)
		}
	}
	if len(known) == 0 {
		return 0
	}
	slices.Sort(known)
	return known[len(known)/2]
}

// excuse is how long after a fault the console may still say that it cannot ask
// ZooKeeper or the database.
const excuse = 15 * time.Second

// console judges what the console answered: no failure of its own, 503 only
// while what it needs was away, no answer only while it was not there.
func (v *verdicts) console() {
	var before time.Time // of a bad answer that nothing explains
	for _, a := range v.h.Answers {
		around := Span{a.From.Add(-excuse), a.To}
		disturbed := slices.ContainsFunc(v.h.Faults, func(f Fault) bool { return f.overlaps(around) })
		switch {
		case a.Status >= 500 && a.Status != http.StatusServiceUnavailable:
			v.add("console", "", -1, a.From, "%s is answered %d: %s", a.Request, a.Status, a.Body)
		case a.Status == 0 && !disturbed:
			v.add("console", "", -1, a.From, "%s has no answer within %v: %s", a.Request, a.To.Sub(a.From), a.Body)
		case a.Status == http.StatusServiceUnavailable && !disturbed:
			// Once may be a ZooKeeper that a busy machine held up for a second.
			if a.From.Sub(before) < excuse {
				v.add("console", "", -1, a.From, "%s is answered 503 again although nothing is away: %s", a.Request, a.Body)
			}
			before = a.From
		}
	}
	v.agreement()
}

// ListRequest is the request whose last answer must agree with the tree.
const ListRequest = "GET /api/jobs"

// agreement compares the console's last list of jobs with the last snapshot.
func (v *verdicts) agreement() {
	if len(v.h.Snapshots) == 0 {
		return
	}
	ns, err := jobtree.NewNamespace(v.h.Namespace)
	if err != nil {
		return // Said by the rule of the tree.
	}
	last := nodes(v.h.Snapshots[len(v.h.Snapshots)-1])
	for _, a := range slices.Backward(v.h.Answers) {
		if a.Request != ListRequest || a.Status != http.StatusOK || a.From.Before(v.h.Quiet) {
			continue
		}
		var list []struct {
			JobName            string `json:"jobName"`
			InstanceCount      int    `json:"instanceCount"`
			ShardingTotalCount int    `json:"shardingTotalCount"`
		}
		if err := json.Unmarshal([]byte(a.Body), &list); err != nil {
			v.add("console", "", -1, a.From, "the list of jobs is not understood: %v", err)
			return
		}
		if len(list) != len(v.h.Jobs) {
			v.add("console", "", -1, a.From, "the console lists %d jobs, there are %d", len(list), len(v.h.Jobs))
		}
		for _, j := range list {
			if live := len(below(last, ns.Job(j.JobName).Instances())); j.InstanceCount != live {
				v.add("console", j.JobName, -1, a.From, "the console says %d instances, the tree has %d", j.InstanceCount, live)
			}
			if s := v.h.at(j.JobName, v.h.End); s.Shards != j.ShardingTotalCount {
				v.add("console", j.JobName, -1, a.From, "the console says %d shards, the tree has %d", j.ShardingTotalCount, s.Shards)
			}
		}
		return
	}
	if !v.h.Quiet.IsZero() {
		v.add("console", "", -1, v.h.End, "the console did not list the jobs after quiet")
	}
}
