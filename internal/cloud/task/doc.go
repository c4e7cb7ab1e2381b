// Package task reads the environment of a process that works on one shard of an ElasticJob-Cloud
// job, and writes its termination message.
//
//	engine ── environment ──▶ Read ───────▶ Task ───▶ cloudjob, cloudrun
//	                     └──▶ ReadAgent ──▶ Agent ──▶ cloudjob, if processes share the shards
//	                                                     │ output
//	             termination message ◀── WriteMessage ◀── Tail (last lines, masked)
//
// It's shared by coreagent/cloudjob, for Go programs, and cmd/cloudrun, for all others. Each value
// from the environment has a limit, and each error names its variable.
package task
