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

// The nodes of requested runs, all below extension. Java's agents know none of them.

// RunsFormat is the data of [Job.Runs]: the format of everything below it. An agent
// that finds another one leaves the runs alone.
const RunsFormat = "1"

// Runs is the parent of everything about requested runs.
func (j Job) Runs() string { return j.path("/extension/runs") }

// RunsBell is the node that is written whenever others have to look at the runs. Its
// version is what says so; its data is "queue" if all that there is to see are requests that
// came to the queue, with a space and the name of the request if it is one.
func (j Job) RunsBell() string { return j.path("/extension/runs/bell") }

// RunsCancels is the node that is written whenever a run is cancelled. Its data is the id
// of the run; none if it was an earlier version that wrote it. Who has missed a version
// does not know of all of them.
func (j Job) RunsCancels() string { return j.path("/extension/runs/cancels") }

// RunsSteward is the ephemeral node of the agent that does what has to be done once
// for all: it holds the instance id.
func (j Job) RunsSteward() string { return j.path("/extension/runs/steward") }

// RunsDue is the parent of the buckets in which requests wait for their time.
func (j Job) RunsDue() string { return j.path("/extension/runs/due") }

// RunsBucket is one of them, from 0 to [RunBuckets] exclusive.
func (j Job) RunsBucket(bucket int) string {
	return j.path(fmt.Sprintf("/extension/runs/due/%02d", bucket))
}

// RunsBehind is present while requests whose time has come wait for room in the queue.
func (j Job) RunsBehind() string { return j.path("/extension/runs/behind") }

// RunsQueue is the parent of the requests that can begin.
func (j Job) RunsQueue() string { return j.path("/extension/runs/queue") }

// RunsQueued is one of them; name is a [RunName].
func (j Job) RunsQueued(name string) string { return j.path("/extension/runs/queue/" + name) }

// RunsActive is the parent of the records of the runs that have begun.
func (j Job) RunsActive() string { return j.path("/extension/runs/active") }

// RunsActiveAll is the record of the run that every shard takes part in.
func (j Job) RunsActiveAll() string { return j.path("/extension/runs/active/all") }

// RunsActiveShard is the record of the run that one shard has to itself.
func (j Job) RunsActiveShard(shard int) string {
	return j.path("/extension/runs/active/" + strconv.Itoa(shard))
}

// RunsLife is the node below a record that stands as long as the record is that of one
// opening of a run. Versions begin anew when a node is made again, so they do not tell the
// record of the next run from the one that was read; the name of this node does.
func (j Job) RunsLife(record, life string) string { return record + "/" + life }

// RunsDone is the parent of the outcomes of runs that have ended. Its own data is when
// the job was last released, in Unix milliseconds; empty if it never was.
func (j Job) RunsDone() string { return j.path("/extension/runs/done") }

// RunsEnded is one of them.
func (j Job) RunsEnded(ended time.Time, id string) string {
	return j.path(fmt.Sprintf("/extension/runs/done/%013d-%s", ended.UnixMilli(), id))
}

// RunsKeys is the parent of the folders of idempotency keys.
func (j Job) RunsKeys() string { return j.path("/extension/runs/keys") }

// RunsKey is the node of an idempotency key. Its name is a hash, so that a key may
// have any character.
func (j Job) RunsKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:16])
	return j.path("/extension/runs/keys/" + name[:1] + "/" + name[1:])
}

// RunsBackfills is the parent of the job's backfills. Its data is the id of the backfill that is
// under way; empty if none is.
func (j Job) RunsBackfills() string { return j.path("/extension/runs/backfills") }

// RunsBackfill is the node of a backfill, a [Backfill].
func (j Job) RunsBackfill(id string) string { return j.path("/extension/runs/backfills/" + id) }

// RunsBackfillTimes has the fire times of a backfill, see [EncodeTimes]. It never changes.
func (j Job) RunsBackfillTimes(id string) string { return j.RunsBackfill(id) + "/times" }

// RunBuckets is how many buckets there are: the first half for small requests, the
// second for those with more than [RunLarge] bytes of parameters.
const (
	RunBuckets = 32
	RunLarge   = 4 << 10
)

// RunBucket is the bucket of a run's request.
func RunBucket(id string, params int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // A hash takes everything.
	bucket := int(h.Sum32() % (RunBuckets / 2))
	if params > RunLarge {
		bucket += RunBuckets / 2
	}
	return bucket
}

// RunName is the name of a waiting request's node: "5-<due>-<id>", so that names in
// their order are requests in the order of their times. The digit is kept for
// priorities. Due is in Unix milliseconds with 13 digits.
func RunName(due time.Time, id string) string {
	return fmt.Sprintf("5-%013d-%s", min(max(due.UnixMilli(), 0), 9_999_999_999_999), id)
}

// ParseRunName reads the name of a waiting request's node; false for a stranger's.
func ParseRunName(name string) (due time.Time, id string, ok bool) {
	rest, fine := strings.CutPrefix(name, "5-")
	if !fine || len(rest) < 15 || rest[13] != '-' {
		return time.Time{}, "", false
	}
	due, ok = millisOf(rest[:13])
	return due, rest[14:], ok
}

// ParseRunEnded reads the name of an outcome's node; false for a stranger's.
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
