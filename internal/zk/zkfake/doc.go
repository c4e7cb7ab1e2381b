// Package zkfake is an in-process ZooKeeper server for tests. It speaks the wire protocol of
// ZooKeeper 3.8 over TCP or an in-memory pipe, so unmodified clients work with it. Everything is in
// memory, without quorum or quotas. Never use it in production.
//
//	client ── TCP or net.Pipe ──▶ reader ──▶ ┌───────────────────────┐
//	                                │ hook   │ one lock              │
//	                                ▼        │ tree, sessions,       │
//	client ◀────────────────── writer ◀───── │ watches, transactions │
//	                                ▲ hook   └───────────────────────┘
//	                                                   ▲
//	                                                 clock (expiry, containers)
//
// # Virtual time
//
// The server uses time only through package time, holds no lock while it waits, and Close ends
// every goroutine. So with [Server.Dial] it runs inside a testing/synctest bubble together with its
// clients, where hours pass in milliseconds.
//
// # Guarantees
//
//   - Requests are executed one at a time, and a connection's requests in send order.
//   - A watch event is sent on its connection before any reply with the zxid of its transaction or
//     a later one.
//   - Error codes, versions, child counters, watch events and the results of refused multis are the
//     same as in ZooKeeper 3.8. The tests compare them with a real server, case by case and on
//     thousands of random request sequences.
//   - On a few malformed requests a real server crashes or forgets to undo half of a refused multi.
//     The fake just refuses the request.
//   - A session expires exactly when its negotiated timeout has passed since its client's last
//     packet. A real server checks once per tick, so it may be up to one tick later, but never
//     earlier.
//
// # Not offered
//
// Persistent and recursive watches, removal of watches, quotas, SASL, read-only mode,
// reconfiguration. Unknown operations are refused and end the connection, as in the real server.
//
// # Faults
//
// [Server.SetFault] loses or delays single requests and replies, [Server.SetWatchFault] drops watch
// events and [Server.SendEvent] makes them up, [Server.ExpireSession] and [Server.DropConnection]
// end sessions and connections, [Server.Stop] and [Server.Start] restart the server with its data.
// [Server.SetObserver] reports every change of the tree to a test.
package zkfake
