package main

import "regexp"

// The third list is that of what the console must do (A01 to A51, A57, the tasks A64 to A77) and of the
// security checklist (C01 to C12): docs/acceptance.md. It is made from the sources
// alone, too.

// accepted tests bear the number of such a case.
var (
	acceptedTest   = regexp.MustCompile(`^Test(?:Task)?((?:[AC][0-9]{2})+)`)
	acceptedNumber = regexp.MustCompile(`[AC][0-9]{2}`)
)

const acceptHeading = `# Acceptance

What the console is accepted by, A01 to A51 and A57, what operators come for with how
much they may have to press, A64 to A77, and the points of the security checklist, C01
to C12: each with what must hold, and the tests that prove it.
` + "`go run ./internal/conformance -accept`" + ` writes this file from the sources; a fast
test fails when a case has no test, or when this file names one that no longer exists.
The tests run with ` + "`make test-all`" + `.

*Virtual time*: in a bubble of Go's synctest. *Both servers*: on the in-process
server and on a real ZooKeeper 3.8. *Databases*: MariaDB and PostgreSQL servers and
SQLite files, or some of them. *Browser*: in Chromium. *No server*: none of these, or a
fake of them.

`

// acceptDocument is docs/acceptance.md.
func acceptDocument(found map[string][]proof) string {
	return acceptHeading + surveyTable("Given, and when", demands, found) + surveyGaps(concessions)
}
