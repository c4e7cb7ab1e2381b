package api

import "github.com/elasticjob-go/elasticjob/jobrun"

// Job is a job in a list: ElasticJob's JobBriefInfo with more fields.
type Job struct {
	JobName            string `json:"jobName"`
	Status             string `json:"status"`
	Reason             string `json:"reason,omitempty"`
	Title              string `json:"title,omitempty"`
	Description        string `json:"description"`
	Cron               string `json:"cron"`
	TimeZone           string `json:"timeZone,omitempty"`
	NextFireTime       string `json:"nextFireTime,omitempty"`
	NoFireReason       string `json:"noFireReason,omitempty"`
	Type               string `json:"type,omitempty"`
	InstanceCount      int    `json:"instanceCount"`
	ShardingTotalCount int    `json:"shardingTotalCount"`
	ServerCount        int    `json:"serverCount"`
	DisabledServers    int    `json:"disabledServerCount"`
	DisabledShards     int    `json:"disabledShardCount"`
	Leader             string `json:"leader,omitempty"`
	ConfigError        string `json:"configError,omitempty"`
	// Health is the state that pages show, HealthReason its reason in at most five words,
	// HealthSentence in full. Status and Reason come from the registry alone.
	Health         string `json:"health"`
	HealthReason   string `json:"healthReason,omitempty"`
	HealthSentence string `json:"healthSentence"`
	HealthSince    string `json:"healthSince,omitempty"`
	NeverRan       bool   `json:"neverRan,omitempty"`
	// Held is the hold of the job; absent if the job is not held.
	Held *Hold `json:"held,omitempty"`
}

// Shard is ElasticJob's ShardingInfo with more fields.
type Shard struct {
	Item             int    `json:"item"`
	Parameter        string `json:"parameter,omitempty"`
	ServerIP         string `json:"serverIp"`
	InstanceID       string `json:"instanceId"`
	Status           string `json:"status"`
	Reason           string `json:"reason,omitempty"`
	Failover         bool   `json:"failover"`
	FailoverInstance string `json:"failoverInstance,omitempty"`
	RunningOn        string `json:"runningOn,omitempty"`
	RunningSince     string `json:"runningSince,omitempty"`
	Disabled         bool   `json:"disabled"`
	Misfire          bool   `json:"misfire"`
	Lost             bool   `json:"lost"`
}

type JobServer struct {
	IP        string   `json:"ip"`
	Enabled   bool     `json:"enabled"`
	Instances []string `json:"instances"`
}

type Instance struct {
	ID      string `json:"id"`
	IP      string `json:"ip"`
	Leader  bool   `json:"leader"`
	Enabled bool   `json:"enabled"`
	Since   string `json:"since,omitempty"`
	// Agent is what its agent announces; null for agents of Java's.
	Agent *Agent `json:"agent"`
}

type Agent struct {
	Version     string      `json:"version,omitempty"`
	Started     string      `json:"started,omitempty"`
	TimeZone    string      `json:"timeZone,omitempty"`
	Debug       jobrun.Held `json:"debug,omitempty"`
	MaxParallel int         `json:"maxParallel,omitempty"`
	// NoRecorder: it records no runs.
	NoRecorder bool `json:"noRecorder,omitempty"`
}

type JobDetail struct {
	Job
	NextFireTimes []string `json:"nextFireTimes"`
	Config        string   `json:"config"`
	ConfigVersion int32    `json:"configVersion"`
	// Shards are the first [query.MaxShards]; the others are read page by page.
	Shards           []Shard     `json:"shards"`
	Servers          []JobServer `json:"servers"`
	Instances        []Instance  `json:"instances"`
	ReshardingNeeded bool        `json:"reshardingNeeded"`
	Resharding       bool        `json:"resharding"`
	// Warnings are about fields of the configuration that could not be written
	// like this here, or that not all agents take for the same.
	Warnings []FieldBody `json:"warnings"`
}

type Outcome struct {
	// Job is empty for an action on every job of a server; Affected then
	// names jobs. Otherwise it names servers, instances or the shard.
	Job      string   `json:"job,omitempty"`
	Server   string   `json:"server,omitempty"`
	Affected []string `json:"affected"`
	Skipped  []Skip   `json:"skipped"`
}

type Skip struct {
	Target string `json:"target"`
	Reason string `json:"reason"`
}

// TriggerRequest has the options of a trigger. All of them may be absent, and so may the body.
type TriggerRequest struct {
	// Instances are the ids of those to trigger; absent for all.
	Instances []string `json:"instances"`
	// Reason is why, for the audit.
	Reason string `json:"reason,omitempty"`
}
