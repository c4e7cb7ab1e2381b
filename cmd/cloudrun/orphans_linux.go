package main

import "syscall"

// childSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2).
const childSubreaper = 36

// adoptOrphans makes orphans of the program children of this process, which reaps them. The
// first process of a container gets them anyway.
func adoptOrphans() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, childSubreaper, 1, 0) // Without it they are init's.
}
