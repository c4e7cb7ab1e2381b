package api

// Explanation has the reasons why a job does not run.
type Explanation struct {
	JobName string `json:"jobName"`
	At      string `json:"at"`
	// Health is the state that lists show.
	Health  string `json:"health"`
	Summary string `json:"summary"`
	// Obstacle: a part of the job is held up. Blocked: all of it is.
	Obstacle bool      `json:"obstacle"`
	Blocked  bool      `json:"blocked"`
	Findings []Finding `json:"findings"`
	// Checks are the rules that were checked and hold.
	Checks []Rule `json:"checks"`
	// FailAlike is how many other jobs fail by the same cause.
	FailAlike    int    `json:"failAlike,omitempty"`
	Cron         string `json:"cron,omitempty"`
	TimeZone     string `json:"timeZone,omitempty"`
	NextFireTime string `json:"nextFireTime,omitempty"`
	// NextFireLocal is the same instant as the clock in the job's zone shows it.
	NextFireLocal string `json:"nextFireLocal,omitempty"`
	ZoneAssumed   bool   `json:"zoneAssumed,omitempty"`
	// Past is about the time of the question.
	Past *Past `json:"past,omitempty"`
}

// Past describes a job at a time in the past.
type Past struct {
	At        string `json:"at"`
	Verdict   string `json:"verdict"`
	Statement string `json:"statement"`
	FireTime  string `json:"fireTime,omitempty"`
	RunID     string `json:"runId,omitempty"`
	// Reasons are the known reasons why it did not run, Unknown the open questions.
	Reasons []string `json:"reasons"`
	Unknown []string `json:"unknown"`
}

type Finding struct {
	Code     string `json:"code"`
	Effect   string `json:"effect"`
	Sentence string `json:"sentence"`
	Advice   string `json:"advice,omitempty"`
	Node     string `json:"node"`
	Value    string `json:"value,omitempty"`
	Field    string `json:"field,omitempty"`
	Since    string `json:"since,omitempty"`
	Server   string `json:"serverIp,omitempty"`
	Instance string `json:"instanceId,omitempty"`
	// Obstacle is the agent's own code, of AGENT_OBSTACLE; value has its words.
	Obstacle string `json:"obstacle,omitempty"`
	// Items are the first of the shards concerned, ItemCount is how many there are.
	Items     []int `json:"items,omitempty"`
	ItemCount int   `json:"itemCount,omitempty"`
}

// Rule is a rule that holds.
type Rule struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Node     string `json:"node"`
	Value    string `json:"value,omitempty"`
}
