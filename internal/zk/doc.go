// Package zk is the only package that talks to a ZooKeeper client library.
//
// It wraps one connection with what a distributed scheduler needs and the
// library lacks: a session state machine that notices a lost session by the
// local clock, operations that take a context, errors that tell absent,
// unreachable and forbidden apart, and watch events routed by path without a
// goroutine per watch, or a channel either for whoever sets [Many]. Who reads a whole
// namespace asks for many nodes by one request, [Many.ReadAll].
//
//	            first session
//	(open) ───────────────────────▶ CONNECTED ◀──────────────┐
//	                                 │     ▲                 │
//	                    disconnected │     │ same session    │ new session, or the
//	                                 ▼     │ in time         │ old one after LOST:
//	                               SUSPENDED                 │ the epoch grows
//	                                 │                       │
//	 2/3 of the session timeout      │                       │
//	 since the last answered request ▼                       │
//	 (or the server says "expired") LOST ────────────────────┘
//
// # Guarantees
//
//   - LOST is declared by a local timer anchored at the moment the last
//     answered request was sent, two thirds of the negotiated session timeout
//     later. The server counts the full timeout from a later moment, so it
//     cannot give our ephemeral nodes away before we know.
//   - [Client.State] looks at the clock itself. A process that was frozen sees
//     LOST on its first look after it resumes, before any timer has run. Whoever
//     has seen LOST sees a new epoch next, even if the session turns out alive.
//   - With several servers, one that falls silent is left for another after
//     half of the session timeout, so that a machine that dies costs no session.
//   - Transitions reach subscribers in order, on a goroutine of their own:
//     a subscriber that blocks delays other subscribers, never the session.
//   - Node events reach a [Route] before the reply to any later operation of
//     the same client returns to its caller. Whoever writes and then finds its
//     route quiet knows that nothing it watches changed before that write. This
//     holds across reconnections: requests wait until the watches are set again.
//   - An answer given under another session than the caller's is never returned:
//     it is [ErrSessionLost].
//
// # Not guaranteed
//
//   - An operation that ends with [ErrUnavailable] or with its context may
//     have been applied, or may still be. Write so that repeating is safe.
package zk
