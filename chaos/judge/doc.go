// Package judge decides whether the fleet of a chaos campaign kept its
// promises. It is a set of pure functions over what the campaign collected.
//
//	ledgers of the agents ─┐
//	history of the tree   ─┤
//	rows of the database  ─┼─▶ History ──Check──▶ []Violation ──Timeline──▶ text
//	answers of the console─┤
//	faults and commands   ─┘
//
// The rules:
//
//	overlap   no two executions of one shard at once
//	token     fencing tokens never fall and grow with each change of owner
//	ended     no handler is called with a context that has ended
//	twice     what was completed, and could be recorded as such, does not run again
//	failover  only what was interrupted is failed over
//	trigger   a trigger runs a shard once at most
//	unowed    nothing is made up for that was missed before an edit of the
//	          schedule, or while the shard was disabled
//	lost      each fire time runs or is made up for
//	dead      in the quiet phase every enabled shard goes on running
//	row       rows of JOB_EXECUTION_LOG equal executions
//	tree      no leftovers after quiet, every shard with one living owner
//	growth    memory, goroutines and descriptors do not grow
//	console   no failure of its own, and answers that agree with the tree
//
// What they excuse: a process that stood still cannot know that it lost its
// shards; a process that was killed takes the last seconds of its traces with
// it; jobs without monitorExecution promise neither exclusion nor making up;
// jobs that Java agents serve too have ElasticJob's promises, so of them only
// tree and dead are judged.
package judge
