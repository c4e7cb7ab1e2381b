// Package quartz understands cron expressions the way Quartz 2.3 and 2.4 do.
//
// Java and Go agents serve the same job and must fire at the same instant, so
// this package follows Quartz in everything that decides a fire time, even where
// one would wish for something else.
//
//	"0 30 2 ? * FRI#2"        time.Time, *time.Location
//	        |                          |
//	     Parse ---> *Expression ---> Next ---> the first matching second
//	        |        bit sets of               strictly after, or none
//	   *ParseError   each field
//
// # The dialect
//
// Six or seven fields: second, minute, hour, day-of-month, month, day-of-week
// and an optional year. Exactly one of the two day fields is "?". Days of the
// week are 1 (Sunday) to 7 (Saturday) or SUN to SAT. Ranges may wrap (22-2,
// FRI-MON), L, L-3, LW, 15W, 6L and 6#3 mean what they mean in Quartz.
//
// # What surprises, and is kept
//
//   - A list that holds a W, such as "1,15W", means one rule: the weekday nearest
//     to the smallest day listed. A list that holds a "#" means the nth of the
//     smallest weekday listed. The rest of the list is ignored.
//   - Text after a complete value is ignored: "5X" is 5 and "MON-FRI/2" is
//     MON-FRI. A step of zero is no step: "0/0" is 0 and "*/0" is "*".
//   - 99 means "*" everywhere, 98 means "?" in the day fields.
//   - 29W to 31W in a month that lacks that day may fire on the last day of the
//     month, depending on where the search started.
//   - Fields beyond the seventh are ignored.
//   - Years end 100 years after the one in which the expression was parsed.
//
// # Daylight saving time
//
// The search runs on the wall clock. A wall time that is skipped in spring does
// not fire that day. A wall time that happens twice in autumn fires once, the
// second time; so "every minute" pauses during the first of the two hours. Where
// a gap is not a full hour, or longer than one, Quartz may lose a run just after
// the gap as well, and so does this package. A job may have it otherwise, see
// [Expression.OnceAtClockChanges]:
//
//	            clock set forward      clock set back
//	Quartz      02:30 does not fire    01:30 fires the second time
//	once        02:30 fires at 03:00   01:30 fires the first time
//
// # What differs
//
// Where Quartz accepts an expression but throws or never returns when asked for
// a time, this package is strict: fields that select nothing and "0W" are
// refused by Parse, and a search that Quartz would repeat for ever moves on to
// the next month. Nothing is accepted that Quartz refuses.
//
// # Quartz 2.5
//
// Quartz 2.5, which Spring Boot 3.5 manages, is another dialect: 29W to 31W skip
// months that lack that day, lists with L, LW and L-n are accepted in
// day-of-month, and more than seven fields are refused. This package stays with
// 2.3 and 2.4, which ElasticJob 3.0.x is built with; [Expression.Quartz25] tells
// which expressions differ.
//
// # Proof
//
// The golden corpus in testdata was written by Quartz 2.4.0 itself. With Java 17
// and Maven it is written anew, byte for byte the same within a year, by
//
//	cd internal/quartz/testdata/oracle && mvn -q compile exec:java
//
// which reads testdata/expressions.txt and adds random expressions. The tests
// need neither.
package quartz
