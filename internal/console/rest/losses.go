package rest

import (
	"fmt"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

const lossesRoute = "/api/losses"

type acknowledgeRequest struct {
	Instances []string `json:"instances"`
}

type acknowledgedBody struct {
	Acknowledged []string `json:"acknowledged"`
}

// losses lists the instances that were lost, the newest first.
func (s *API) losses(c *gin.Context) error {
	rows := []api.Loss{}
	for _, lost := range s.Lost(c) {
		row := api.Loss{Instance: lost.Instance, Server: jobtree.InstanceIP(lost.Instance), At: view.IsoTime(lost.At), Exit: string(lost.Exit)}
		for _, job := range lost.Jobs {
			row.Jobs = append(row.Jobs, api.LossJob{JobName: job.Name, Items: append([]int{}, job.Lost...), Open: append([]int{}, job.Open...)})
		}
		rows = append(rows, row)
	}
	return console.Answer(c, rows, nil)
}

// acknowledge ends that instances count as lost.
func (s *API) acknowledge(c *gin.Context) error {
	var in acknowledgeRequest
	if err := console.ReadJSON(c, &in); err != nil {
		return err
	}
	if n := len(in.Instances); n == 0 || n > console.MaxAcknowledged {
		return console.Invalid(fmt.Sprintf("instances has %d ids.", n), fmt.Sprintf("Name 1 to %d instances, as GET %s lists them.", console.MaxAcknowledged, lossesRoute))
	}
	return console.Answer(c, acknowledgedBody{s.AcknowledgeLosses(c, in.Instances)}, nil)
}
