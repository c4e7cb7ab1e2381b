package main

import "syscall"

// tied has a child die with the campaign, whatever ends it.
func tied() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
