// Package servers is the pages about the machines jobs run on.
package servers

import (
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ListProps is the list of servers.
type ListProps struct {
	Frame   layout.Frame
	Query   string
	Tabs    []Tab
	Notices []ui.Notice
	Rows    []Row
	Empty   *ui.Empty
	Summary string
}

// Tab filters by whether something runs there.
type Tab struct {
	Label, Count, Href string
	Active             bool
}

// Row is one server.
type Row struct {
	IP, Href                      string
	State                         ui.Chip
	Instances, Jobs, DisabledJobs string
	Note                          string
}

func current(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
