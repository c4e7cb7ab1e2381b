package main

import (
	_ "embed"
	"fmt"
)

// licenses has the modules that are linked into this program and the texts of
// their licences. A test writes it and holds it to the modules.
//
//go:embed licenses.txt
var licenses string

// licensesCommand is `console licenses`: who ships the binary ships them.
type licensesCommand struct{}

func (licensesCommand) run(p *process) error {
	_, err := fmt.Fprint(p.stdout, licenses)
	return err
}
