package api

import (
	"encoding/json"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/zkstore"
)

// Cloud reports the engine of ElasticJob-Cloud with its capabilities, and the numbers of documents.
type Cloud struct {
	Engine       string            `json:"engine"`
	Version      string            `json:"version,omitempty"`
	Leader       bool              `json:"leader"`
	Synced       bool              `json:"synced"`
	Trouble      string            `json:"trouble,omitempty"`
	Capabilities CloudCapabilities `json:"capabilities"`
	// Namespaces of a cluster that are served, if there are several. New documents go to the
	// first one unless they name another.
	Namespaces []string `json:"namespaces,omitempty"`
	Apps       int      `json:"apps"`
	Jobs       int      `json:"jobs"`
	Runs       int      `json:"runs"`
}

// CloudCapabilities are what an engine can do.
type CloudCapabilities struct {
	Suspend   bool `json:"suspend"`
	Daemons   bool `json:"daemons"`
	Logs      bool `json:"logs"`
	MaxShards int  `json:"maxShards"`
}

// CloudAppRequest creates or changes an application.
type CloudAppRequest struct{ cloud.App }

// CloudApp is an application with upstream's field names.
type CloudApp struct {
	cloud.App
	Namespace string `json:"namespace,omitempty"`
	// Warnings name the fields without an effect.
	Warnings []string `json:"warnings,omitempty"`
}

// CloudJobRequest creates or changes a job.
type CloudJobRequest struct{ cloud.Job }

// CloudJob is a job with upstream's field names, and its state in the scheduler.
type CloudJob struct {
	cloud.Job
	Namespace string `json:"namespace,omitempty"`
	CreatedAt string `json:"createdAt,omitempty"`
	// LastFireTime is absent if the job hasn't fired since it was created, disabled, enabled or
	// given another schedule.
	LastFireTime string `json:"lastFireTime,omitempty"`
	NextFireTime string `json:"nextFireTime,omitempty"`
	// Pending counts fire times and Requested counts requests that wait for a run.
	Pending    int              `json:"pending"`
	Requested  int              `json:"requested"`
	Missed     int64            `json:"missedTotal"`
	Merged     int64            `json:"mergedTotal"`
	LastRun    *CloudLastRun    `json:"lastRun,omitempty"`
	Conditions []CloudCondition `json:"conditions"`
	// Warnings name the fields without an effect.
	Warnings []string `json:"warnings,omitempty"`
}

// CloudLastRun is the last run of a job that has ended.
type CloudLastRun struct {
	Name  string `json:"name"`
	State string `json:"state"`
	At    string `json:"completeTime"`
}

// CloudCondition is a condition of a job.
type CloudCondition struct {
	Type    string `json:"type"`
	OK      bool   `json:"ok"`
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
	Since   string `json:"since,omitempty"`
}

// CloudTriggerRequest asks for a run. The whole body is optional.
type CloudTriggerRequest struct {
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Shards     []int           `json:"shards,omitempty"`
	NotBefore  string          `json:"notBefore,omitempty"`
}

// CloudRerunRequest asks for another run of the shards that did not succeed. The whole body is
// optional.
type CloudRerunRequest struct {
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Shards     []int           `json:"shards,omitempty"`
}

// CloudTrigger names the requested run.
type CloudTrigger struct {
	Run string `json:"run"`
}

// CloudRun is a run of a job. RunID is its id in the history, empty for the run of a DAEMON,
// because its processes have runs of their own.
type CloudRun struct {
	Name         string `json:"name"`
	RunID        string `json:"runId"`
	JobName      string `json:"jobName"`
	AppName      string `json:"appName"`
	Namespace    string `json:"namespace,omitempty"`
	Origin       string `json:"origin"`
	State        string `json:"state"`
	Message      string `json:"message,omitempty"`
	FireTime     string `json:"fireTime,omitempty"`
	ShardCount   int    `json:"shardingTotalCount"`
	TaskCount    int    `json:"taskCount"`
	CreatedAt    string `json:"createdAt,omitempty"`
	StartTime    string `json:"startTime,omitempty"`
	CompleteTime string `json:"completeTime,omitempty"`
}

// CloudRunDetail is a run with its first tasks, by shard and attempt.
type CloudRunDetail struct {
	CloudRun
	Tasks []CloudTask `json:"tasks"`
	// Reasons keep it from going on.
	Reasons []CloudReason `json:"reasons"`
}

// CloudTask is an attempt at a shard. UID and TaskID both name it in the address of its log.
type CloudTask struct {
	UID          string `json:"uid"`
	TaskID       string `json:"taskId"`
	Shard        int    `json:"shardingItem"`
	Attempt      int    `json:"attempt"`
	Type         string `json:"executionType"`
	State        string `json:"state"`
	Message      string `json:"message,omitempty"`
	Node         string `json:"node,omitempty"`
	CreatedAt    string `json:"createdAt,omitempty"`
	StartTime    string `json:"startTime,omitempty"`
	CompleteTime string `json:"completeTime,omitempty"`
}

// CloudReason keeps a run from going on.
type CloudReason struct {
	Code  string `json:"code"`
	Text  string `json:"text"`
	Count int    `json:"count"`
	Since string `json:"since,omitempty"`
}

// CloudApplyRequest has applications and jobs as they should be. A document is the body that
// registers one, or a resource of a cluster with such a body as its spec.
type CloudApplyRequest struct {
	Documents []map[string]json.RawMessage `json:"documents"`
	DryRun    bool                         `json:"dryRun,omitempty"`
}

// CloudApplyAnswer has the result for each document; with DryRun, the planned one.
type CloudApplyAnswer struct {
	DryRun    bool           `json:"dryRun"`
	Documents []CloudApplied `json:"documents"`
}

// CloudApplied is the result for a document.
type CloudApplied struct {
	Kind   string   `json:"kind"`
	Name   string   `json:"name"`
	Action string   `json:"action"`
	Fields []string `json:"fields"`
	// Warnings name the fields without an effect.
	Warnings []string `json:"warnings,omitempty"`
}

// CloudImportRequest is the body of a request for an import: the tree of a registry, or a tree
// that the caller has read.
type CloudImportRequest struct {
	Registry  string        `json:"registry,omitempty"`
	Namespace string        `json:"namespace,omitempty"`
	Tree      *zkstore.Tree `json:"tree,omitempty"`
	Apps      []string      `json:"apps,omitempty"`
	Disabled  bool          `json:"disabled,omitempty"`
	DryRun    bool          `json:"dryRun,omitempty"`
}

// CloudImportAnswer has the result for each document of the tree; with DryRun, the planned one.
type CloudImportAnswer struct {
	DryRun bool `json:"dryRun"`
	// Scheduler reports whether a scheduler takes part in the election in the tree.
	Scheduler bool            `json:"scheduler"`
	Documents []CloudImported `json:"documents"`
}

// CloudImported is the result for a document of a tree.
type CloudImported struct {
	CloudApplied

	Refused []FieldBody `json:"refused"`
	Reason  string      `json:"reason,omitempty"`
	Notes   []CloudNote `json:"notes"`
}

// CloudNote is a field that isn't imported as it is, or has no effect here.
type CloudNote struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Note  string `json:"note"`
}
