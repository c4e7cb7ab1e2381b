// Package cloudui is the pages of ElasticJob-Cloud, whose shards are processes.
//
//	RunsProps ──▶ Runs      what the engine has, newest first
//	RunProps ───▶ Run       facts, what it waits for, all shards at once, the slowest over time
//	ShardProps ─▶ Shard     the attempts at a shard of a run, and what one of them wrote
//	ConfirmProps ▶ Confirm  the question before something that cannot be taken back
package cloudui
