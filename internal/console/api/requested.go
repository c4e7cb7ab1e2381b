package api

import (
	"encoding/json"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// RequestedRun is a requested run. What it has of its shards depends on its state:
// of one that has ended the counts are known, and what a few of them said.
type RequestedRun struct {
	JobName string `json:"jobName"`
	ID      string `json:"id"`
	State   string `json:"state"`
	// Cancelling: somebody asked for the run to end, and handlers have not returned.
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
	// Error is why shards failed, of a run from the database that does not say which.
	Error  string `json:"error,omitempty"`
	Source string `json:"source"`
}

// Requester says who requested a run, and from where.
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
// Code is one of TIME, HELD, CONFIG, NO_PROCESS, NOT_GO, DISABLED, DEBUG, RUN, QUEUE, BUSY, PLACES,
// NO_LEADER, RESHARDING, SHARDS_DISABLED, NO_OWNER, OBSTACLE, NODE and AGENT.
type WaitReason struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
	Remedy   string `json:"remedy,omitempty"`
	Node     string `json:"node"`
	Run      string `json:"run,omitempty"`
}

// Cancellation says who wants a run to end.
type Cancellation struct {
	By     string `json:"by"`
	At     string `json:"at"`
	Reason string `json:"reason,omitempty"`
}

// RunShard is what is known of one shard of a run.
type RunShard struct {
	Shard    int             `json:"shard"`
	State    string          `json:"state,omitempty"`
	Instance string          `json:"instance,omitempty"`
	Since    string          `json:"since,omitempty"`
	Error    string          `json:"error,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
}

// SubmittedRun is a run that was requested just now. Repeated says that the key was
// known: it is the earlier run. The warning says that nobody is there to run it.
type SubmittedRun struct {
	RequestedRun
	Repeated bool   `json:"repeated"`
	Warning  string `json:"warning,omitempty"`
}

// RequestedRuns is a page of requested runs. Source says where it was read: the
// registry has those that wait, those under way and the last that ended, the trace
// database older ones. Each run says where it is itself.
type RequestedRuns struct {
	Rows       []RequestedRun `json:"rows"`
	NextCursor string         `json:"nextCursor,omitempty"`
	Waiting    int            `json:"waiting"`
	Ended      int            `json:"ended"`
	Source     string         `json:"source"`
}

// AllRequestedRuns is a page of the requested runs of all jobs. Source says what was read for
// it, Registry and Database what became of the two.
type AllRequestedRuns struct {
	Rows       []RequestedRun `json:"rows"`
	NextCursor string         `json:"nextCursor,omitempty"`
	Source     string         `json:"source"`
	Registry   string         `json:"registry"`
	Database   string         `json:"database"`
	// Unreadable are jobs whose runs the console may not read.
	Unreadable []string `json:"unreadable,omitempty"`
}

// RequestedRunDetail is a requested run with how it went. Record says whether the trace
// database has that: recorded, or why steps and progress are empty.
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

// RunProgress says how far the handler of a shard was in an attempt: from 0 to 1.
type RunProgress struct {
	Shard    int     `json:"shard"`
	Attempt  int     `json:"attempt"`
	Fraction float64 `json:"fraction"`
	Message  string  `json:"message,omitempty"`
	At       string  `json:"at"`
}

// RunLogOf says that a shard has logged so many lines in an execution. An attempt
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

// HoldRequest says what of a job is to stand still, and why.
type HoldRequest struct {
	What   jobrun.Held `json:"what"`
	Reason string      `json:"reason,omitempty"`
}

// Hold is what of a job stands still: the schedule, requests, or all.
type Hold struct {
	What   jobrun.Held `json:"what"`
	By     string      `json:"by"`
	At     string      `json:"at,omitempty"`
	Reason string      `json:"reason,omitempty"`
}

// BackfillRequest says between which moments the fire times are whose runs are requested.
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
	// Count is how many fire times there are; First, Last and Times, which are the first 1,000, are
	// those of a preview.
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
	// Shards are those that take part; absent for all.
	Shards []int `json:"shards,omitempty"`
	// Overlap says what becomes of the run while another one is under way; absent as
	// the job is configured.
	Overlap string `json:"overlap,omitempty"`
	// Expiry is how long after its time the run may begin at the latest, such as 24h;
	// -1 for ever, absent as the job is configured.
	Expiry string `json:"expiry,omitempty"`
	Note   string `json:"note,omitempty"`
	// FireTime is the fire time that the run stands for.
	FireTime string `json:"fireTime,omitempty"`
	// Manual: a person asked for it.
	Manual bool `json:"manual,omitempty"`
}

// AgainRequest is what a run that repeats another one has of its own. Parameters are
// those of the other run unless the body has an object, or null for none.
type AgainRequest struct {
	Params json.RawMessage `json:"params,omitempty"`
	Note   *string         `json:"note,omitempty"`
	// Shards is failed for those that did not succeed, all if it is absent.
	Shards string `json:"shards,omitempty"`
}

// CancelRequest says why a run is to end; it may be absent, and so may the body.
type CancelRequest struct {
	Reason string `json:"reason"`
}
