// Package cronwords says a cron expression in words, in the reader's language.
//
//	"0 0/5 9-17 ? * MON-FRI" ─► quartz.Parse ─► Selection ─► [Words]
//	  en: every 5 min from 09:00 to 17:55, Monday to Friday
//	  zh: 周一至周五，09:00 至 17:55 每 5 分钟
//
// The words come from what fires, never from what was written: "5X" is minute 5 as
// it is for Quartz. Where a few words cannot say exactly when an expression fires
// there are none, and [Text] gives the expression itself: better no words than
// wrong ones. Times are of the job's time zone, which the words do not name, and
// what becomes of them at a change of the clock is not said either.
package cronwords
