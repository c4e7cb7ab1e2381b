package app

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// FireTogether is the instant of several at which the most other jobs of the registry fire
// together with a job, and how many they are; 0 if nobody knows.
func FireTogether(s *Console, c *gin.Context, job string, instants []time.Time) (at time.Time, others int) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Jobs.Jobs(ctx)
	if err != nil {
		return at, 0
	}
	at, others, _ = s.together.Most(list, job, instants)
	return at, others
}

// FiresOf is when jobs fire within a day from now.
func FiresOf(s *Console, all []statistics.Job) view.Fires { return s.fires.Of(all, s.Now()) }
