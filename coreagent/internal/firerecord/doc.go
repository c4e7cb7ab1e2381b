// Package firerecord reads the records of completed fire times, and the era in which
// a job has had its present settings.
//
//	extension/fired      ──▶ Era: since when the settings are in force
//	extension/fired/<n>  ──▶ Record: how far the fire times of shard n are accounted for
//
// Java has no place for either, and ignores both. A record is written in the transaction
// that makes the running marker, where it names the fire time that begins, and in the one
// that clears the marker, where it names the fire time that was completed. So a run costs
// no request more. If the shard rotates, the record names only a trigger that begins, or a fire
// time that follows one without a run. The owner's name is put on it when a shard changes hands.
// Losing it loses the catching up of a missed fire time and nothing else. The rules, by which fire
// times are missed or accounted for, are those of package firetime.
//
// # Guarantees
//
//   - A record that cannot be read counts as none, and one from further in the future
//     than clocks may differ is cut down to the present; see [firetime.Sound].
//   - What is returned has the version of the node that it was read from: who writes
//     on that condition overwrites nothing that it has not seen.
//   - The era is that of the configuration that was asked for, also if the leader has
//     not noted it yet, unless the note is of a newer one.
package firerecord
