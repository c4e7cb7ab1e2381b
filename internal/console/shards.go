package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// The verbs of changes of shards: what [settings.Change] keeps of them.
const (
	ShardsDisabled = "disable shards"
	ShardsEnabled  = "enable shards"
)

// ShardSwitch switches several shards of a job off or on.
type ShardSwitch struct {
	Job string
	// Items are the shards, at most [MostAtOnce].
	Items []int
	// On enables them.
	On bool
	// Reason and Change are as in [Bulk].
	Reason, Change string
}

func (w ShardSwitch) verb() string {
	if w.On {
		return ShardsEnabled
	}
	return ShardsDisabled
}

func (w ShardSwitch) action() Action {
	if w.On {
		return EnableShard
	}
	return DisableShard
}

// Foresee says what the switch does to each of its shards as the job stands.
func (w ShardSwitch) Foresee(job statistics.JobDetail) []BulkResult {
	results := make([]BulkResult, 0, len(w.Items))
	for _, item := range w.Items {
		r := BulkResult{Outcome: lifecycle.Outcome{Job: w.Job}}
		i := slices.IndexFunc(job.Shards, func(s statistics.Shard) bool { return s.Item == item })
		switch {
		case i < 0:
			r.Refused = NotFound(fmt.Sprintf("The job has no shard %d.", item), "")
		case job.Shards[i].Disabled != w.On:
			r.Skipped = []lifecycle.Skip{{Target: strconv.Itoa(item), Reason: "it is so already"}}
		default:
			r.Affected = []string{strconv.Itoa(item)}
		}
		results = append(results, r)
	}
	return results
}

// Submit carries the switch out, shard by shard: a result for each. It fails if
// nothing can be read or changed, or with [ErrRepeated]. It is one record of the
// audit.
func (w ShardSwitch) Submit(s *Console, c *gin.Context) ([]BulkResult, error) {
	job, err := s.LookUp(c, w.Job)
	if err != nil {
		return nil, err
	}
	b := Bulk{Action: Action{Verb: w.verb()}, Reason: w.Reason, Change: w.Change}
	if _, err := s.beginChange(c, b); err != nil {
		return nil, err
	}
	results := w.Foresee(job)
	for range results {
		b.Jobs = append(b.Jobs, w.Job)
	}
	err = w.carryOut(s, c, results)
	s.finishChange(c, b, nil, results, err)
	return results, err
}

// switchActions is how many times as long as one action a change of several shards may take.
const switchActions = 6

// carryOut does what was foreseen, and puts into the results what became of it.
func (w ShardSwitch) carryOut(s *Console, c *gin.Context, results []BulkResult) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), switchActions*s.opts.ActionTimeout)
	defer cancel()
	done, refused := 0, 0
	var down error
	for i := range results {
		r := &results[i]
		if len(r.Affected) == 0 {
			continue
		}
		t := Target{Job: w.Job, Item: w.Items[i], IsShard: true}
		err := down
		if down == nil {
			_, err = w.action().Call(s.RegistryOf(c).Operator, ctx, t)
		}
		if err == nil {
			done++
			continue
		}
		refused++
		r.Outcome = lifecycle.Outcome{Job: w.Job, Skipped: []lifecycle.Skip{{Target: strconv.Itoa(t.Item), Reason: "it was refused"}}}
		r.Refused = AsProblem(s.ActionProblem(c, w.action(), t, err))
		if errors.Is(err, lifecycle.ErrUnavailable) || ctx.Err() != nil {
			down = err // the others would fail alike
		}
	}
	s.Note(c, slog.String("order", w.verb()), slog.String("target", w.Job),
		slog.String("shards", strings.Join(jobtree.ItemNames(w.Items), ",")),
		slog.Int("affected", done), slog.Int("skipped", len(results)-done-refused), slog.Int("refused", refused))
	if w.Reason != "" {
		s.Note(c, slog.String("reason", w.Reason))
	}
	if down != nil && done == 0 {
		p := s.ActionProblem(c, w.action(), Target{Job: w.Job}, down)
		Refused(c, p.Code)
		return p
	}
	return nil
}

// undoShards switches back the shards that a change switched.
func undoShards(s *Console, c *gin.Context, change settings.Change) ([]BulkResult, error) {
	w := ShardSwitch{On: change.Verb == ShardsDisabled}
	for _, r := range change.Results {
		w.Job = r.Job
		for _, name := range r.Affected {
			if item, err := strconv.Atoi(name); err == nil && r.Code == "" {
				w.Items = append(w.Items, item)
			}
		}
	}
	job, err := s.LookUp(c, w.Job)
	if err != nil {
		return nil, err
	}
	results := w.Foresee(job)
	return results, w.carryOut(s, c, results)
}
