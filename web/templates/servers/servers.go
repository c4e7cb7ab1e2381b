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
	Tabs    []ui.Tab
	Notices []ui.Notice
	Rows    []Row
	Empty   *ui.Empty
	Pager   ui.Pager
	// CleanUp leads to the removal of all servers without instances; nil where there
	// are none, or for who may not.
	CleanUp *ui.Button
}

// Row is one server.
type Row struct {
	IP, Href                      string
	State                         ui.Chip
	Instances, Jobs, DisabledJobs string
	Note                          string
	// Removable: no process is registered there.
	Removable bool
}
