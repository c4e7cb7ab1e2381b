package console

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// reshardBody says what would become of a job's items.
type reshardBody struct {
	JobName   string     `json:"jobName"`
	Reshards  bool       `json:"reshards"`
	Reason    string     `json:"reason"`
	Moves     []moveBody `json:"moves"`
	Owners    []string   `json:"owners"`
	Instances []string   `json:"instances"`
	Waits     []int      `json:"waits"`
}

type moveBody struct {
	Item int    `json:"item"`
	From string `json:"from"`
	To   string `json:"to"`
}

// apiReshardPlan answers what would move if what the query string says
// happened: leave and join with instance ids, disable and enable with addresses,
// each as often as wanted, shards and strategy.
func (s *Console) apiReshardPlan(c *gin.Context) {
	name, err := jobName(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	change, err := changeOf(c.Request.URL.Query())
	if err != nil {
		s.fail(c, err)
		return
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	plan, err := s.centreOf(c).jobs.PlanReshard(ctx, name, change)
	switch {
	case errors.Is(err, statistics.ErrJobNotFound):
		err = noSuchJob(name)
	case errors.Is(err, statistics.ErrInvalidChange):
		err = invalid("This cannot happen to the job: "+cause(err, statistics.ErrInvalidChange)+".", "Look at the job's instances and servers.")
	case errors.Is(err, statistics.ErrUnpredictable):
		err = &problem{
			status: http.StatusUnprocessableEntity, code: "unpredictable",
			message: "Nobody can tell who would get which item: " + cause(err, statistics.ErrUnpredictable) + ".",
			hint:    "Plans are made for the strategies AVG_ALLOCATION, ODEVITY and ROUND_ROBIN.",
		}
	case err != nil:
		err = s.registryDown(c, err)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	body := reshardBody{
		JobName: plan.Job, Reshards: plan.Reshards, Reason: plan.Reason, Moves: []moveBody{},
		Owners: append([]string{}, plan.Owners...), Instances: append([]string{}, plan.Instances...), Waits: append([]int{}, plan.Waits...),
	}
	for _, m := range plan.Moves {
		body.Moves = append(body.Moves, moveBody{m.Item, m.From, m.To})
	}
	writeJSON(c, http.StatusOK, body)
}

// cause is what an error says behind its kind.
func cause(err, kind error) string {
	_, text, _ := strings.Cut(err.Error(), kind.Error()+": ")
	return text
}

// changeOf reads a change from a query string.
func changeOf(values map[string][]string) (statistics.Change, error) {
	var change statistics.Change
	var problems []string
	known := []string{"leave", "join", "disable", "enable", "shards", "strategy"}
	for key, given := range values {
		switch key {
		case "leave":
			change.Leave = given
		case "join":
			change.Join = given
		case "disable":
			change.Disable = given
		case "enable":
			change.Enable = given
		case "registry": // which one the plan is about
		case "strategy":
			change.Strategy = given[0]
		case "shards":
			n, err := strconv.Atoi(given[0])
			if err != nil || n < 1 {
				problems = append(problems, fmt.Sprintf("shards is %q, want a number from 1", given[0]))
			}
			change.Shards = n
		default:
			problems = append(problems, fmt.Sprintf("%q is not known; there are %s", key, strings.Join(known, ", ")))
		}
	}
	if len(problems) > 0 {
		slices.Sort(problems)
		return change, invalid(strings.Join(problems, "; ")+".", "Correct the query string.")
	}
	return change, nil
}
