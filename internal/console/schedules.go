package console

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/schedule"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// mostLooked bounds how long a schedule is compared with those of other jobs.
const mostLooked = 300 * time.Millisecond

// LookAtSchedule judges a schedule among those of the registry that the request is
// about. Without them it says nothing of other jobs. The question's time and others
// are filled in.
func (s *Console) LookAtSchedule(c *gin.Context, q schedule.Question) schedule.Report {
	q.Now = s.Now()
	if list, err := s.ReadJobs(c); err == nil {
		for _, j := range list {
			if j.Cron != "" && j.Status != statistics.StatusDisabled && j.Status != statistics.StatusBroken {
				q.Others = append(q.Others, schedule.Other{Name: j.Name, Cron: j.Cron, TimeZone: j.TimeZone, ClockChange: j.ClockChange, Shards: j.Shards})
			}
		}
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), mostLooked)
	defer cancel()
	return schedule.Look(ctx, q)
}
