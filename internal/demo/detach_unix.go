//go:build unix

package demo

import (
	"os/exec"
	"syscall"
)

// detach takes the process out of the terminal's foreground group, so that
// Ctrl-C reaches the demo alone and it can end its agents in order.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
