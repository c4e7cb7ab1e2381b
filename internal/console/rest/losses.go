package rest

import (
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

const lossesRoute = "/api/losses"

// lossBody is an instance of a job that was lost.
type lossBody struct {
	Instance string `json:"instanceId"`
	Server   string `json:"serverIp"`
	JobName  string `json:"jobName"`
	At       string `json:"at"`
	// Exit is lost, or unknown if a Java agent left while it was running shards.
	Exit string `json:"exit"`
	// Items are the shards that it was running.
	Items []int `json:"items"`
}

type acknowledgeRequest struct {
	Instances []string `json:"instances"`
}

type acknowledgedBody struct {
	Acknowledged []string `json:"acknowledged"`
}

// losses lists the instances that were lost, the newest first.
func (s *API) losses(c *gin.Context) {
	rows := []lossBody{}
	for _, lost := range s.Losses(c) {
		rows = append(rows, lossBody{
			Instance: lost.Instance, Server: lost.IP(), JobName: lost.Job, At: view.IsoTime(lost.At), Exit: string(lost.Exit), Items: append([]int{}, lost.Lost...),
		})
	}
	writeModel(c, http.StatusOK, rows)
}

// acknowledge ends that instances count as lost.
func (s *API) acknowledge(c *gin.Context) {
	var in acknowledgeRequest
	if err := readJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	if n := len(in.Instances); n == 0 || n > console.MaxAcknowledged {
		s.Fail(c, console.Invalid(fmt.Sprintf("instances has %d ids.", n), fmt.Sprintf("Name 1 to %d instances, as GET %s lists them.", console.MaxAcknowledged, lossesRoute)))
		return
	}
	writeModel(c, http.StatusOK, acknowledgedBody{s.AcknowledgeLosses(c, in.Instances)})
}
