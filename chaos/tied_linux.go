package main

import "syscall"

// tied makes a child die with the campaign, no matter how that ends.
func tied() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
