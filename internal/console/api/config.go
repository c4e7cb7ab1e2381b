package api

// ConfigVersion is a configuration of a job that was saved in the console. The user is empty if the
// configuration was stored in another way, before the first change in the console.
type ConfigVersion struct {
	Revision string `json:"revision"`
	At       string `json:"at"`
	User     string `json:"user,omitempty"`
	Reason   string `json:"reason,omitempty"`
	// Document is the text as it was stored.
	Document string `json:"document"`
	// Config is the configuration as GET /api/jobs/config/{job} has it; absent if it can't be read.
	Config map[string]any `json:"config,omitempty"`
}

// CreatedJob names a job that was created.
type CreatedJob struct {
	JobName string `json:"jobName"`
}

// ConfigPreview has the consequences of a change of a configuration.
type ConfigPreview struct {
	JobName string `json:"jobName"`
	// Revision is the stored one, for the header If-Match of the change.
	Revision string   `json:"revision"`
	Changed  []string `json:"changed"`
	// Document is the text that would be stored.
	Document string         `json:"document"`
	Effects  []ConfigEffect `json:"effects"`
	Schedule ConfigSchedule `json:"schedule"`
}

// ConfigEffect is one consequence of a change.
type ConfigEffect struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// ConfigSchedule judges the schedule of a configuration.
type ConfigSchedule struct {
	Cron     string            `json:"cron"`
	TimeZone string            `json:"timeZone"`
	Words    string            `json:"words,omitempty"`
	Fires    []string          `json:"nextFireTimes"`
	Findings []ScheduleFinding `json:"findings"`
}

// ScheduleFinding is a remark about a schedule. Cron is a better expression, if there is one.
type ScheduleFinding struct {
	Code string `json:"code"`
	Text string `json:"text"`
	Cron string `json:"cron,omitempty"`
}
