//go:build unix

package coreagent

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// ownGroup starts a script in its own process group, so that its children end with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd asks the script and its children to end; endNow forces them.
func askToEnd(cmd *exec.Cmd) error { return signalGroup(cmd, syscall.SIGTERM) }
func endNow(cmd *exec.Cmd) error   { return signalGroup(cmd, syscall.SIGKILL) }

func signalGroup(cmd *exec.Cmd, sig syscall.Signal) error {
	err := syscall.Kill(-cmd.Process.Pid, sig)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
