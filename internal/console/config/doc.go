// Package config is the part of the console about the configuration of a job: its form and its text,
// the consequences of a change, the review, two editors at once, saved versions, and new jobs.
//
//	                 browser                          program
//	                    │ draft.go                       │ api.go
//	stored ──► draft: base and what was typed            │
//	             │                                       │
//	             ├─► effects.go   consequences   ◄───────┤ POST …/preview
//	             ├─► schedule.go  the assistant  ◄───────┤
//	             │                                       │
//	             └─► review ──► [app.Console.Configure] ◄── PUT /api/jobs/config
//	                                │
//	                 version, audit record, compare-and-set in the registry
//
// Guarantees:
//
//   - Nothing is stored before it was reviewed, except by a script that shows the differences next
//     to the form.
//   - Nothing that was typed is lost: a form that is refused comes back, and changes by two editors
//     are merged. For a key that both have changed the page asks.
//   - Everything that the console doesn't know stays in the document byte for byte.
//   - Only callers who may configure see secrets.
//
// The form is the table in groups.go: a new key needs a line there and one in package editor.
package config
