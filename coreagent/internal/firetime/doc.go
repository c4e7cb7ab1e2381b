// Package firetime holds the rules of which fire times of a shard are missed.
//
//	configuration ──▶ Era: since when the schedule and the switches stand
//	fire record   ──▶ Completed, Through
//	server, leader ─▶ moments before which nobody had to run
//	                      │
//	                      ▼
//	         Missed(schedule, latest of them, now) ──▶ newest missed fire time
//
// The functions are pure. The engine reads the tree and asks them; a test walks
// through all states of a small fleet and shows that no fire time is lost, run
// again after it was completed, or made up for without being missed.
//
// # Guarantees
//
//   - A fire time counts as missed only if it is later than everything the
//     caller knows to be accounted for.
//   - An edit of the schedule, of misfire or of monitorExecution begins an era,
//     and nothing before an era is missed. An edit of anything else begins none.
//   - Several missed fire times count as one, the newest, as everywhere in
//     ElasticJob.
package firetime
