package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// versions answers with the configurations of a job that were saved in the console, newest first.
func (s *API) versions(c *gin.Context) {
	name, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	list, err := s.ReadVersions(c, name)
	if err != nil {
		s.Fail(c, err)
		return
	}
	rows := []api.ConfigVersion{}
	for _, v := range list {
		row := api.ConfigVersion{Revision: v.Revision, At: optionalTime(v.At), User: v.User, Reason: v.Reason, Document: v.Document}
		if config, err := jobconfig.Decode([]byte(v.Document)); err == nil {
			row.Config = console.ConfigBody(c, config)
		}
		rows = append(rows, row)
	}
	console.WriteJSON(c, http.StatusOK, rows)
}
