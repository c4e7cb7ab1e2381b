// Package licenses has the licences of the modules that are linked into the programs console and
// elasticjob. Both print them, because a binary must come with them.
package licenses

import _ "embed"

// Text names the modules and has the texts of their licences. A test writes it and compares it with
// the modules.
//
//go:embed licenses.txt
var Text string
