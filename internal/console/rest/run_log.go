package rest

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// runLog answers with lines of the log of a shard's attempt, of a run of the history.
func (s *API) runLog(c *gin.Context) error {
	asked, err := console.LogAsked(c)
	if err != nil {
		return err
	}
	found, err := s.ReadLogOfRun(c, asked)
	return console.Answer(c, console.LogBody(found.JobName, found.ID, found.RunLog, found.Logs, asked.After, found.State != rdb.RunRunning), err)
}
