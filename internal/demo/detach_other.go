//go:build !unix

package demo

import "os/exec"

// detach does nothing where processes have no groups: an agent that gets the
// terminal's Ctrl-C itself stops just as cleanly.
func detach(*exec.Cmd) {}
