// Package console is the core of the operator's console: the router, who may call
// what, errors, the audit, and the registry and trace database that a request is
// about. It declares the interfaces it needs of others ([Jobs], [Operator],
// [History], [Settings], [Registries], [Sources], [Health]) with types of its own; the
// program wires them. Routes come from its parts, which package parts lists. A slice
// such as package settings brings the routes and pages of one feature; package pages
// has the other server-rendered pages, and package rest the other REST routes.
//
//	             ┌──────────────────── New(options, parts.All()...) ─────────────┐
//	browser ──►  host, base path, registry in the path (mount.go, place.go)      │
//	script  ──►  id, audit, panics, headers, origin    (middleware.go, audit.go) │ one table
//	             guard: who? may he? opens what the route touches (access.go)    │ of routes
//	             └─► handler of a part ─┬─► Read…   Jobs, History, Settings      │
//	                                    ├─► Submit  Operator                     │
//	                                    └─► Render, WriteJSON or Fail ───────────┘
//	                                                      │
//	                                 Kind ──► status, and errorCode of 3.x (errors.go)
//
//	slices, pages, rest ──► console, ui ──► auth, query, view   never the other way round
//
// Guarantees:
//
//   - Every route names who may call it and what it may touch; a route that does
//     not name the first keeps the console from starting. A guest looks, and every
//     action of one is refused on the server, whatever the page showed.
//   - Nothing changes on a GET. Actions from another site are refused.
//   - A page's cookie is no bearer token and a bearer token is no cookie. Signing
//     out makes a token worthless; so does changing the account's password.
//   - Who comes from an OpenID Connect provider is in only with an answer to a
//     question that this browser was sent with, and as a member of a group that the
//     operator named. The provider being away keeps nobody else out.
//   - A registry that cannot be read is an error with status 503, never an empty
//     list. Pages say since when, and load again by themselves until it is back.
//   - Whatever comes from the registry or the database is escaped; pages carry no
//     inline script or style, and the policy they are sent with forbids them.
//   - A kind of problem has one status, in one table.
//
// With [Options.Settings], whoever signed out stays so on every console of that
// database and over restarts, and every action, carried out or refused, is a record
// there before it is answered. While that database is away nobody is let in:
// nobody knows who signed out.
package console
