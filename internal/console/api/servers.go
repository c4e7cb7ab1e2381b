package api

// Server is ElasticJob's ServerBriefInfo.
type Server struct {
	ServerIP     string   `json:"serverIp"`
	InstanceIDs  []string `json:"instances"`
	JobNames     []string `json:"jobNames"`
	Instances    int      `json:"instancesNum"`
	Jobs         int      `json:"jobsNum"`
	DisabledJobs int      `json:"disabledJobsNum"`
}

// ServerJob is what ElasticJob's JobBriefInfo has for a job of a server.
type ServerJob struct {
	JobName            string   `json:"jobName"`
	Status             string   `json:"status"`
	Description        string   `json:"description"`
	Cron               string   `json:"cron"`
	InstanceCount      int      `json:"instanceCount"`
	ShardingTotalCount int      `json:"shardingTotalCount"`
	Instances          []string `json:"instances"`
}
