package jobtree

// The bounds of the numbers of a configuration. Validate refuses to write a
// value outside them; Usable says which stored values cannot be served.
const (
	// MaxShards is the largest shardingTotalCount that can be written and
	// served. Each shard has nodes of its own in the tree and lines in every
	// agent's memory, so a larger number is a slip of the keyboard or an attack.
	// Nothing may allocate memory by a number of shards that was not compared
	// with it.
	MaxShards = 100_000
	// MaxReconcileMinutes is the largest reconcileIntervalMinutes: 365 days.
	MaxReconcileMinutes = 365 * 24 * 60
	// MaxTimeDiffSeconds is the largest maxTimeDiffSeconds: 365 days.
	MaxTimeDiffSeconds = 365 * 24 * 60 * 60
)
