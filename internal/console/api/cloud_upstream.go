package api

import (
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// UpstreamApp has all fields of upstream's applications, including the empty ones.
type UpstreamApp struct {
	CloudApp
	URL             string `json:"appURL"`
	BootstrapScript string `json:"bootstrapScript"`
}

// CloudJobConfig is only the configuration of a job. It has all of upstream's fields, including
// the empty ones.
type CloudJobConfig struct {
	cloud.Job
	Cron             string            `json:"cron"`
	ShardParameters  string            `json:"shardingItemParameters"`
	Parameter        string            `json:"jobParameter"`
	StrategyType     string            `json:"jobShardingStrategyType"`
	ExecutorType     string            `json:"jobExecutorServiceHandlerType"`
	ErrorHandlerType string            `json:"jobErrorHandlerType"`
	Description      string            `json:"description"`
	Props            map[string]string `json:"props"`
}

// NamedTriggerRequest asks for a run of the job that it names.
type NamedTriggerRequest struct {
	JobName string `json:"jobName"`
	CloudTriggerRequest
	// Items are the shards, in upstream's word.
	Items []int `json:"items,omitempty"`
}

// The rows of upstream's lists of tasks.
type (
	TaskMeta struct {
		JobName       string `json:"jobName"`
		ShardingItems []int  `json:"shardingItems"`
	}
	RunningTask struct {
		ID       string   `json:"id"`
		MetaInfo TaskMeta `json:"metaInfo"`
		Type     string   `json:"type"`
		SlaveID  string   `json:"slaveId"`
		Idle     bool     `json:"idle"`
	}
	// ReadyTask has the number of pending runs of a job as a text.
	ReadyTask struct {
		JobName string `json:"jobName"`
		Times   string `json:"times"`
	}
	FailoverTask struct {
		TaskInfo       TaskMeta `json:"taskInfo"`
		OriginalTaskID string   `json:"originalTaskId"`
	}
	Sandbox struct {
		Hostname string `json:"hostname"`
		Path     string `json:"path"`
	}
)

// Upstream's counts of registered jobs.
type (
	ExecutionTypes struct {
		Transient int `json:"transientJobCount"`
		Daemon    int `json:"daemonJobCount"`
	}
	JobTypes struct {
		Script   int `json:"scriptJobCount"`
		Simple   int `json:"simpleJobCount"`
		Dataflow int `json:"dataflowJobCount"`
	}
)

// Statistic is part of all rows of upstream's statistics. Times are milliseconds since 1970.
type Statistic struct {
	ID             int64 `json:"id"`
	StatisticsTime int64 `json:"statisticsTime"`
	CreationTime   int64 `json:"creationTime"`
}

// StatisticAt is the common part of a row for an instant.
func StatisticAt(t time.Time) Statistic {
	return Statistic{ID: t.Unix(), StatisticsTime: t.UnixMilli(), CreationTime: t.UnixMilli()}
}

// The rows of upstream's counts over time.
type (
	RunningCount struct {
		Statistic
		Count int `json:"runningCount"`
	}
	RegisteredCount struct {
		Statistic
		Count int `json:"registeredCount"`
	}
)
