// Package snapshot is ElasticJob's dump service: whoever connects and names a
// job gets the job's tree as text, to look at or to attach to a question.
//
//	echo "dump@invoices" | nc 127.0.0.1 9888
//	        │
//	        ▼
//	     [Server] ── one line, 5 s ──▶ not a request: closed without a word
//	        │
//	        ▼
//	      [Dump]  read level by level ◀── ZooKeeper
//	        │     compare             ◀── [Cache]: what this process believes
//	        ▼
//	     mask secrets, then addresses: ip1, ip2, ...
//	        │
//	        ▼
//	     /invoices/config | cron: 0/5 * * * * ?
//	     ...
//	     /invoices/instances/ip1@-@7938 | jobInstanceId: ip1@-@7938
//	     ...
//	     /invoices/sharding/0/instance | ip1@-@7938 | /invoices/sharding/0/instance | ip2@-@815
//
// Every node below the job's is a record "<path> | <data>": depth first,
// parents before children, siblings in descending order, paths without the
// namespace. Where this process has another idea of the node than the server,
// "| <path> | <data>" follows with that idea, both empty if it takes the node
// for absent. Data is printed as it is, so a record can span lines. A job that
// does not exist is an empty line.
//
// # Guarantees
//
//   - The text shows every change that any client finished before the request.
//   - Nothing is written to ZooKeeper, and no more than [Options.MaxConnections]
//     times sixteen reads are under way. Connections that say nothing delay nobody.
//   - A client that is slow, silent or greedy is cut off: the request, the
//     reading, the answer and its size have limits of their own. A text that was
//     cut ends with a line that says so.
//   - A whole address is masked or nothing of it.
//
// # Not guaranteed
//
//   - The text is not one moment of the tree: it is read while it changes.
//   - That nothing confidential is left. What package mask finds is hidden: the
//     values of what is called password, token and the like, and what looks like a
//     secret in other values. The rest is shown; hence the service is off unless
//     asked for, and listens on loopback by default.
//
// ElasticJob in Java masks no secrets, and its masking of addresses damages
// longer ones with the same beginning; otherwise the texts are equal.
package snapshot
