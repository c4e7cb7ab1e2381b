package ledger

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Job is a job of the campaign: its declaration, and its handler's behavior.
type Job struct {
	Name     string
	Period   int // Period is the time between two fire times in seconds; 0 if the job only runs for triggers.
	Shards   int
	Monitor  bool // Monitor turns monitorExecution on.
	Misfire  bool
	Failover bool
	Eager    bool   // Eager turns eager failover on.
	Strategy string // Strategy is empty for the default strategy.
	Dataflow bool   // Dataflow fetches and processes until no data is left.

	Shortest, Longest int // Shortest and Longest limit the duration of a handler, in ms.
	FailOneIn         int // FailOneIn makes one in this many executions fail; 0 means none.

	Requested bool // Requested jobs get runs from the operator, each for one shard.

	Edited bool // Edited is set if the operator changes the configuration.
	Mixed  bool // Mixed is set if Java agents also serve the job.
}

// Cron returns the schedule of the period.
func (j Job) Cron() string { return CronOf(j.Period) }

// CronOf returns the expression that fires at each multiple of a period. The period divides a
// minute, or is in minutes and divides an hour. 0 returns "".
func CronOf(seconds int) string {
	switch {
	case seconds == 0:
		return ""
	case seconds%60 == 0:
		return fmt.Sprintf("0 0/%d * * * ?", seconds/60)
	}
	return fmt.Sprintf("0/%d * * * * ?", seconds)
}

// Takes returns how long the handler of one execution works. It's always the same for the same
// shard and fire time.
func (j Job) Takes(item int, fire time.Time) time.Duration {
	spread := j.Longest - j.Shortest
	ms := j.Shortest
	if spread > 0 {
		ms += int(mix(fire.UnixMilli(), item) % uint64(spread+1))
	}
	return time.Duration(ms) * time.Millisecond
}

// Fails reports whether an execution fails.
func (j Job) Fails(item int, fire time.Time) bool {
	return j.FailOneIn > 0 && mix(fire.UnixMilli(), item+1_000_003)%uint64(j.FailOneIn) == 0
}

// mix hashes a time and a shard, like SplitMix64.
func mix(moment int64, item int) uint64 {
	x := uint64(moment)*0x9e3779b97f4a7c15 + uint64(item)*0xd1b54a32d192ed03
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// WriteJobs writes the jobs of a campaign for its agents.
func WriteJobs(path string, jobs []Job) error {
	text, err := json.MarshalIndent(jobs, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// ReadJobs reads a file written by WriteJobs.
func ReadJobs(path string) ([]Job, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var jobs []Job
	if err := json.Unmarshal(text, &jobs); err != nil {
		return nil, fmt.Errorf("read the jobs of %s: %w", path, err)
	}
	return jobs, nil
}
