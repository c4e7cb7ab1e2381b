// Package servers is the pages about the machines that jobs run on.
package servers

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// ListProps is the list of servers.
type ListProps struct {
	Frame   layout.Frame
	Query   string
	Tabs    []ui.Tab
	Servers []statistics.Server
	Empty   *ui.Empty
	Pager   ui.Pager
	// Offline is how many servers the user may clean up.
	Offline int
}

// stateOf is the state of a server.
func stateOf(l i18n.Lang, s statistics.Server) ui.State {
	st := ui.State{Tone: ui.ToneOK, Label: l.FleetOnline(), TestID: "server-state"}
	switch {
	case s.Instances == 0:
		st.Tone, st.Label = ui.ToneQuiet, l.FleetOffline()
	case s.Jobs > 0 && s.DisabledJobs == s.Jobs:
		st.Tone, st.Label = ui.ToneOff, l.FleetDisabled()
	}
	return st
}

// noteOf explains the state in the list.
func noteOf(l i18n.Lang, s statistics.Server) string {
	switch {
	case s.Instances == 0:
		return l.FleetOfflineNote()
	case s.Jobs > 0 && s.DisabledJobs == s.Jobs:
		return l.FleetDisabledNote()
	case s.DisabledJobs > 0:
		return l.FleetSomeDisabled(s.DisabledJobs)
	}
	return ""
}

// lineOf explains the state on the page of the server.
func lineOf(l i18n.Lang, s statistics.Server) string {
	switch {
	case s.Instances == 0:
		return l.ServerLineOffline(s.Jobs)
	case s.DisabledJobs == s.Jobs:
		return l.ServerLineDisabled()
	case s.DisabledJobs > 0:
		return l.ServerLineSome(s.DisabledJobs, s.Jobs)
	}
	return l.ServerLineOnline(s.Instances, s.Jobs)
}

// ServerProps is the page of a server.
type ServerProps struct {
	Frame   layout.Frame
	Now     time.Time
	Server  statistics.Server
	Actions []ui.Button // of users who may
	Ran     Ran
	// Instances are the live instances. Counted: their shards are complete.
	Instances []Instance
	Counted   bool
	Jobs      []JobRow
	Pager     ui.Pager
	Operates  bool // the jobs have a column of buttons
}

// mostInstances is how many instances the page lists.
const mostInstances = 50

// Ran is what ran on the server.
type Ran struct {
	Asked query.Server
	// Problem is set if the history can't be read.
	Problem *ui.Problem
	Sub     string
	Lanes   chart.Lanes
	Spans   []ui.Tab
	// Rows are the executions at the instant of the address; More: there may be others.
	Rows []runs.Execution
	More bool
}

// Instance is a live instance, with the numbers of its jobs, their shards, and the jobs that it leads.
type Instance struct {
	ID                  string
	Jobs, Shards, Leads int
	Since               time.Time
}

// JobRow is a job of the server.
type JobRow struct {
	statistics.ServerJob
	State     ui.State
	Assigned  int // shards on the server; -1 if unknown
	Last      ui.Time
	LastState ui.State
	Actions   []ui.Button
}

// here is the state of the job on the server.
func (r JobRow) here(l i18n.Lang) ui.State {
	if r.Enabled {
		return ui.State{Tone: ui.ToneOK, Label: l.ServerEnabled(), TestID: "here"}
	}
	return ui.State{Tone: ui.ToneOff, Label: l.ServerDisabled(), TestID: "here"}
}

// CleanUpProps asks before the entries of servers are removed.
type CleanUpProps struct {
	Frame   layout.Frame
	Now     time.Time
	Notices []ui.Notice
	// Entries is how many entries are removed if the ticks stay as they are.
	Entries int
	Rows    []CleanUpRow
	// More is how many servers are not listed.
	More         int
	Reason, Curl string // Reason is the text that was typed before
}

// CleanUpRow is a server without instances, with the start of its last execution if it's known.
type CleanUpRow struct {
	statistics.Server
	Note   string
	Last   time.Time
	Ticked bool
}
