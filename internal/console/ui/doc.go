// Package ui has helpers for the pages of several features. A slice of the console uses it next
// to the templates of web/templates/ui, so by convention it's imported as pageui:
//
//	import pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
//
//	problems.go   a [app.Problem] as text, flash, notice, or in the place of rows
//	forms.go      forms that are refused, confirmed or sent twice
//	text.go       short texts: names, shards, times, the first line of a failure
//	runs.go       the state and the trigger of a run
//	health.go     the state of a job
//	schedule.go   the schedule of a job
//	changes.go    records of the audit in words
//	diff.go       the lines in which two documents differ
//
// It knows no feature, and only ReadViews reads from a database.
package ui
