package jobrun

// WaitCode is the reason why a run waits. Programs should compare codes, because we may reword the
// texts but never change a code.
type WaitCode string

// The reasons, in the order in which they are checked.
const (
	// WaitTime: the run's time hasn't come yet.
	WaitTime WaitCode = "TIME"
	// WaitExpired: the run didn't begin before it expired, and no agent has recorded that yet.
	WaitExpired WaitCode = "EXPIRED"
	// WaitHeld: the job is held, and the hold includes this run.
	WaitHeld WaitCode = "HELD"
	// WaitConfig: agents can't use the stored configuration, so they begin nothing.
	WaitConfig WaitCode = "CONFIG"
	// WaitNoProcess: no process serves the job.
	WaitNoProcess WaitCode = "NO_PROCESS"
	// WaitNotGo: the processes of the job, or of the shards, don't accept requested runs, such as
	// Java agents and early versions of our own.
	WaitNotGo WaitCode = "NOT_GO"
	// WaitDisabled: the servers of all processes that could run it are disabled.
	WaitDisabled WaitCode = "DISABLED"
	// WaitDebug: these processes begin nothing on their own; see coreagent's Config.Debug.
	WaitDebug WaitCode = "DEBUG"
	// WaitRun: another run comes first.
	WaitRun WaitCode = "RUN"
	// WaitQueue: runs that were due earlier come first.
	WaitQueue WaitCode = "QUEUE"
	// WaitBusy: every enabled shard that it could use works on another run.
	WaitBusy WaitCode = "BUSY"
	// WaitPlaces: every process works on as many runs as its MaxParallel allows.
	WaitPlaces WaitCode = "PLACES"
	// WaitNoLeader: the shards have to be assigned, and no instance leads that could do it.
	WaitNoLeader WaitCode = "NO_LEADER"
	// WaitResharding: the shards are being assigned.
	WaitResharding WaitCode = "RESHARDING"
	// WaitShardsOff: shards of the run were disabled after it was opened, or every shard that it could
	// use is disabled.
	WaitShardsOff WaitCode = "SHARDS_DISABLED"
	// WaitNoOwner: shards of the run belong to no process that is there.
	WaitNoOwner WaitCode = "NO_OWNER"
	// WaitObstacle: every process that could run it has announced an obstacle, or the owner of a
	// shard that waits has.
	WaitObstacle WaitCode = "OBSTACLE"
	// WaitNode: a foreign node is in the way.
	WaitNode WaitCode = "NODE"
	// WaitAgent: the registry shows nothing in the way, and an agent decides next. It should take the
	// run within moments, or may skip it.
	WaitAgent WaitCode = "AGENT"
)

// Wait is why a waiting run hasn't begun, or why shards wait of a run on which no handler works. It's
// zero for other runs, and in lists.
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
	// Who are the affected processes, at most ten. For WaitObstacle each has its own words, for
	// WaitConfig it's the reason, and for WaitBusy, WaitShardsOff and WaitNoOwner the shards.
	Who []string
}
