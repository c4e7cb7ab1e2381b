package rest

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// sharding answers with the shards of one job, at most [query.MaxShards] of them:
// the page that the query names, else the first. X-Total-Count has the number of
// all shards.
func (s *API) sharding(c *gin.Context) error {
	page, size, problems := query.ParseShards(c.Request.URL.Query())
	if len(problems) > 0 {
		return console.Misunderstood(problems, i18n.Lang.AddressCorrect)
	}
	job, err := s.ReadJob(c)
	if err != nil {
		return err
	}
	from := min((page-1)*size, len(job.Shards))
	c.Header("X-Total-Count", strconv.Itoa(len(job.Shards)))
	return console.Answer(c, shardsJSON(job.Shards[from:min(from+size, len(job.Shards))]), nil)
}
