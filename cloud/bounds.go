package cloud

import (
	"fmt"
	"time"
)

// The bounds of what a definition may say. Nothing may allocate memory by a number that
// was not compared with its bound.
const (
	// MaxName is the number of characters of the name of a job or an application.
	MaxName = 100
	// MaxShards is the largest shardingTotalCount; an engine may have a smaller bound.
	MaxShards = 100_000
	// MaxParameters is the number of bytes of the parameters of a request.
	MaxParameters = 64 << 10
	// MaxText is the number of bytes of a job's parameters and properties together: they
	// become the environment of its processes.
	MaxText = 96 << 10
	// MaxKey is the number of characters of an idempotency key.
	MaxKey = 200
	// MaxCPU is the largest cpuCount, MaxMemoryMB the largest memoryMB: 16 TiB.
	MaxCPU      = 1024
	MaxMemoryMB = 16 << 20
	// LeastCPU and LeastMemoryMB are upstream's least values.
	LeastCPU      = 0.001
	LeastMemoryMB = 1
	// MaxPending is the largest value of [PropPendingMax].
	MaxPending = 1000
	// MaxLogBytes is how much of a log is answered at most.
	MaxLogBytes = 10 << 20
	// MaxDelay is how far ahead a request may ask for a run: 365 days.
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
	// maxProcesses are those that share the shards of a job by a registry.
	maxProcesses = 1000
	day          = 24 * time.Hour
)

// number is what a property that is a whole number may be, and what it is if it is absent.
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

// span is what a property that is a duration may be.
type span struct{ least, most time.Duration }

func (s span) has(d time.Duration) bool { return s.least <= d && d <= s.most }

func (s span) String() string {
	return fmt.Sprintf("a duration from %s to %s, such as 10m", s.least, s.most)
}

var durationProps = map[string]span{
	PropTimeout:       {time.Second, 365 * day},
	PropStartDeadline: {10 * time.Second, 30 * day},
}

// chosenProps are the properties whose values are a list of words.
var chosenProps = map[string][]string{
	PropOverlap:  {string(OverlapQueueOne), string(OverlapQueueAll), string(OverlapSkip), string(OverlapAllow)},
	PropCPULimit: {"true", "false"},
	PropDaemon:   {DaemonRegistry},
}
