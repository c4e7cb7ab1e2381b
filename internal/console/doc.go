// Package console is the operator's console: server-rendered pages and a REST
// interface over what package statistics reads, package lifecycle orders and
// package tracing/rdb remembers. It declares the interfaces it needs of them
// ([Jobs], [Operator], [History], [Health]); the program wires them.
//
//	browser ──cookie──┐                      ┌─► Jobs      what is   ──► view model ─► templ page
//	                  ├─► guard ─► handler ──┼─► History   what was  ──► view model ─► templ page
//	script ──bearer───┘   │  (a role for     └─► Operator  what shall be ─► 303 and a message
//	                      │   every route)
//	                      └─ 401/403, the way to the login, the reason
//
// Guarantees:
//
//   - Every route names who may call it and what it may touch; a route that does
//     not name the first keeps the console from starting. A guest looks, and every order of one is refused on the
//     server, whatever the page showed.
//   - Nothing changes on a GET. Orders from another site are refused.
//   - A page's cookie is no bearer token and a bearer token is no cookie. Signing
//     out makes a token worthless; so does changing the account's password.
//   - Who comes from an OpenID Connect provider is in only with an answer to a
//     question that this browser was sent with, and as a member of a group that the
//     operator named. The provider being away keeps nobody else out.
//   - A registry that cannot be read is an error with status 503, never an empty
//     list. Pages say since when, and load again by themselves until it is back.
//   - Whatever comes from the registry or the database is escaped; pages carry no
//     inline script or style, and the policy they are sent with forbids them.
//
// With [Options.Settings], whoever signed out stays so on every console of that
// database and over restarts, and every order, given or refused, is a record
// there before it is answered. While that database is away nobody is let in:
// it cannot be told who signed out.
package console
