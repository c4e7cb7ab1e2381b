package console

import (
	"log/slog"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

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
