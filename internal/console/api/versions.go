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
