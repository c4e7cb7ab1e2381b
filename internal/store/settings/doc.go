// Package settings is the console's own memory, in a database that every
// console of an installation may share: who did what, and which tokens were
// given up.
//
//	console A ─┐            ┌─ audit   who, when, from where, what, outcome
//	           ├─▶ Store ───┤
//	console B ─┘            └─ tokens  signed out here is signed out there
//
// Whatever a method returned without an error for outlives the process, and
// another console of the same database sees it with its next question: nothing
// is cached here.
package settings
