// Package firetime has the rules that decide which fire times of a shard are missed.
//
//	configuration ──▶ Era: since when the schedule and the settings apply
//	fire record   ──▶ Completed, Through
//	server, leader ─▶ times before which no instance had to run
//	                      │
//	                      ▼
//	         Missed(schedule, latest of them, now) ──▶ newest missed fire time
//
// The functions are pure. The engine reads the tree and calls them. A test explores all states of a
// small fleet and shows that no fire time is lost, repeated after it was completed, or made up for
// without having been missed.
//
// # Guarantees
//
//   - A fire time counts as missed only if it's later than every time that the caller passes.
//   - An edit of the schedule, misfire or monitorExecution begins an era. No fire time before the
//     era is missed. Other edits begin none.
//   - Several missed fire times count as one, the newest, as everywhere in ElasticJob.
package firetime
