package jobrun

// WaitCode is the reason why a run waits. Codes are for programs and don't change.
type WaitCode string

// The reasons, in the order in which they are checked.
const (
	// WaitTime: the run's time hasn't come yet.
	WaitTime WaitCode = "TIME"
	// WaitHeld: the job is held, and the hold includes this run.
	WaitHeld WaitCode = "HELD"
	// WaitNoProcess: no process serves the job.
	WaitNoProcess WaitCode = "NO_PROCESS"
	// WaitNotGo: the processes of the job, or of the shards, don't accept requested runs.
	WaitNotGo WaitCode = "NOT_GO"
	// WaitDisabled: the servers of all processes that could run it are disabled.
	WaitDisabled WaitCode = "DISABLED"
	// WaitDebug: these processes begin nothing on their own; see coreagent's Config.Debug.
	WaitDebug WaitCode = "DEBUG"
	// WaitRun: another run comes first.
	WaitRun WaitCode = "RUN"
	// WaitQueue: runs that were due earlier come first.
	WaitQueue WaitCode = "QUEUE"
	// WaitBusy: every shard works on another run.
	WaitBusy WaitCode = "BUSY"
	// WaitPlaces: every process works on as many runs as its MaxParallel allows.
	WaitPlaces WaitCode = "PLACES"
	// WaitResharding: the shards are being assigned.
	WaitResharding WaitCode = "RESHARDING"
	// WaitObstacle: every process that could run it has announced an obstacle.
	WaitObstacle WaitCode = "OBSTACLE"
	// WaitNode: a foreign node is in the way.
	WaitNode WaitCode = "NODE"
	// WaitAgent: nothing is in the way, and an agent will take the run within moments.
	WaitAgent WaitCode = "AGENT"
)

// Wait is why a waiting run hasn't begun. It's zero for other runs, and in lists.
type Wait struct {
	Code WaitCode
	// Sentence is for the operator. Remedy is the advice, or empty.
	Sentence, Remedy string
	// Node is the registry path that shows the reason.
	Node string
	// Run is the run that comes first, for WaitRun. N is the number of runs that come first, for
	// WaitQueue, or of busy shards, for WaitBusy.
	Run string
	N   int
	// Who are the affected processes, at most ten.
	Who []string
}
