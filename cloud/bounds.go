package cloud

import (
	"fmt"
	"time"
)

// Limits of definitions. Compare a number with its limit before you allocate memory for it.
const (
	// MaxName is the length of a job or application name in characters.
	MaxName = 100
	// MaxShards is the largest shardingTotalCount. An engine may have a smaller limit.
	MaxShards = 100_000
	// MaxParameters is the size of a request's parameters in bytes.
	MaxParameters = 64 << 10
	// MaxText is the size in bytes of a job's parameters and properties together, because they
	// become environment variables.
	MaxText = 96 << 10
	// MaxKey is the length of an idempotency key in characters.
	MaxKey = 200
	// MaxMemoryMB is 16 TiB.
	MaxCPU      = 1024
	MaxMemoryMB = 16 << 20
	// LeastCPU and LeastMemoryMB are upstream's minimums.
	LeastCPU      = 0.001
	LeastMemoryMB = 1
	// MaxPending is the largest value of [PropPendingMax].
	MaxPending = 1000
	// MaxLogBytes is the largest part of a log in one answer.
	MaxLogBytes = 10 << 20
	// MaxDelay is how far ahead a run can be requested: 365 days.
	MaxDelay = 365 * 24 * time.Hour
)

const (
	maxWords    = 1000 // of a command
	maxEnv      = 1000 // variables
	maxProps    = 1000 // properties
	maxSampling = 1 << 30
	maxGrace    = 24 * 60 * 60 // seconds
	maxURL      = 2000
	maxCron     = 1000
	// maxProcesses is the largest number of processes that share shards by a registry.
	maxProcesses = 1000
	day          = 24 * time.Hour
)

// number is the range and the default of an integer property.
type number struct{ least, most, otherwise int }

func (n number) Has(v int) bool { return n.least <= v && v <= n.most }

func (n number) String() string {
	return fmt.Sprintf("a whole number from %d to %d", n.least, n.most)
}

var numericProps = map[string]number{
	PropPendingMax:   {1, MaxPending, 100},
	PropFailoverMax:  {0, 100, 3},
	PropParallelism:  {1, MaxShards, 0},
	PropFirePriority: {-1_000_000, 1_000_000, 0},
	PropReadyPort:    {1, 65535, 0},
	PropProcesses:    {1, maxProcesses, 0},
}

// span is the range of a duration property.
type span struct{ least, most time.Duration }

func (s span) has(d time.Duration) bool { return s.least <= d && d <= s.most }

func (s span) String() string {
	return fmt.Sprintf("a duration from %s to %s, such as 10m", s.least, s.most)
}

var durationProps = map[string]span{
	PropTimeout:       {time.Second, 365 * day},
	PropStartDeadline: {10 * time.Second, 30 * day},
}

// chosenProps are the properties with a fixed set of values.
var chosenProps = map[string][]string{
	PropOverlap:  {string(OverlapQueueOne), string(OverlapQueueAll), string(OverlapSkip), string(OverlapAllow)},
	PropCPULimit: {"true", "false"},
	PropDaemon:   {DaemonRegistry},
}
