// Package firerecord reads the records of completed fire times, and the era of a job's current
// settings.
//
//	extension/fired      ──▶ Era: since when the settings apply
//	extension/fired/<n>  ──▶ Record: up to where the fire times of shard n are accounted for
//
// Java has neither and ignores both. A record is written in the transaction that creates the
// running marker, with the fire time that begins if failover is on, and in the transaction that removes the marker,
// with the completed fire time. So it costs no extra request. If the shard rotates, the record
// names a begun run only if it's a trigger or follows a fire time without a run. When a shard
// changes hands, the new owner's name is written to the record. If a record is lost, we may miss a
// misfire, but nothing else. Package firetime has the rules that decide which fire times are missed
// or accounted for.
//
// # Guarantees
//
//   - An unreadable record counts as missing, and a record from further in the future than clocks
//     may differ is cut to the current time; see [firetime.Sound].
//   - A result has the version of its node, so a conditional write can't overwrite a change that
//     the writer hasn't seen.
//   - The era belongs to the given configuration, even if the leader hasn't noted it yet, unless
//     the note is newer.
package firerecord
