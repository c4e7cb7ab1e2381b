package jobtree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"
)

// The nodes of requested runs are all below extension. Java agents don't know them.

// RunsFormat is the data of [Job.Runs]: the format of everything below it. An agent that finds
// another format leaves the runs alone.
const RunsFormat = "1"

// Runs is the parent of all nodes for requested runs.
func (j Job) Runs() string { return j.path("/extension/runs") }

// RunsSignal is written whenever others should check the runs. A new version is the signal. Its
// data is "queue" if only requests were added to the queue, with a space and the name if there's
// one request.
func (j Job) RunsSignal() string { return j.path("/extension/runs/bell") }

// RunsCancels is written whenever a run is cancelled. Its data is the run's id, or empty if an
// earlier version wrote it. After a missed version the reader doesn't know all cancelled runs.
func (j Job) RunsCancels() string { return j.path("/extension/runs/cancels") }

// RunsSteward is the ephemeral node of the agent that does the work needed once per job. It has the
// agent's instance id.
func (j Job) RunsSteward() string { return j.path("/extension/runs/steward") }

// RunsDue is the parent of the buckets in which requests wait for their time, from 0 to
// [RunBuckets] exclusive.
func (j Job) RunsDue() string { return j.path("/extension/runs/due") }
func (j Job) RunsBucket(bucket int) string {
	return j.path(fmt.Sprintf("/extension/runs/due/%02d", bucket))
}

// RunsBehind exists while due requests wait for room in the queue.
func (j Job) RunsBehind() string { return j.path("/extension/runs/behind") }

// RunsQueue is the parent of the requests that can begin.
// RunsQueued is one of them, by its [RunName].
func (j Job) RunsQueue() string             { return j.path("/extension/runs/queue") }
func (j Job) RunsQueued(name string) string { return j.path("/extension/runs/queue/" + name) }

// RunsActive is the parent of the records of runs in progress: of the run that uses every shard, or
// of runs that use one shard each.
func (j Job) RunsActive() string               { return j.path("/extension/runs/active") }
func (j Job) RunsActiveAll() string            { return j.path("/extension/runs/active/all") }
func (j Job) RunsActiveShard(shard int) string { return j.ofItem("/extension/runs/active", shard) }

// RunsLife is a node below a record, for as long as the record belongs to one opening of a run.
// Versions restart when a node is created again, so they can't distinguish the next run's record
// from the old one. The name of this node can.
func (j Job) RunsLife(record, life string) string { return record + "/" + life }

// RunsDone is the parent of the outcomes of ended runs. Its own data is the time of the job's last
// release in Unix milliseconds, empty if there's none.
func (j Job) RunsDone() string { return j.path("/extension/runs/done") }

// RunsEnded is one of these outcomes.
func (j Job) RunsEnded(ended time.Time, id string) string {
	return j.path(fmt.Sprintf("/extension/runs/done/%013d-%s", ended.UnixMilli(), id))
}

// RunsKeys is the parent of the folders of idempotency keys.
func (j Job) RunsKeys() string { return j.path("/extension/runs/keys") }

// RunsKey is the node of an idempotency key. Its name is a hash, so a key may have any character.
func (j Job) RunsKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:16])
	return j.path("/extension/runs/keys/" + name[:1] + "/" + name[1:])
}

// RunsBackfills is the parent of the job's backfills. Its data is the id of the backfill in
// progress, if any. Each has a [Backfill] as its data, and a child with its fire times that never
// changes, see [EncodeTimes].
func (j Job) RunsBackfills() string              { return j.path("/extension/runs/backfills") }
func (j Job) RunsBackfill(id string) string      { return j.path("/extension/runs/backfills/" + id) }
func (j Job) RunsBackfillTimes(id string) string { return j.RunsBackfill(id) + "/times" }

// RunBuckets is the number of buckets. The first half is for small requests, the second for
// requests with more than [RunLarge] bytes of parameters.
const (
	RunBuckets = 32
	RunLarge   = 4 << 10
)

// RunBucket returns the bucket of a run's request.
func RunBucket(id string, params int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // A hash accepts everything.
	bucket := int(h.Sum32() % (RunBuckets / 2))
	if params > RunLarge {
		bucket += RunBuckets / 2
	}
	return bucket
}

// RunName is the name of a waiting request's node: "5-<due>-<id>". Names sort by time. The digit is
// reserved for priorities. Due is in Unix milliseconds with 13 digits.
func RunName(due time.Time, id string) string {
	return fmt.Sprintf("5-%013d-%s", min(max(due.UnixMilli(), 0), 9_999_999_999_999), id)
}

// ParseRunName reads the name of a waiting request's node. It's false for a foreign node.
func ParseRunName(name string) (due time.Time, id string, ok bool) {
	rest, fine := strings.CutPrefix(name, "5-")
	if !fine || len(rest) < 15 || rest[13] != '-' {
		return time.Time{}, "", false
	}
	due, ok = millisOf(rest[:13])
	return due, rest[14:], ok
}

// ParseRunEnded reads the name of an outcome's node. It's false for a foreign node.
func ParseRunEnded(name string) (ended time.Time, id string, ok bool) {
	if len(name) < 15 || name[13] != '-' {
		return time.Time{}, "", false
	}
	ended, ok = millisOf(name[:13])
	return ended, name[14:], ok
}

func millisOf(digits string) (time.Time, bool) {
	ms, err := strconv.ParseUint(digits, 10, 63)
	return time.UnixMilli(int64(ms)), err == nil
}
