// Package schedule judges a cron expression before it is saved: when it fires, what
// changes of the clock do to it, which other jobs fire at the same second, and
// whether its runs have room between its fire times.
//
//	expression, zone ─┬─► Fields    second, minute, hour, …
//	                  ├─► Fires     the next ones, and the shortest gap between them
//	                  ├─► Changes   dates on which the clock is set, and what is skipped
//	other jobs ───────┴─► Herd      who fires at the same second, and a quieter one
//
// It is pure and bounded: what takes longer than its context allows is left out and
// the report says so.
package schedule
