package overview

import (
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const lossesRoute = "/api/losses"

type (
	acknowledgeRequest struct {
		Instances []string `json:"instances"`
	}
	acknowledgedBody struct {
		Acknowledged []string `json:"acknowledged"`
	}
)

// losses lists the instances that were lost, the newest first.
func (s service) losses(c *gin.Context) error {
	rows := []api.Loss{}
	for _, lost := range s.Lost(c) {
		row := api.Loss{Instance: lost.Instance, Server: jobtree.InstanceIP(lost.Instance), At: view.IsoTime(lost.At), Exit: string(lost.Exit)}
		for _, job := range lost.Jobs {
			row.Jobs = append(row.Jobs, api.LossJob{JobName: job.Name, Items: append([]int{}, job.Lost...), Open: append([]int{}, job.Open...)})
		}
		rows = append(rows, row)
	}
	return app.Answer(c, rows, nil)
}

// acknowledgeLosses ends that instances count as lost.
func (s service) acknowledgeLosses(c *gin.Context) error {
	var in acknowledgeRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	if n := len(in.Instances); n == 0 || n > app.MaxAcknowledged {
		return app.Invalid(fmt.Sprintf("instances has %d ids.", n), fmt.Sprintf("Name 1 to %d instances, as GET %s lists them.", app.MaxAcknowledged, lossesRoute))
	}
	return app.Answer(c, acknowledgedBody{s.AcknowledgeLosses(c, in.Instances)}, nil)
}

const (
	// lostTogether is within what time instances were lost together, and lostAlone how many of
	// them have a line each. lostMost is how many instances a line is about at most.
	lostTogether = time.Minute
	lostAlone    = 3
	lostMost     = 50
)

// lostLines are the instances that were lost, the newest first. Many instances that were lost
// together share a line.
func lostLines(l i18n.Lang, list []members.LostInstance, operates bool, now time.Time) (lines []overview.Attention) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(one members.LostInstance) bool { return list[0].At.Sub(one.At) > lostTogether })
		if n < 0 {
			n = len(list)
		}
		if n = min(n, lostMost); n <= lostAlone {
			n = 1
		}
		lines = append(lines, lostLine(l, list[:n], operates, now))
		list = list[n:]
	}
	return lines
}

// lostLine is a line about some instances, sorted from the last loss to the first.
func lostLine(l i18n.Lang, list []members.LostInstance, operates bool, now time.Time) overview.Attention {
	oldest, v := list[len(list)-1], url.Values{}
	var jobs []string
	lost, open := 0, 0
	for _, one := range list {
		v.Add("instance", one.Instance)
		for _, job := range one.Jobs {
			lost, open, jobs = lost+len(job.Lost), open+len(job.Open), append(jobs, job.Name)
		}
	}
	slices.Sort(jobs)
	jobs = slices.Compact(jobs)
	line := overview.Attention{
		Name: oldest.Instance, Href: app.JobPath("/jobs", jobs[0]), Status: ui.Chip{Tone: ui.ToneLost, Label: l.CardsLostChip(), TestID: "status"},
		Reason: l.CardsLostPlain(), Jobs: view.Enumerate(jobs, 3), Since: view.ForTime(oldest.At, now),
	}
	switch {
	case lost > 0 && open > 0:
		line.Reason = l.CardsOpenAndLost(l.CardsLostReason(lost), l.CardsOpenReason(open))
	case lost > 0:
		line.Reason = l.CardsLostReason(lost)
	case open > 0:
		line.Reason = l.CardsOpenReason(open)
	}
	switch {
	case len(list) > 1:
		line.Name, line.Plain, line.Href = l.CardsLostMany(len(list)), true, "/servers"
	case len(jobs) > 1:
		line.Href = query.WithQuery("/jobs", url.Values{"q": {"server:" + jobtree.InstanceIP(oldest.Instance)}})
	}
	if operates {
		line.Action = &ui.Button{Small: true, Label: l.CardsAcknowledge(), Subject: line.Name, Post: query.WithQuery(acknowledgeRoute, v), TestID: "acknowledge"}
	}
	return line
}

const acknowledgeRoute = "/losses/acknowledge"

// acknowledge is the target of the button of a line about lost instances.
func (s service) acknowledge(c *gin.Context) {
	had := s.AcknowledgeLosses(c, c.QueryArray("instance"))
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).CardsAcknowledged(len(had))})
	s.RedirectHere(c, "/")
}
