// Package quartz interprets cron expressions the way Quartz 2.3 and 2.4 do.
//
// Java and Go agents serve the same job and must fire at the same instant. So we follow Quartz in
// everything that determines a fire time, even where a different rule would be nicer.
//
//	"0 30 2 ? * FRI#2"        time.Time, *time.Location
//	        |                          |
//	     Parse ---> *Expression ---> Next ---> the first matching second
//	        |        bit sets of               strictly after, or none
//	   *ParseError   each field
//
// # The dialect
//
// Six or seven fields: second, minute, hour, day-of-month, month, day-of-week and an optional year.
// Exactly one of the two day fields is "?". Days of the week are 1 (Sunday) to 7 (Saturday) or SUN
// to SAT. Ranges may wrap (22-2, FRI-MON). L, L-3, LW, 15W, 6L and 6#3 have the same meaning as in
// Quartz.
//
// # Surprising rules that we keep
//
//   - A list with a W, such as "1,15W", means one rule: the weekday nearest to the smallest day in
//     the list. A list with a "#" means the nth of the smallest weekday in the list. The rest of
//     the list is ignored.
//   - Text after a complete value is ignored: "5X" is 5 and "MON-FRI/2" is MON-FRI. A step of zero
//     is no step: "0/0" is 0 and "*/0" is "*".
//   - 99 means "*" everywhere, and 98 means "?" in the day fields.
//   - In a month without that day, 29W to 31W may fire on the last day of the month, depending on
//     the start of the search.
//   - Fields after the seventh are ignored.
//   - Years end 100 years after the year in which the expression was parsed.
//
// # Daylight saving time
//
// The search runs on the wall clock. A wall time that is skipped in spring doesn't fire that day. A
// wall time that happens twice in autumn fires once, the second time, so "every minute" pauses
// during the first of the two hours. If a gap is shorter or longer than an hour, Quartz may also
// lose a run just after the gap, and so do we. A job can change these rules, see
// [Expression.OnceAtClockChanges]:
//
//	            clock set forward      clock set back
//	Quartz      02:30 does not fire    01:30 fires the second time
//	once        02:30 fires at 03:00   01:30 fires the first time
//
// # Differences
//
// Quartz accepts some expressions but throws or never returns when asked for a time. We are strict:
// Parse refuses fields that select nothing and "0W", and a search that Quartz would repeat forever
// continues in the next month. We don't accept anything that Quartz refuses.
//
// # Quartz 2.5
//
// Quartz 2.5, the version in Spring Boot 3.5, is another dialect: 29W to 31W skip months without
// that day, lists with L, LW and L-n are accepted in day-of-month, and more than seven fields are
// refused. We keep the dialect of 2.3 and 2.4, because ElasticJob 3.0.x is built with them.
// [Expression.Quartz25] lists the differences for an expression.
//
// # Proof
//
// The golden corpus in testdata was written by Quartz 2.4.0 itself. With Java 17 and Maven, this
// command writes it again, identical within the same year:
//
//	cd internal/quartz/testdata/oracle && mvn -q compile exec:java
//
// It reads testdata/expressions.txt and adds random expressions. The tests don't need Java or
// Maven.
package quartz
