// Package zk is the only package that uses a ZooKeeper client library.
//
// It wraps one connection and adds features for a distributed scheduler: a session state machine that
// detects a lost session by the local clock, operations with a context, errors that distinguish
// absent, unreachable and forbidden nodes, and watch events routed by path without a goroutine per
// watch. [Many] doesn't need a channel per watch either, and [Many.ReadAll] reads a whole namespace
// with a few requests.
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
//	 (or the server reports expiry) LOST ────────────────────┘
//
// # Guarantees
//
//   - A local timer declares LOST two thirds of the negotiated session timeout after the send time
//     of the last answered request. The server counts the full timeout from a later moment, so it
//     can't give our ephemeral nodes away before we know.
//   - [Client.State] checks the clock itself. After a freeze, a process sees LOST on its first
//     call, before any timer has run. After LOST the next epoch is always new, even if the session
//     survived.
//   - With several servers, the client leaves a silent one after half of the session timeout, so a
//     dead machine doesn't cost a session.
//   - Transitions reach subscribers in order, on a goroutine of their own. A subscriber that blocks
//     delays other subscribers, but never the session.
//   - Node events reach a [Client.Route] before the reply to any later operation of the same client
//     returns. So if a route is quiet after a write, nothing it watches changed before that write.
//     This holds across reconnections, because requests wait until the watches are set again.
//   - An operation never returns an answer from another session. It returns [ErrSessionLost]
//     instead.
//
// # Not guaranteed
//
//   - An operation that ends with [ErrUnavailable] or with its context may have been applied, or
//     may still be. It should be safe to repeat.
package zk
