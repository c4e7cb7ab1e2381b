// Package jobtree knows the shape of an ElasticJob tree in ZooKeeper: every
// path a job has and every document stored in it. No other package spells a
// path, the name of a node, or parses one; a test of internal/archtest says so.
//
//	Namespace ──Job(name)──▶ Job ──Config(), Shard(3), Trigger(id)…──▶ paths
//
//	instance, fire record, assignment bytes ──Decode…──▶ values ──Encode…──▶ bytes
//
//	names of children ──ParseJobChildren, ParseItemChildren, OwnChildren──▶ what there is
//	an instance and its server ──JudgeInstance──▶ may it be assigned shards?
//
// Everything here is pure: no I/O, no clocks, no goroutines. Values are safe
// for concurrent use as long as nobody changes their fields. The configuration of a
// job, which is public, is jobconfig's.
package jobtree
