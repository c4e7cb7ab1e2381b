package jobtree

// Cloud spells the paths of ElasticJob-Cloud. Its namespace contains no jobs of ElasticJob-Lite.
// The zero value isn't usable; get one from NewCloud. It's a small comparable value.
//
//	/config/app/NAME, /config/job/NAME          written by people
//	/state/disable/app/NAME, …/job/NAME         the switch of an operator
//	/ha/election                                the schedulers' election
//	/extension/app/NAME, …/job/NAME, …/status/NAME   ours, not read by upstream
type Cloud struct {
	root string
}

// NewCloud returns the paths of ElasticJob-Cloud in a namespace.
func NewCloud(n Namespace) Cloud { return Cloud(n) }

// Root is the namespace's node.
func (c Cloud) Root() string { return c.root }

// Apps is the parent of the applications' documents.
func (c Cloud) Apps() string           { return c.root + "/config/app" }
func (c Cloud) App(name string) string { return c.Apps() + "/" + name }

// Jobs is the parent of the jobs' documents. Don't create nodes below one of them, because upstream
// reads every node below Jobs, at any depth, as a job.
func (c Cloud) Jobs() string           { return c.root + "/config/job" }
func (c Cloud) Job(name string) string { return c.Jobs() + "/" + name }

// DisabledApps and DisabledJobs are the parents of the nodes that exist while an operator has
// disabled an application or a job.
func (c Cloud) DisabledApps() string           { return c.root + "/state/disable/app" }
func (c Cloud) DisabledApp(name string) string { return c.DisabledApps() + "/" + name }
func (c Cloud) DisabledJobs() string           { return c.root + "/state/disable/job" }
func (c Cloud) DisabledJob(name string) string { return c.DisabledJobs() + "/" + name }

// HA is the parent of the election, and Election of the candidates' nodes, in the format of Curator's LeaderSelector.
func (c Cloud) HA() string       { return c.root + "/ha" }
func (c Cloud) Election() string { return c.HA() + "/election" }

// Extension is the parent of our own nodes. Its version changes whenever a job or an application is
// created or deleted.
func (c Cloud) Extension() string { return c.root + "/extension" }

// AppExtensions and JobExtensions are the parents of the fields that upstream doesn't know.
func (c Cloud) AppExtensions() string           { return c.Extension() + "/app" }
func (c Cloud) AppExtension(name string) string { return c.AppExtensions() + "/" + name }
func (c Cloud) JobExtensions() string           { return c.Extension() + "/job" }
func (c Cloud) JobExtension(name string) string { return c.JobExtensions() + "/" + name }

// Statuses is the parent of the schedulers' data about each job.
func (c Cloud) Statuses() string          { return c.Extension() + "/status" }
func (c Cloud) Status(name string) string { return c.Statuses() + "/" + name }

// Folders returns all parents, each after its own parent.
func (c Cloud) Folders() []string {
	return []string{
		c.root + "/config", c.Apps(), c.Jobs(),
		c.root + "/state", c.root + "/state/disable", c.DisabledApps(), c.DisabledJobs(),
		c.HA(), c.Extension(), c.AppExtensions(), c.JobExtensions(), c.Statuses(),
	}
}
