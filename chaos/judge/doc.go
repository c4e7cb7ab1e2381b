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
//	twice     a shard is settled once per fire time, whichever source runs it; package
//	          settlement has the rule, which the judge of simulated fleets shares
//	failover  only what was interrupted is failed over, once, not before its fire time,
//	          and its handler gets that fire time
//	trigger   a trigger runs a shard once at most
//	unowed    nothing is made up for that was missed before an edit of the
//	          schedule, or while the shard was disabled
//	lost      each fire time runs or is made up for
//	dead      in the quiet phase every enabled shard goes on running
//	row       rows of JOB_EXECUTION_LOG equal executions
//	history   the database has each requested run as the registry does
//	tree      no leftovers after quiet, every shard with one living owner
//	growth    memory, goroutines and descriptors do not grow
//	console   no failure of its own, and answers that agree with the tree
//
// What they excuse, each with a test:
//
//   - A process that stood still can't know that it lost its shards (overlap, token, ended).
//   - A handler has half a second to obey its context (overlap). If it ends
//     within that time of a lost session, it may run again, because we can't tell which came
//     first (twice).
//   - A fire time that was completed may run again if the process couldn't record it before
//     the other instance began: it died, or was not connected and left alone for 5 seconds
//     after the slowest shard of the run (twice).
//   - A failover may name a later fire time than the interrupted run, and counts for that one: a
//     process may have marked the shard for it and died before it called the handler, and a
//     rotating shard's record doesn't name the fire time that began (twice, failover).
//   - A process that was killed takes the last seconds of its traces with it (row).
//   - Jobs without monitorExecution promise neither exclusion nor making up. Jobs that Java
//     agents serve too have ElasticJob's promises, so of them only tree and dead are judged.
package judge
