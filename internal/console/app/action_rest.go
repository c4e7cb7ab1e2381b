package app

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// AnAction documents a route that answers with the outcome of an action.
func AnAction(summary string) Operation {
	return Operation{Summary: summary, Answer: api.Outcome{}, Refusals: []int{http.StatusNotFound, http.StatusConflict}}
}

// Act is the handler of a REST route that carries an action out.
func (s *Console) Act(o Action) func(*gin.Context) error {
	return func(c *gin.Context) error {
		t, err := TargetOf(c)
		if err != nil {
			return err
		}
		chosen := o
		switch word := c.Query(o.Variant); {
		case o.Variant == "" || word == "" || word == "false":
		case word == "true":
			chosen = o.Varied()
			s.Note(c, slog.Bool(o.Variant, true))
		default:
			message := fmt.Sprintf("%s %q is neither true nor false.", o.Variant, view.Clip(word, 40))
			return Invalid(message, "Correct the query string. Nothing was changed.")
		}
		return s.ActOn(c, chosen, t)
	}
}

// ActOn carries an action out and answers with its outcome, or with no content after a removal.
func (s *Console) ActOn(c *gin.Context, o Action, t Target) error {
	out, err := s.Submit(c, o, t)
	if err != nil {
		return err
	}
	if o.Verb == Remove.Verb || Enveloped(c) {
		Done(c)
		return nil
	}
	WriteJSON(c, http.StatusOK, OutcomeBody(t, out))
	return nil
}

// TargetOf is the target of an action that an address names.
func TargetOf(c *gin.Context) (t Target, err error) {
	if _, named := c.Params.Get("job"); named {
		if t.Job, err = JobName(c); err != nil {
			return t, err
		}
	}
	if _, named := c.Params.Get("ip"); named {
		if t.IP, err = ServerIP(c); err != nil {
			return t, err
		}
	}
	if text, named := c.Params.Get("item"); named {
		t.IsShard, t.Instance = true, c.Query("instance")
		if t.Item, err = strconv.Atoi(text); err != nil || t.Item < 0 || t.Item > math.MaxInt32 || text != strconv.Itoa(t.Item) {
			message := fmt.Sprintf("%q is not the number of a shard.", view.Clip(text, 40))
			return t, Invalid(message, "Shards are numbered from 0. Nothing was changed.")
		}
	}
	return t, nil
}

// OutcomeBody is the outcome of an action as callers see it.
func OutcomeBody(t Target, out lifecycle.Outcome) api.Outcome {
	body := api.Outcome{Job: t.Job, Server: t.IP, Affected: append([]string{}, out.Affected...), Skipped: []api.Skip{}}
	for _, skip := range out.Skipped {
		body.Skipped = append(body.Skipped, api.Skip{Target: skip.Target, Reason: skip.Reason})
	}
	return body
}
