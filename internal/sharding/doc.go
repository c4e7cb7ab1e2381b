// Package sharding decides which instance runs which shard, and when that
// has to be decided anew.
//
// It is pure: instance ids and a number of shards go in, a map comes out, and
// nothing is read from or written to ZooKeeper. The leader calls it once per
// resharding; the engine writes the result to the job's tree. Package statistics
// calls it to predict what a leader would do.
//
//	instances (live, enabled)
//	      |  SortInstances: descending, as Java compares strings
//	      v
//	 ByName("ROUND_ROBIN") --> Strategy.Assign(instances, job, total)
//	                                  |  reorder the list, then allocate evenly
//	                                  v
//	                 map[instance][]shard, every shard exactly once
//
//	State of the tree --> Reason, "" while the assignment stands
//
// A job is served by Java and Go agents together and either may be the leader,
// so every strategy gives the result ElasticJob's strategy of the same name
// gives for the same input. The one exception is deliberate: where Java throws
// because the absolute value of the smallest int is negative (a job named
// "polygenelubricants" under ROUND_ROBIN), this package picks a legal offset.
//
// Guarantees of every strategy here:
//   - each shard 0..total-1 is given to exactly one instance, if there is one;
//   - the numbers of shards of two instances differ by at most one;
//   - every instance has a key in the result, even with no shards;
//   - the arguments are not modified, and the strategy is safe for concurrent
//     use.
//
// Not guaranteed: that an instance keeps its shards when the set of instances
// changes. Even allocation moves them freely.
package sharding
