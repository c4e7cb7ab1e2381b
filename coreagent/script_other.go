//go:build !unix

package coreagent

import "os/exec"

// ownGroup does nothing, because processes have no groups here. Only the script itself is ended then.
func ownGroup(*exec.Cmd) {}

func askToEnd(cmd *exec.Cmd) error { return cmd.Process.Kill() }
func endNow(cmd *exec.Cmd) error   { return cmd.Process.Kill() }
