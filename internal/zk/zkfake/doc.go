// Package zkfake is an in-process ZooKeeper server for tests. It speaks the
// wire protocol of ZooKeeper 3.8, so that an unmodified client talks to it,
// over TCP or over an in-memory pipe. It keeps everything in memory, knows no
// quorum and no quotas, and must never be offered to production.
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
// The server reads the time and waits for it only through package time, holds
// no lock while it waits, and Close ends every goroutine: with [Server.Dial]
// it runs inside a testing/synctest bubble together with its clients, where
// hours pass in milliseconds.
//
// # Guarantees
//
//   - Requests are carried out one at a time, those of one connection in the
//     order they were sent.
//   - A watch event caused by a transaction is sent on its connection before
//     any reply with the zxid of this or a later transaction.
//   - Error codes, versions, child counters, watch firings and the results of
//     refused multis are those of ZooKeeper 3.8. The tests of this package
//     compare them with a real server, case by case and on thousands of
//     random sequences of requests.
//   - Where a real server crashes or forgets to take back half of a refused
//     multi, which it does on a few malformed requests, the fake refuses the
//     request and nothing else.
//   - A session expires exactly when its negotiated timeout has passed since
//     the last packet of its client. A real server looks once per tick and so
//     may be up to one tick later; it is never earlier.
//
// # Not offered
//
// Persistent and recursive watches, removal of watches, quotas, SASL,
// read-only mode, reconfiguration. Unknown operations are refused and end the
// connection, as in the real server.
//
// # Faults
//
// [Server.SetFault] loses or delays single requests and replies,
// [Server.SetWatchFault] drops watch events and [Server.SendEvent] makes them
// up, [Server.ExpireSession] and [Server.DropConnection] end sessions and
// connections, [Server.Stop] and [Server.Start] restart the server with its
// data. [Server.SetObserver] tells a test what really happened to the tree.
package zkfake
