// Package settings is the console's own memory, in a database that every
// console of an installation may share: who did what, which tokens were given
// up, the registries and data sources that people have entered, the views they saved.
//
//	console A ─┐            ┌─ audit       who, when, from where, what, outcome
//	           │            ├─ versions    configurations of jobs that were saved, encrypted
//	           ├─▶ Store ───┼─ tokens      signed out here is signed out there
//	           │            ├─ views       selections of lists, of one account or of everybody
//	console B ─┘            └─ registries  secrets encrypted with a key kept elsewhere
//
// Whatever a method returned without an error for outlives the process, and
// another console of the same database sees it with its next question: nothing
// is cached here.
package settings
