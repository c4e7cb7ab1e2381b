// Package statistics reads an ElasticJob namespace and says how its jobs are:
// every status comes with the node and the value it was concluded from.
//
//	registry.Open ──▶ NewReader ──▶ Reader
//
//	ZooKeeper ──reads, in parallel, bounded──▶ evidence of a job ──rules──▶ Job
//	                                                                       JobDetail
//	                                                                       Server
//	          └─▶ evidence about one job ──rules──▶ Explanation: why it does not run
//
// The rules for statuses are ElasticJob's, with its traps removed: a shard
// whose instance has left is shown instead of failing the list; one unreadable
// configuration concerns its own row only; a job without servers is not called
// disabled; nodes without a configuration are not jobs unless
// they have instances or shards; addresses are compared
// exactly and sorted as numbers.
//
// Nothing is written. A Reader of [NewReader] reads everything each time; one of
// [NewWatchingReader] keeps what it has read, with watches, and asks ZooKeeper
// nothing while nothing changes. A read that fails because the server cannot be
// reached is ErrUnavailable, never an empty list and never yesterday's; who wants
// that asks for it, with [Reader.Memory].
package statistics
