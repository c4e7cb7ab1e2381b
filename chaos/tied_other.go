//go:build !linux

package main

import "syscall"

// tied leaves it to the leash that a child ends with the campaign.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
