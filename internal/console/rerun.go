package console

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// RerunPlan says what it takes to run some shards of a job again. The wire has a
// trigger for an instance alone, so that the other shards of the instance run too.
type RerunPlan struct {
	At     []RerunAt
	Cannot []RerunRefusal
}

// RerunAt is an instance that is asked.
type RerunAt struct {
	Instance string
	// Asked are the shards that somebody wants run, With those that run as well.
	Asked, With []int
	// Busy: a shard of it runs now. Agents drop a trigger that arrives while the
	// job runs.
	Busy bool
}

// RerunRefusal is a shard that cannot be run again now.
type RerunRefusal struct {
	Shard int
	Why   RerunWhy
	Owner string // empty if it has none
}

// RerunWhy is why.
type RerunWhy int

// The reasons.
const (
	// RerunMissing: the job has no such shard.
	RerunMissing RerunWhy = iota
	// RerunDisabled: the shard is.
	RerunDisabled
	// RerunUnassigned: it has no owner.
	RerunUnassigned
	// RerunLeft: its owner has left.
	RerunLeft
	// RerunServer: the server of its owner is not enabled.
	RerunServer
)

// PlanRerun says what runs where if shards of a job are run again.
func PlanRerun(job statistics.JobDetail, shards []int) (p RerunPlan) {
	live := make(map[string]statistics.Instance, len(job.Instances))
	for _, i := range job.Instances {
		live[i.ID] = i
	}
	byNumber := make(map[int]statistics.Shard, len(job.Shards))
	for _, s := range job.Shards {
		byNumber[s.Item] = s
	}
	at := make(map[string]int)
	for _, n := range shards {
		s, exists := byNumber[n]
		owner, lives := live[s.Instance]
		refuse := func(why RerunWhy) { p.Cannot = append(p.Cannot, RerunRefusal{n, why, s.Instance}) }
		switch {
		case !exists:
			refuse(RerunMissing)
		case s.Disabled:
			refuse(RerunDisabled)
		case s.Instance == "":
			refuse(RerunUnassigned)
		case !lives:
			refuse(RerunLeft)
		case !owner.Enabled:
			refuse(RerunServer)
		default:
			i, known := at[s.Instance]
			if !known {
				i = len(p.At)
				at[s.Instance] = i
				p.At = append(p.At, RerunAt{Instance: s.Instance})
			}
			p.At[i].Asked = append(p.At[i].Asked, n)
		}
	}
	for _, s := range job.Shards {
		if i, asked := at[s.Instance]; asked {
			if !s.Disabled && !slices.Contains(p.At[i].Asked, s.Item) {
				p.At[i].With = append(p.At[i].With, s.Item)
			}
		}
		if i, asked := at[s.RunningOn]; asked {
			p.At[i].Busy = true
		}
	}
	return p
}

// Instances are those that are asked, in order.
func (p RerunPlan) Instances() []string {
	var ids []string
	for _, at := range p.At {
		ids = append(ids, at.Instance)
	}
	slices.Sort(ids)
	return ids
}

// Rerun runs shards of a job again, by a trigger of the instances that own them.
type Rerun struct {
	Job       string
	Shards    []int
	Instances []string
	// Reason and Change are as in [Bulk].
	Reason, Change string
}

// Submit triggers the instances. The error may be [ErrRepeated].
func (r Rerun) Submit(s *Console, c *gin.Context) (lifecycle.Outcome, error) {
	b := Bulk{Action: TriggerInstances, Jobs: []string{r.Job}, Reason: r.Reason, Change: r.Change}
	if _, err := s.beginChange(c, b); err != nil {
		return lifecycle.Outcome{}, err
	}
	out, err := s.Submit(c, TriggerInstances, Target{Job: r.Job, Instances: r.Instances})
	result := BulkResult{Outcome: out}
	if err != nil {
		result.Refused = AsProblem(err)
	}
	s.finishChange(c, b, nil, []BulkResult{result}, nil)
	s.Note(c, slog.String("target", r.Job), slog.String("instances", strings.Join(r.Instances, ",")),
		slog.String("shards", strings.Join(jobtree.ItemNames(r.Shards), ",")))
	if r.Reason != "" {
		s.Note(c, slog.String("reason", r.Reason))
	}
	return out, err
}
