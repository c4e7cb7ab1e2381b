package console

import (
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// serverBody is ElasticJob's ServerBriefInfo.
type serverBody struct {
	ServerIP     string   `json:"serverIp"`
	InstanceIDs  []string `json:"instances"`
	JobNames     []string `json:"jobNames"`
	Instances    int      `json:"instancesNum"`
	Jobs         int      `json:"jobsNum"`
	DisabledJobs int      `json:"disabledJobsNum"`
}

// serverJobBody is what ElasticJob's JobBriefInfo has for a job of a server.
type serverJobBody struct {
	JobName            string   `json:"jobName"`
	Status             string   `json:"status"`
	Description        string   `json:"description"`
	Cron               string   `json:"cron"`
	InstanceCount      int      `json:"instanceCount"`
	ShardingTotalCount int      `json:"shardingTotalCount"`
	Instances          []string `json:"instances"`
}

// apiServers answers with every server, in the order of their addresses.
func (s *Console) apiServers(c *gin.Context) {
	all, err := s.readServers(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b statistics.Server) int { return view.CompareIPs(a.IP, b.IP) })
	rows := []serverBody{}
	for _, srv := range all {
		rows = append(rows, serverBody{ServerIP: srv.IP, InstanceIDs: append([]string{}, srv.InstanceIDs...), JobNames: append([]string{}, srv.JobNames...), Instances: srv.Instances, Jobs: srv.Jobs, DisabledJobs: srv.DisabledJobs})
	}
	writeModel(c, http.StatusOK, rows)
}

// apiServersCount answers with the number of servers: the length of the list.
func (s *Console) apiServersCount(c *gin.Context) {
	all, err := s.readServers(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, len(all))
}

// apiServerJobs answers with the jobs of one server.
func (s *Console) apiServerJobs(c *gin.Context) {
	ip, err := serverIP(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	jobs, err := s.centreOf(c).Jobs.ServerJobs(ctx, ip)
	switch {
	case errors.Is(err, statistics.ErrServerNotFound):
		s.fail(c, noSuchServer(ip))
		return
	case err != nil:
		s.fail(c, s.registryDown(c, err))
		return
	}
	rows := []serverJobBody{}
	for _, j := range jobs {
		if looksOnly(c) {
			j.Description = mask.Text(j.Description)
		}
		status := statistics.StatusOK
		if !j.Enabled {
			status = statistics.StatusDisabled
		}
		rows = append(rows, serverJobBody{
			JobName: j.Name, Status: string(status), Description: j.Description, Cron: jobtree.Shown(j.Cron),
			InstanceCount: len(j.Instances), ShardingTotalCount: j.Shards, Instances: append([]string{}, j.Instances...),
		})
	}
	writeModel(c, http.StatusOK, rows)
}

type versionBody struct {
	Version string `json:"version"`
}

// apiVersion answers with the console's version.
func (s *Console) apiVersion(c *gin.Context) {
	writeModel(c, http.StatusOK, versionBody{Version: s.options().Version})
}
