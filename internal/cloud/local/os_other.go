//go:build !linux

package local

import (
	"errors"
	"os"
	"syscall"
)

const supported = false

var errNotLinux = errors.New("the local engine needs Linux")

const (
	sigTerm = syscall.SIGTERM
	sigKill = syscall.SIGKILL
)

type process struct {
	pid, parent, session int
	ended                bool
	started              uint64
}

// Seal does nothing, because no program is started here.
func Seal() error { return nil }

func lockFile(string) (*os.File, error)               { return nil, errNotLinux }
func shimAttributes() *syscall.SysProcAttr            { return nil }
func programAttributes(*Account) *syscall.SysProcAttr { return nil }
func adoptOrphans()                                   {}
func keepFromPrograms()                               {}
func signalGroup(int, syscall.Signal)                 {}
func signalProcess(int, syscall.Signal) error         { return errNotLinux }
func reap()                                           {}
func lookUp(int) (process, bool)                      { return process{}, false }
func processes(func(process) bool) []process          { return nil }
func children() []process                             { return nil }
func bootID() string                                  { return "" }
func machine() (cpu, memoryMB float64)                { return 1, 0 }
