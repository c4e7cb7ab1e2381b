package local

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

const supported = true

// lockFile creates and locks a file. The lock ends with the process.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("%s is locked: another engine uses this folder; give each its own", path)
		}
		return nil, err
	}
	return f, nil
}

// shimAttributes give a shim its own session, so a terminal's signals don't reach it.
func shimAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// programAttributes give a program its own process group, and end it with its shim.
func programAttributes(as *Account) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if as != nil {
		attributes.Credential = &syscall.Credential{Uid: as.UID, Gid: as.GID, Groups: as.Groups}
	}
	return attributes
}

// Seal protects the memory, the environment and the descriptors of this process from programs of the same
// user, except root: it can no longer be traced or dumped, and inherited descriptors aren't passed on.
func Seal() error {
	keepFromPrograms()
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0); errno != 0 {
		return fmt.Errorf("keep other programs from reading this process: %w", errno)
	}
	return nil
}

// adoptOrphans makes processes whose parent has ended our children.
func adoptOrphans() {
	const setChildSubreaper = 36
	_, _, _ = syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0) // With old kernels orphans go to init.
}

// keepFromPrograms closes all descriptors in programs except the standard ones.
func keepFromPrograms() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil { // Without /proc no shim starts anything.
		return
	}
	for _, entry := range entries {
		if fd, err := strconv.Atoi(entry.Name()); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
}

func signalGroup(pid int, sig syscall.Signal) { _ = syscall.Kill(-pid, sig) }

func signalProcess(pid int, sig syscall.Signal) error { return syscall.Kill(pid, sig) }

const (
	sigTerm = syscall.SIGTERM
	sigKill = syscall.SIGKILL
)

func reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if pid <= 0 && !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

type process struct {
	pid, parent, session int
	ended                bool // a zombie
	started              uint64
}

func lookUp(pid int) (process, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	// The name, in brackets, may contain anything.
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(fields) < 20 {
		return process{}, false
	}
	p := process{pid: pid, ended: fields[0] == "Z" || fields[0] == "X"}
	p.parent, _ = strconv.Atoi(fields[1])
	p.session, _ = strconv.Atoi(fields[3])
	p.started, _ = strconv.ParseUint(fields[19], 10, 64)
	return p, true
}

// processes lists the living processes that are wanted.
func processes(wanted func(process) bool) []process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []process
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if p, ok := lookUp(pid); ok && !p.ended && wanted(p) {
			found = append(found, p)
		}
	}
	return found
}

func children() []process {
	me := os.Getpid()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 { // The kernel doesn't support it.
		return processes(func(p process) bool { return p.parent == me })
	}
	var found []process
	for _, list := range lists {
		data, err := os.ReadFile(list)
		if err != nil {
			continue // The thread has ended, and another one has its children.
		}
		for _, word := range strings.Fields(string(data)) {
			pid, err := strconv.Atoi(word)
			if p, ok := lookUp(pid); err == nil && ok && !p.ended && p.parent == me {
				found = append(found, p)
			}
		}
	}
	return found
}

// bootID changes at each start of the machine.
func bootID() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

func machine() (cpu, memoryMB float64) {
	cpu = float64(runtime.NumCPU())
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return cpu, 0
	}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) >= 2 && fields[0] == "MemTotal:" {
			kb, _ := strconv.ParseFloat(fields[1], 64)
			return cpu, kb / 1024
		}
	}
	return cpu, 0
}
