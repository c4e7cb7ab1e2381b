// Package app is the core of the console: the router, the guard, sessions, errors, the audit log,
// live regions and forms. It reads the registry and the trace database that a request concerns,
// through interfaces that it declares ([Jobs], [Operator], [History], [Settings], [Registries],
// [Sources], [Health]). The program passes their implementations, and the routes of the slices that
// package parts lists.
//
//	             ┌──────────────────── New(options, parts.All()...) ─────────────┐
//	browser ──►  host, base path, registry in the path (mount.go, place.go)      │
//	script  ──►  id, audit, panics, headers, origin    (middleware.go, audit.go) │ one table
//	             guard: who may call it? what does it touch?       (access.go)   │ of routes
//	             └─► handler of a part ─┬─► Read…   Jobs, History, Settings      │
//	                                    ├─► Submit  Operator                     │
//	                                    └─► Render, WriteJSON or Fail ───────────┘
//	                                                      │
//	                                 Kind ──► status, and errorCode of 3.x (errors.go)
//
//	slices, pages, rest ──► app, ui ──► auth, query, view   never the other way round
//
// Guarantees:
//
//   - Each route must name its callers and what it touches. Otherwise the console doesn't start. The
//     server refuses all actions of guests.
//   - GET changes nothing. The console refuses actions that come from another site.
//   - A page's cookie isn't accepted as a bearer token, nor a token as a cookie. A token becomes
//     invalid when its user signs out or the account's password changes.
//   - A user of an OpenID Connect provider must answer a question that this browser asked, and must
//     belong to a group that the operator named. Other accounts don't depend on the provider.
//   - A registry that can't be read is an error with status 503, never an empty list. Pages show since
//     when, and reload until it's back.
//   - All text from the registry or the database is escaped. Pages have no inline script or style, and
//     their content security policy forbids both.
//   - Each kind of problem has one status, and one table has them all.
//
// With [Options.Settings], signing out applies to all consoles of that database and survives
// restarts, and each action is recorded there before it's answered, also if it was refused. While
// that database can't be reached, nobody can sign in, because the console can't check who has signed
// out.
package app
