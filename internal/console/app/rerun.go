package app

import (
	"log/slog"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Rerun runs shards of a job again, by a trigger of the instances that own them.
type Rerun struct {
	Job       string
	Shards    []int
	Instances []string
	// Reason is for the audit, Change the id of the form.
	Reason, Change string
}

// Submit triggers the instances. The error may be [ErrRepeated].
func (r Rerun) Submit(s *Console, c *gin.Context) (lifecycle.Outcome, error) {
	if err := s.BeginChange(c, settings.Change{ID: r.Change, Verb: TriggerInstances.Verb, Reason: r.Reason}); err != nil {
		return lifecycle.Outcome{}, err
	}
	out, err := s.Submit(c, TriggerInstances, Target{Job: r.Job, Instances: r.Instances})
	var refused *Problem
	if err != nil {
		refused = AsProblem(err)
	}
	s.FinishChange(c, r.Change, []settings.ChangeResult{ChangeResult(r.Job, out, refused)}, nil)
	s.Note(c, slog.String("target", r.Job), slog.String("instances", strings.Join(r.Instances, ",")),
		slog.String("shards", strings.Join(jobtree.ItemNames(r.Shards), ",")))
	if r.Reason != "" {
		s.Note(c, slog.String("reason", r.Reason))
	}
	return out, err
}
