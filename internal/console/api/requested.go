package api

import (
	"encoding/json"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// The places from which requested runs are read: the registry, the trace database, or both.
const (
	FromRegistry = "registry"
	FromDatabase = "database"
	FromBoth     = "registry and database"
	FromNowhere  = "none"
)

// The outcomes of reading a place for a page of the runs of all jobs.
const (
	PlaceRead        = "read"
	PlaceNotAsked    = "not_asked" // the page needed nothing of it
	PlaceUnavailable = "unavailable"
)

// RequestedRun is a requested run. Its shards depend on its state: a run that has ended has their
// counts, and the results of a few of them.
type RequestedRun struct {
	JobName string `json:"jobName"`
	ID      string `json:"id"`
	State   string `json:"state"`
	// Cancelling: a user cancelled the run, and its handlers have not returned yet.
	Cancelling  bool            `json:"cancelling"`
	Reason      string          `json:"reason,omitempty"`
	SubmittedAt string          `json:"submittedAt"`
	DueAt       string          `json:"dueAt"`
	ExpiresAt   string          `json:"expiresAt,omitempty"`
	StartTime   string          `json:"startTime,omitempty"`
	EndTime     string          `json:"completeTime,omitempty"`
	Attempt     int             `json:"attempt"`
	Losses      int             `json:"losses"`
	Assign      jobrun.Assign   `json:"assign"`
	By          Requester       `json:"by"`
	Key         string          `json:"key,omitempty"`
	Note        string          `json:"note,omitempty"`
	Parent      string          `json:"parent,omitempty"`
	Params      json.RawMessage `json:"params,omitempty"`
	Shards      ShardCounts     `json:"shards"`
	Cancelled   *Cancellation   `json:"cancelled,omitempty"`
	// Waiting is why a run that waits hasn't begun; lists of runs leave it out.
	Waiting *WaitReason `json:"waiting,omitempty"`
	Details []RunShard  `json:"details"`
	// Error is the cause of failed shards, if the database does not have it by shard.
	Error  string `json:"error,omitempty"`
	Source string `json:"source"`
}

// Requester is the user or the program that requested a run, and its address.
type Requester struct {
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	From string `json:"from,omitempty"`
}

// ShardCounts counts the shards of a run; Total is 0 before it begins.
type ShardCounts struct {
	Total     int `json:"total"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Skipped   int `json:"skipped"`
	Cancelled int `json:"cancelled"`
	Running   int `json:"running"`
	Waiting   int `json:"waiting"`
}

// WaitReason is why a run that waits hasn't begun, or why no handler works on an opened run.
// Code is one of TIME, EXPIRED, HELD, CONFIG, NO_PROCESS, NOT_GO, DISABLED, DEBUG, RUN, QUEUE, BUSY,
// PLACES, NO_LEADER, RESHARDING, SHARDS_DISABLED, NO_OWNER, OBSTACLE, NODE and AGENT.
type WaitReason struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Remedy   string `json:"remedy,omitempty"`
	Node     string `json:"node"`
	Run      string `json:"run,omitempty"`
}

// Cancellation is a request to end a run.
type Cancellation struct {
	By     string `json:"by"`
	At     string `json:"at"`
	Reason string `json:"reason,omitempty"`
}

// RunShard is a shard of a run.
type RunShard struct {
	Shard    int             `json:"shard"`
	State    string          `json:"state,omitempty"`
	Instance string          `json:"instance,omitempty"`
	Since    string          `json:"since,omitempty"`
	Error    string          `json:"error,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
}

// SubmittedRun is a run that was requested just now. If its key was known, it is the earlier run and
// Repeated is set. There's a warning if no process serves the job.
type SubmittedRun struct {
	RequestedRun
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning,omitempty"`
}

// RequestedRuns is a page of requested runs. Source is the place that it was read from: the registry
// has the runs that wait, are under way or ended last, the trace database has older runs. Each run
// has its own source.
type RequestedRuns struct {
	Rows       []RequestedRun `json:"rows"`
	NextCursor string         `json:"nextCursor,omitempty"`
	Waiting    int            `json:"waiting"`
	Ended      int            `json:"ended"`
	Source     string         `json:"source"`
}

// AllRequestedRuns is a page of the requested runs of all jobs. Source has the places that were read
// for it, Registry and Database the outcome for each.
type AllRequestedRuns struct {
	Rows       []RequestedRun `json:"rows"`
	NextCursor string         `json:"nextCursor,omitempty"`
	Source     string         `json:"source"`
	Registry   string         `json:"registry"`
	Database   string         `json:"database"`
	// Unreadable are jobs with runs that the console may not read.
	Unreadable []string `json:"unreadable,omitempty"`
}

// RequestedRunDetail is a requested run with how it went. Record is recorded if the
// trace database has it, else the reason why steps and progress are empty.
type RequestedRunDetail struct {
	RequestedRun
	Record   string        `json:"record"`
	Steps    []RunStep     `json:"steps"`
	Progress []RunProgress `json:"progress"`
	Logs     []RunLogOf    `json:"logs"`
}

// RunStep is something that happened to a run, and who did it.
type RunStep struct {
	At      string       `json:"at"`
	State   jobrun.State `json:"state"`
	Attempt int          `json:"attempt"`
	Actor   string       `json:"actor,omitempty"`
	Message string       `json:"message,omitempty"`
}

// RunProgress is the progress of a handler in an attempt, from 0 to 1.
type RunProgress struct {
	Shard    int     `json:"shard"`
	Attempt  int     `json:"attempt"`
	Fraction float64 `json:"fraction"`
	Message  string  `json:"message,omitempty"`
	At       string  `json:"at"`
}

// RunLogOf is the number of lines that a shard logged in an execution. An attempt
// has several if an instance was lost during it.
type RunLogOf struct {
	Shard     int    `json:"shard"`
	Attempt   int    `json:"attempt"`
	Execution string `json:"execution"`
	Lines     int    `json:"lines"`
}

// RunLog is a part of the log of a shard's attempt. Attempt is 0 if there is
// none. After is the number of the last line, to ask for those behind it.
type RunLog struct {
	JobName string       `json:"jobName"`
	ID      string       `json:"id"`
	Shard   int          `json:"shard"`
	Attempt int          `json:"attempt"`
	Lines   []RunLogLine `json:"lines"`
	After   int          `json:"after"`
	Total   int          `json:"total"`
	// Ended: the run has ended, so that no line comes any more.
	Ended bool       `json:"ended"`
	Logs  []RunLogOf `json:"logs"`
}

// RunLogLine is a line that a handler logged.
type RunLogLine struct {
	Seq     int    `json:"seq"`
	At      string `json:"at"`
	Level   string `json:"level"`
	Message string `json:"message"`
}

// HoldRequest holds the schedule of a job, its requests, or both.
type HoldRequest struct {
	What   jobrun.Held `json:"what"`
	Reason string      `json:"reason,omitempty"`
}

// Hold is the hold of a job: of its schedule, of requests, or of all.
type Hold struct {
	What   jobrun.Held `json:"what"`
	By     string      `json:"by"`
	At     string      `json:"at,omitempty"`
	Reason string      `json:"reason,omitempty"`
}

// BackfillRequest has the first and the last moment of the fire times to request runs for.
type BackfillRequest struct {
	From   string          `json:"from"`
	To     string          `json:"to"`
	Params json.RawMessage `json:"params,omitempty"`
	// Parallel is how many of its runs may be queued or running at once; 0 is 100.
	Parallel int  `json:"parallel,omitempty"`
	Preview  bool `json:"preview,omitempty"`
}

// BackfillAnswer describes a preview, or the backfill that has begun.
type BackfillAnswer struct {
	Preview bool `json:"preview"`
	// Count is how many fire times there are; only a preview has First, Last and
	// Times, which are the first 1,000.
	Count int      `json:"count"`
	First string   `json:"first,omitempty"`
	Last  string   `json:"last,omitempty"`
	Times []string `json:"times,omitempty"`
	// Refused are times of the cron expression that are no fire times, the first 1,000.
	Refused      []RefusedTime `json:"refused,omitempty"`
	RefusedCount int           `json:"refusedCount,omitempty"`
	// ZoneAssumed: the job names no zone, and the times are by the console's.
	ZoneAssumed bool `json:"zoneAssumed,omitempty"`
	// Backfill is the id of the backfill, which its runs have in common.
	Backfill string `json:"backfill,omitempty"`
}

// Backfill is a backfill and what became of its runs.
type Backfill struct {
	JobName     string       `json:"jobName"`
	ID          string       `json:"id"`
	State       string       `json:"state"`
	RequestedAt string       `json:"requestedAt"`
	EndTime     string       `json:"completeTime,omitempty"`
	By          Requester    `json:"by"`
	From        string       `json:"from"`
	To          string       `json:"to"`
	Parallel    int          `json:"parallel"`
	Count       int          `json:"count"`
	Runs        BackfillRuns `json:"runs"`
	// Next is the first fire time with a run that waits.
	Next string `json:"next,omitempty"`
	// Problem is why the next run can't be requested.
	Problem   string        `json:"problem,omitempty"`
	Cancelled *Cancellation `json:"cancelled,omitempty"`
}

// BackfillRuns counts the fire times of a backfill by what became of their runs: they add up to its
// count. Unknown are runs that ended, but their outcome was removed without being counted.
type BackfillRuns struct {
	Waiting   int `json:"waiting"`
	Running   int `json:"running"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Cancelled int `json:"cancelled"`
	Skipped   int `json:"skipped"`
	Expired   int `json:"expired"`
	Unknown   int `json:"unknown"`
}

// Backfills are the last backfills of a job.
type Backfills struct {
	Rows []Backfill `json:"rows"`
}

// RefusedTime is a time of the cron expression, and the property that leaves it out.
type RefusedTime struct {
	Time     string `json:"time"`
	Property string `json:"property"`
}

// RunRequest is a request for a run. Everything may be absent.
type RunRequest struct {
	// Params is one JSON object; null and absent are none.
	Params json.RawMessage `json:"params,omitempty"`
	// Delay is how long the run waits, such as 5m; NotBefore until when, in its place.
	Delay     string `json:"delay,omitempty"`
	NotBefore string `json:"notBefore,omitempty"`
	// Shards are the shards that take part; absent for all.
	Shards []int `json:"shards,omitempty"`
	// Overlap decides about the run if another one is under way; absent as the job is
	// configured.
	Overlap string `json:"overlap,omitempty"`
	// Expiry is how long after its time the run may begin at the latest, such as 24h;
	// -1 for ever, absent as the job is configured.
	Expiry string `json:"expiry,omitempty"`
	Note   string `json:"note,omitempty"`
	// FireTime is the fire time that the run replaces.
	FireTime string `json:"fireTime,omitempty"`
	// Manual: a person asked for it.
	Manual bool `json:"manual,omitempty"`
}

// AgainRequest has the differences of a run from the run that it repeats. Without parameters it gets
// the parameters of the other run; null is for none.
type AgainRequest struct {
	Params json.RawMessage `json:"params,omitempty"`
	Note   *string         `json:"note,omitempty"`
	// Shards is failed for the shards that did not succeed; absent for all.
	Shards string `json:"shards,omitempty"`
}

// CancelRequest has the reason of a cancel; it may be absent, and so may the body.
type CancelRequest struct {
	Reason string `json:"reason"`
}

// BatchRequest has requests for many runs of a job.
type BatchRequest struct {
	Runs []BatchEntry `json:"runs"`
}

// BatchEntry is a request of a batch. Key is its idempotency key.
type BatchEntry struct {
	RunRequest
	Key string `json:"key,omitempty"`
}

// Batch is the outcome of many requests. A refused request made no run.
type Batch struct {
	Created  int            `json:"created"`
	Repeated int            `json:"repeated"`
	Runs     []BatchRun     `json:"runs"`
	Refused  []BatchRefusal `json:"refused"`
}

// BatchRun is the run of a request of a batch. Index is the place of the request, from 0 on.
type BatchRun struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	DueAt    string `json:"dueAt"`
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning,omitempty"`
}

// BatchRefusal is a request of a batch that was refused, and why.
type BatchRefusal struct {
	Index   int         `json:"index"`
	Code    string      `json:"code"`
	Message string      `json:"message"`
	Fields  []FieldBody `json:"fields,omitempty"`
}

// Cancelled counts the waiting runs that were cancelled, or would be. With More, others still wait.
type Cancelled struct {
	Preview bool `json:"preview"`
	Count   int  `json:"count"`
	More    bool `json:"more"`
}

// Parameters is the schema of a job's parameters, and the agent that declared it.
type Parameters struct {
	Schema json.RawMessage `json:"schema"`
	By     string          `json:"by"`
	At     string          `json:"at,omitempty"`
}
