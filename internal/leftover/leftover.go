// Package leftover has the rule for a program that ends while a process it started still holds
// its output. SCRIPT jobs, cmd/cloudrun and the local engine of ElasticJob-Cloud share the rule.
//
//	program ends ──▶ its output is read for Patience ──▶ its exit status alone decides
//	                                    └── still held ──▶ Warning in the run's log
package leftover

import "time"

// Patience is how long the output of a program that has ended is read on.
const Patience = 2 * time.Second

// Warning is the line in the log of the run.
const Warning = "the program has ended, but a process that it started still holds its output, so the rest of the output is lost; redirect the output of background processes, for example with >/dev/null 2>&1"
