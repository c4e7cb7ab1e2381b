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

// supported reports whether this system has what the engine needs.
const supported = true

// lockFile takes the lock of a file that it makes. The lock goes with the process.
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

// shimAttributes make a session of its own for a shim: signals of a terminal do not reach it.
func shimAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// programAttributes make a process group of its own, and end the program with its shim.
func programAttributes(as *Account) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if as != nil {
		attributes.Credential = &syscall.Credential{Uid: as.UID, Gid: as.GID, Groups: as.Groups}
	}
	return attributes
}

// Seal keeps the memory, the environment and the descriptors of this process from programs of the
// same user, unless that is root: it can't be traced or dumped any more, and inherited descriptors
// aren't passed on.
func Seal() error {
	keepFromPrograms()
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0); errno != 0 {
		return fmt.Errorf("keep other programs from reading this process: %w", errno)
	}
	return nil
}

// adoptOrphans has processes whose parent has ended become children of this one.
func adoptOrphans() {
	const setChildSubreaper = 36
	_, _, _ = syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0) // Old kernels: orphans are init's.
}

// keepFromPrograms has every descriptor closed in programs, but for the standard ones.
func keepFromPrograms() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil { // No /proc, without which no shim starts anything.
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

// reap collects children that have ended.
func reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if pid <= 0 && !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

// process is what the kernel says of one.
type process struct {
	pid, parent, session int
	ended                bool // a zombie
	started              uint64
}

// lookUp returns a process; false if there is none of that id.
func lookUp(pid int) (process, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	// The name, in brackets, may hold anything.
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

// processes lists those that live and are wanted.
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

// children lists the children of this process that live.
func children() []process {
	me := os.Getpid()
	lists, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(lists) == 0 { // A kernel without them.
		return processes(func(p process) bool { return p.parent == me })
	}
	var found []process
	for _, list := range lists {
		data, err := os.ReadFile(list)
		if err != nil {
			continue // The thread has ended, and its children are another one's.
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

// bootID is another one after each start of the machine.
func bootID() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// machine is how many processors and how many MB of memory there are.
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
