//go:build !linux

package main

import "syscall"

// tied relies on the leash to end a child with the campaign.
func tied() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
