package jobrun

// WaitCode is the kind of reason for which a run waits. Codes are for programs and don't
// change.
type WaitCode string

// The reasons, in the order in which they are looked for.
const (
	// WaitTime: the run's time has not come.
	WaitTime WaitCode = "TIME"
	// WaitHeld: the job is held, and the hold includes this run.
	WaitHeld WaitCode = "HELD"
	// WaitNoProcess: no process serves the job.
	WaitNoProcess WaitCode = "NO_PROCESS"
	// WaitNotGo: the processes that serve the job, or the shards, take no requested runs.
	WaitNotGo WaitCode = "NOT_GO"
	// WaitDisabled: the servers of all processes that could run it are disabled.
	WaitDisabled WaitCode = "DISABLED"
	// WaitDebug: those processes begin nothing on their own; see coreagent's Config.Debug.
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
	// WaitObstacle: every process that could run it announces why it can't.
	WaitObstacle WaitCode = "OBSTACLE"
	// WaitNode: a node that no agent has made is in the way.
	WaitNode WaitCode = "NODE"
	// WaitAgent: nothing is in the way; an agent takes the run within moments.
	WaitAgent WaitCode = "AGENT"
)

// Wait is why a run that waits hasn't begun. It is zero for a run that doesn't wait, and in
// lists.
type Wait struct {
	Code WaitCode
	// Sentence is for the operator. Remedy is the advice, empty if there is nothing to do.
	Sentence, Remedy string
	// Node is the path in the registry that it was concluded from.
	Node string
	// Run is the run that comes first, of WaitRun; N how many do, of WaitQueue, or how many
	// shards are busy, of WaitBusy.
	Run string
	N   int
	// Who are the processes concerned, at most ten of them.
	Who []string
}
