package jobs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// reshardPlan answers what would move if what the query string says
// happened: leave and join with instance ids, disable and enable with addresses,
// each as often as wanted, shards and strategy. An account has one plan made at
// a time: making one reads the whole job.
func (s service) reshardPlan() func(*gin.Context) error {
	var planning onePerAccount
	return func(c *gin.Context) error {
		name, err := app.JobName(c)
		if err != nil {
			return err
		}
		asked, err := reshardOf(c.Request.URL.Query())
		if err != nil {
			return err
		}
		who := app.Caller(c).Name
		if !planning.enter(who) {
			return &app.Problem{
				Kind: app.KindTooMany, Code: "busy", Retry: 1,
				Message: fmt.Sprintf("Another plan is being made for the account %s.", who),
				Hint:    "Ask again when its answer has come.",
			}
		}
		defer planning.leave(who)
		ctx, cancel := s.Reading(c)
		defer cancel()
		plan, err := s.RegistryOf(c).Jobs.PlanReshard(ctx, name, asked.change)
		if err != nil {
			return s.planProblem(c, name, err)
		}
		return app.Answer(c, asked.part(plan), nil)
	}
}

// planProblem is why there is no plan.
func (s service) planProblem(c *gin.Context, name string, err error) error {
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		return app.NoSuchJob(name)
	case errors.Is(err, statistics.ErrInvalidChange):
		return app.Invalid("This cannot happen to the job: "+cause(err, statistics.ErrInvalidChange)+".", "Look at the job's instances and servers.")
	case errors.Is(err, statistics.ErrUnpredictable):
		return &app.Problem{
			Kind: app.KindInvalid, Code: "unpredictable",
			Message: "Nobody can tell who would get which shard: " + cause(err, statistics.ErrUnpredictable) + ".",
			Hint:    "Plans are made for the strategies AVG_ALLOCATION, ODEVITY and ROUND_ROBIN.",
		}
	}
	return s.RegistryDown(c, err)
}

// maxPlanned is how many shards one answer tells about.
const maxPlanned = 1000

// reshardRequest is what a query string asks for: a change, and which shards
// the answer is about.
type reshardRequest struct {
	change      statistics.Change
	from, limit int
}

// part is the answer about the shards that were asked for.
func (r *reshardRequest) part(plan *statistics.ReshardPlan) api.Reshard {
	end := r.from + r.limit
	body := api.Reshard{
		JobName: plan.Job, Reshards: plan.Reshards, Reason: plan.Reason,
		MoveCount: len(plan.Moves), WaitCount: len(plan.Waits), From: r.from, Moves: []api.Move{},
		Owners:    view.Clipped(plan.Owners[min(r.from, len(plan.Owners)):min(end, len(plan.Owners))]),
		Instances: view.Clipped(plan.Instances[:min(maxPlanned, len(plan.Instances))]), Waits: []int{},
	}
	for _, item := range plan.Waits {
		if item >= r.from && item < end {
			body.Waits = append(body.Waits, item)
		}
	}
	if end < len(plan.Owners) {
		body.Next = &end
	}
	for _, m := range plan.Moves { // ascending
		switch {
		case m.Item < r.from:
		case m.Item < end:
			body.Moves = append(body.Moves, api.Move{Item: m.Item, From: jobtree.Shown(m.From), To: jobtree.Shown(m.To)})
		case body.Next == nil: // a shard that goes, with a number far beyond
			body.Next = &m.Item
		}
	}
	return body
}

// onePerAccount lets each account do one thing at a time. It is safe for
// concurrent use; the zero value is ready.
type onePerAccount struct{ busy sync.Map }

func (o *onePerAccount) enter(account string) bool {
	_, there := o.busy.LoadOrStore(account, true)
	return !there
}

func (o *onePerAccount) leave(account string) { o.busy.Delete(account) }

// cause is what an error says behind its kind.
func cause(err, kind error) string {
	_, text, _ := strings.Cut(err.Error(), kind.Error()+": ")
	return text
}

// reshardOf reads a query string.
func reshardOf(values map[string][]string) (*reshardRequest, error) {
	asked := &reshardRequest{limit: maxPlanned}
	var problems []string
	known := []string{"leave", "join", "disable", "enable", "shards", "strategy", "from", "limit"}
	number := func(key, text string, at *int, least, most int) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			problems = append(problems, fmt.Sprintf("%s is %q, want a number from %d to %d", key, view.Clip(text, 40), least, most))
			return
		}
		*at = n
	}
	for key, given := range values {
		switch key {
		case "leave":
			asked.change.Leave = given
		case "join":
			asked.change.Join = given
		case "disable":
			asked.change.Disable = given
		case "enable":
			asked.change.Enable = given
		case "registry": // which one the plan is about
		case "strategy":
			asked.change.Strategy = given[0]
		case "shards":
			number(key, given[0], &asked.change.Shards, 1, jobconfig.MaxShards)
		case "from":
			number(key, given[0], &asked.from, 0, math.MaxInt32)
		case "limit":
			number(key, given[0], &asked.limit, 1, maxPlanned)
		default:
			problems = append(problems, fmt.Sprintf("%q is not known; there are %s", view.Clip(key, 40), strings.Join(known, ", ")))
		}
	}
	if len(problems) > 0 {
		slices.Sort(problems)
		return nil, app.Invalid(strings.Join(problems[:min(10, len(problems))], "; ")+".", "Correct the query string.")
	}
	return asked, nil
}
