// Package task is what a process that works on one shard of a job of
// ElasticJob-Cloud knows of its task, and what it leaves behind when it fails.
//
//	engine ── environment ──▶ Read ───────▶ Task ───▶ cloudjob, cloudrun
//	                     └──▶ ReadAgent ──▶ Agent ──▶ cloudjob, if processes share the shards
//	                                                     │ output
//	             termination message ◀── WriteMessage ◀── Tail (last lines, masked)
//
// It is shared by coreagent/cloudjob, for programs in Go, and cmd/cloudrun, for all
// others. Each value from the environment has a bound, and each error names its variable.
package task
