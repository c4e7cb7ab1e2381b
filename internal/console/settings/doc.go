// Package settings is the part of the console about its settings: registries, data sources and
// tokens for programs, with their REST routes, their pages and the import of another console's
// settings.
//
//	                    ┌─ registries (registry.go) ─┐
//	entries.go, pages.go│                            │ kind[E, R]: what the two don't share
//	REST and pages  ────┤                            │
//	of both             └─ sources (source.go) ──────┘
//
//	import.go: a Configurations.xml ──► kind.check of each entry ──► stored together
//	tokens.go: tokens for programs, over REST and on their page
//
// Guarantees:
//
//   - No answer, page, audit record or log line has a secret. The token of a program is shown
//     once, by the answer that creates it.
//   - A stored secret stays if the address does. A request that changes the address must have the
//     secret again, otherwise the new address would be sent the stored one.
//   - Nothing connects to an address that the operator didn't allow, not even a test.
//   - A page tests an entry before it stores it, and stores an entry that fails only on demand.
package settings
