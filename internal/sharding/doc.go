// Package sharding decides which instance runs which shard, and when the shards must be assigned
// again.
//
// It's pure: instance ids and a number of shards go in and a map comes out, without any access to
// ZooKeeper. The leader calls it once per resharding, and the engine writes the result to the job's
// tree. Package statistics uses it to predict the leader's assignment.
//
//	instances (live, enabled)
//	      |  SortInstances: descending, as Java compares strings
//	      v
//	 ByName("ROUND_ROBIN") --> Strategy.Assign(instances, job, total)
//	                                  |  reorder the list, then allocate evenly
//	                                  v
//	                 map[instance][]shard, every shard exactly once
//
//	State of the tree --> Reason, "" if the assignment is still right
//
// Java and Go agents serve a job together and either may be the leader. So every strategy gives the
// same result as ElasticJob's strategy of the same name. There is one deliberate exception: Java
// throws if the absolute value of the smallest int is negative (a job named "polygenelubricants"
// under ROUND_ROBIN), and we pick a valid offset.
//
// Guarantees of every strategy:
//   - each shard 0..total-1 is given to exactly one instance, if there is one;
//   - the numbers of shards of two instances differ by at most one;
//   - every instance has a key in the result, even without shards;
//   - the arguments aren't modified, and the strategy is safe for concurrent use.
//
// Not guaranteed: that an instance keeps its shards when the set of instances changes. Even
// allocation moves them freely.
package sharding
