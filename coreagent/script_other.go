//go:build !unix

package coreagent

import "os/exec"

// ownGroup does nothing where processes have no groups: only the script itself
// is ended then.
func ownGroup(*exec.Cmd) {}

func askToEnd(cmd *exec.Cmd) error { return cmd.Process.Kill() }
func endNow(cmd *exec.Cmd) error   { return cmd.Process.Kill() }
