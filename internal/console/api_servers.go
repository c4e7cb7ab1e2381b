package console

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// serverBody is ElasticJob's ServerBriefInfo without the lists of names.
type serverBody struct {
	ServerIP     string `json:"serverIp"`
	Instances    int    `json:"instancesNum"`
	Jobs         int    `json:"jobsNum"`
	DisabledJobs int    `json:"disabledJobsNum"`
}

// apiServers answers with every server, in the order of their addresses.
func (s *Console) apiServers(c *gin.Context) {
	all, err := s.readServers(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b statistics.Server) int { return compareIPs(a.IP, b.IP) })
	rows := []serverBody{}
	for _, srv := range all {
		rows = append(rows, serverBody{ServerIP: srv.IP, Instances: srv.Instances, Jobs: srv.Jobs, DisabledJobs: srv.DisabledJobs})
	}
	writeJSON(c, http.StatusOK, rows)
}

type versionBody struct {
	Version string `json:"version"`
}

// apiVersion answers with the console's version.
func (s *Console) apiVersion(c *gin.Context) {
	writeJSON(c, http.StatusOK, versionBody{Version: s.opts.Version})
}
