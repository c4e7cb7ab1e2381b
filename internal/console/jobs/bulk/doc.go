// Package bulk is the part of the console about actions on several jobs, or on several shards of a
// job: the question with a preview, the outcome, and undo. It's a part of package jobs.
//
//	bulk.go      an action on several jobs, or its preview; runs.go: holds and requested runs; label.go: labels
//	shards.go    shards that are switched, with their pages
//	changes.go   the outcome of a form: its page, its file and undo
//	page.go      the page that asks, with the form's target; words.go: the words of each action
//	rest.go      POST /api/bulk
//	export.go    the configurations of several jobs as a file
//
// Guarantees:
//
//   - A job that refuses an action doesn't keep it from the others.
//   - A form that is sent twice is carried out once.
//   - Undo switches the same servers and shards again, unless they were switched since.
package bulk
