//go:build unix

package coreagent

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup has a script start in a process group of its own, so that what it
// starts ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd has the script and what it started end; endNow makes them.
func askToEnd(cmd *exec.Cmd) error { return signalGroup(cmd, syscall.SIGTERM) }
func endNow(cmd *exec.Cmd) error   { return signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, sig syscall.Signal) error {
	err := syscall.Kill(-cmd.Process.Pid, sig)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
