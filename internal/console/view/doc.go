// Package view says how values read on the console's pages and in its answers:
// times, durations, numbers, lists, and when a job fires next. It is pure: every
// function takes what it is about and the time.
//
//	instant, now ──► "2 min 13 s ago", with the whole date as its title
//	job, now ──► [Plan]: the next fires, or why there are none
//	name of any length ──► [Clip]: as much of it as fits
package view
