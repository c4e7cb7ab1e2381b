package rest

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// servers answers with every server, in the order of their addresses.
func (s *API) servers(c *gin.Context) {
	all, err := s.ReadServers(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b statistics.Server) int { return view.CompareIPs(a.IP, b.IP) })
	rows := []api.Server{}
	for _, srv := range all {
		rows = append(rows, api.Server{ServerIP: srv.IP, InstanceIDs: append([]string{}, srv.InstanceIDs...), JobNames: append([]string{}, srv.JobNames...), Instances: srv.Instances, Jobs: srv.Jobs, DisabledJobs: srv.DisabledJobs})
	}
	console.WriteJSON(c, http.StatusOK, rows)
}

// serversCount answers with the number of servers: the length of the list.
func (s *API) serversCount(c *gin.Context) {
	all, err := s.ReadServers(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, len(all))
}

// serverJobs answers with the jobs of one server.
func (s *API) serverJobs(c *gin.Context) {
	ip, err := console.ServerIP(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	jobs, err := s.ReadServerJobs(c, ip)
	if err != nil {
		s.Fail(c, err)
		return
	}
	rows := []api.ServerJob{}
	for _, j := range jobs {
		status := statistics.StatusOK
		if !j.Enabled {
			status = statistics.StatusDisabled
		}
		rows = append(rows, api.ServerJob{
			JobName: j.Name, Status: string(status), Description: j.Description, Cron: jobtree.Shown(j.Cron),
			InstanceCount: len(j.Instances), ShardingTotalCount: j.Shards, Instances: append([]string{}, j.Instances...),
		})
	}
	console.WriteJSON(c, http.StatusOK, rows)
}

type versionBody struct {
	Version string `json:"version"`
}

// version answers with the console's version.
func (s *API) version(c *gin.Context) {
	console.WriteJSON(c, http.StatusOK, versionBody{Version: s.Options().Version})
}
