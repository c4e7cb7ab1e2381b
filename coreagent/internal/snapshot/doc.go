// Package snapshot is ElasticJob's dump service: a client connects, names a job and gets the job's
// tree as text, to read or to attach to a question.
//
//	echo "dump@invoices" | nc 127.0.0.1 9888
//	        │
//	        ▼
//	     [Server] ── one line, 5 s ──▶ not a request: closed without an answer
//	        │
//	        ▼
//	      [Dump]  read level by level ◀── ZooKeeper
//	        │     compare             ◀── [Cache]: this process's memory
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
// Every node below the job's is a record "<path> | <data>": depth first, parents before children,
// siblings in descending order, paths without the namespace. If this process's cache differs from
// the server, "| <path> | <data>" follows with the cached data, or with both parts empty if it's
// cached as missing. Data is printed unchanged, so a record can span several lines. For a missing
// job the text is an empty line.
//
// # Guarantees
//
//   - The text includes every change that any client finished before the request.
//   - Nothing is written to ZooKeeper, and at most [Limits.Connections] times sixteen reads
//     run at once. Silent connections delay no request.
//   - A slow, silent or greedy client is cut off: the request, the read, the answer and its size
//     are limited. The last line of a cut text reports that.
//   - Addresses are masked completely or not at all.
//
// # Not guaranteed
//
//   - The text isn't a snapshot of one moment, because the tree may change while it's read.
//   - Confidential text may remain. Everything that package mask finds is hidden: the values of
//     keys such as password and token, and parts of other values that look like secrets. The rest
//     is shown, so the service is off by default and listens on loopback by default.
//
// ElasticJob in Java masks no secrets, and its address masking damages longer addresses with the
// same beginning. Otherwise the texts are equal.
package snapshot
