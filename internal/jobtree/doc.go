// Package jobtree knows the shape of an ElasticJob tree in ZooKeeper: all paths of a job and all
// documents in it. No other package builds or parses a path or a node name; a test in
// internal/archtest checks this.
//
//	Namespace ──Job(name)──▶ Job ──Config(), Item(3), Trigger(id)…──▶ paths
//
//	instance, fire record, assignment bytes ──Decode…──▶ values ──Encode…──▶ bytes
//
//	names of children ──ParseJobChildren, ParseItemChildren, OwnChildren──▶ known nodes
//	an instance and its server ──JudgeInstance──▶ may it be assigned shards?
//
// Everything here is pure: no I/O, clocks or goroutines. Values are safe for concurrent use as long
// as their fields don't change. The public configuration of a job is in jobconfig.
package jobtree
