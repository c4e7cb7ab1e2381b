// Package statistics reads an ElasticJob namespace and reports the state of its jobs. Every status
// comes with the node and the value that explain it.
//
//	registry.Open ──▶ NewReader ──▶ Reader
//
//	ZooKeeper ──reads, in parallel, bounded──▶ evidence of a job ──rules──▶ Job
//	                                                                       JobDetail
//	                                                                       Server
//	          └─▶ evidence about one job ──rules──▶ Explanation: why it does not run
//
// The rules for statuses are ElasticJob's, without its traps:
//
//   - A shard whose instance has left is shown. It doesn't make the list fail.
//   - An unreadable configuration affects only the row of its job.
//   - A job without servers isn't reported as disabled.
//   - A node without a configuration is a job only if it has instances or shards.
//   - Addresses are compared exactly and sorted as numbers.
//
// We never write anything. A Reader from [NewReader] reads everything each time. A Reader from
// [NewWatchingReader] caches the nodes it has read, with watches, and only reads again the nodes
// that have changed. If the server can't be reached, a read fails with ErrUnavailable; it never
// returns an empty list or old data. Use [Reader.Memory] if old data is good enough.
package statistics
