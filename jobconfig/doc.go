// Package jobconfig is a job's configuration in ZooKeeper: its fields, their allowed values, and
// the document. Package lifecycle changes it for all agents of a job, package statistics shows it.
//
//	config bytes ──Decode──▶ Config ──change fields──▶ Validate ──▶ Encode ──▶ bytes
//	    │                      │                                      ▲
//	    └── origin: the original text, unknown keys, ─────────────────┘
//	        tagged blocks, key order, comments
//
// The document is shared with Java agents of ElasticJob 3.0.x. They refuse unknown keys, read YAML
// 1.1, and store their own type tags in it. So we follow three rules:
//
//   - Reading is lenient: unknown keys are ignored, both names of the thread-pool key are accepted,
//     and missing keys get the values of ElasticJob's own reader (which aren't its builder's).
//   - Writing is frugal: an unchanged key keeps its bytes, an unset key isn't added, and scalars
//     are quoted as ElasticJob quotes them, so that text such as on, 1:30 or 0x1F stays text for a
//     YAML 1.1 reader.
//   - A document of ElasticJob 2.1.x is JSON. It's read into the same Config and written back as
//     JSON.
//
// Everything here is pure: no I/O, clocks or goroutines. Values are safe for concurrent use as long
// as the fields of a shared Config don't change.
package jobconfig
