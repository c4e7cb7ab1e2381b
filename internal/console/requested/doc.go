// Package requested is the part of the console about requested runs: runs that users and programs
// ask for, with their parameters, backfills and holds, over REST and on pages.
//
//	rest.go, body.go ─┐              ┌─ list.go, list_all.go, read.go: registry, then trace database
//	                  ├─ service.go ─┤
//	page_*.go, form.go┘              └─ many.go, backfill.go, hold.go: actions, with their REST routes
//
//	form.go: the Run… dialog; trigger.go: the same for jobs whose agents only take triggers
//	params.go: the fields that the schema of a job's parameters makes
//
// Guarantees:
//
//   - Callers who may only look see no parameters that could be secret, no results, and no address
//     of an operator. The audit has the keys of parameters, and no values.
//   - A run that the registry no longer has comes from the trace database. If its end was never
//     recorded, it is unknown, and not running for ever.
//   - A request makes a run, or its answer has the reason. A known key returns the run of the first
//     request.
package requested
