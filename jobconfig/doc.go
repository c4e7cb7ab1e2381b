// Package jobconfig is a job's configuration as it is stored in ZooKeeper: its
// fields, what they may be, and the document. Package lifecycle changes it for
// all agents of a job, package statistics shows it.
//
//	config bytes ──Decode──▶ Config ──change fields──▶ Validate ──▶ Encode ──▶ bytes
//	    │                      │                                      ▲
//	    └── origin: the text as it was read, unknown keys, ───────────┘
//	        tagged blocks, key order, comments
//
// The document is shared with Java agents of ElasticJob 3.0.x, which refuse keys
// they do not know, read YAML 1.1, and store their own type tags in it. Three
// rules follow and shape the codec:
//
//   - Reading is lenient: unknown keys are ignored, both names of the
//     thread-pool key are understood, missing keys get the values ElasticJob's
//     own reader gives them (which are not those of its builder).
//   - Writing is frugal: a key that did not change keeps its bytes, a key nobody
//     set is not added, and scalars are quoted the way ElasticJob quotes them,
//     so that text such as on, 1:30 or 0x1F stays text for a YAML 1.1 reader.
//   - A document of ElasticJob 2.1.x is JSON. It is read into the same Config
//     and written back as the JSON it was.
//
// Everything here is pure: no I/O, no clocks, no goroutines. Values are safe
// for concurrent use as long as nobody changes the fields of a shared Config.
package jobconfig
