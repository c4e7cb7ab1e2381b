//go:build unix

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	_ "time/tzdata" // Images often have no zones.

	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/internal/leftover"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

const (
	// lastWords is how long output is read on after the program's group has been killed,
	// because a process that has left the group may hold the pipe for ever.
	lastWords = time.Second
	// signalCode is added to the number of a signal, as shells do.
	signalCode = 128
)

const usage = `usage: cloudrun PROGRAM [ARG]...

Runs PROGRAM as one shard of a job of ElasticJob-Cloud: the sharding context is its last
argument, signals are forwarded to its process group, and its exit code is passed on.
Of a DAEMON job it runs PROGRAM at each fire time, until SIGTERM. The scheduler sets the environment; see docs/cloud.md.
`

func main() {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	// Caught and not ignored: a program would inherit that it ignores it. Nobody reads our
	// output any more, and the program's end matters all the same.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(wrap(os.Args[1:], os.Environ(), signals))
}

// wrap runs a command line to its end and returns the exit code.
func wrap(args, env []string, signals <-chan os.Signal) int {
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help") {
		fmt.Print(usage)
		return 0
	}
	w := wrapper{tail: new(task.Tail)}
	code, err := w.run(args, env, signals)
	if err != nil {
		// Standard error is all that there is.
		_, _ = fmt.Fprintln(io.MultiWriter(os.Stderr, w.tail), "cloudrun:", mask.Text(err.Error()))
	}
	if code != 0 {
		if err := task.WriteMessage(env, w.tail); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, "cloudrun:", err)
		}
	}
	return code
}

// wrapper is a program that runs.
type wrapper struct {
	tail    *task.Tail
	readers []*os.File // of its output
	copied  sync.WaitGroup
}

// run starts the program and waits for its end. An error says why it did not start.
func (w *wrapper) run(args, env []string, signals <-chan os.Signal) (code int, err error) {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return task.ExitUsage, errors.New("no program is named\n" + usage)
	}
	if task.Lookup(env, task.RegistryServers) != "" {
		return task.ExitConfig, errors.New("the job has cloud.daemon = registry, and its processes are agents of a ZooKeeper. cloudrun starts a program for one shard: remove that property, or let the image have an agent of its own")
	}
	t, err := task.Read(env)
	if err != nil {
		return task.ExitCode(err), fmt.Errorf("the shard cannot be run:\n%w", err)
	}
	if t.Daemon != nil {
		return w.daemon(args, env, t, signals)
	}
	return w.shard(args, env, t, signals)
}

// shard starts the program for a task and waits for its end.
func (w *wrapper) shard(args, env []string, t task.Task, signals <-chan os.Signal) (code int, err error) {
	document, err := t.ContextJSON()
	if err != nil {
		return task.ExitCode(err), err
	}
	p, err := w.start(slices.Concat(args, []string{document}), environment(env, t))
	if err != nil {
		return startCode(err), startError(args[0], err)
	}
	group := p.Pid
	_ = p.Release() // It is waited for by its number.
	status, err := wait(group, signals)
	copied := make(chan struct{})
	go func() {
		w.copied.Wait()
		close(copied)
	}()
	select {
	case <-copied:
	case <-time.After(leftover.Patience):
		_, _ = fmt.Fprintln(os.Stderr, "cloudrun: warning:", leftover.Warning) // The exit code decides.
	}
	killGroup(group)
	for _, r := range w.readers {
		_ = r.SetReadDeadline(time.Now().Add(lastWords)) // Otherwise we'd wait for the pipe's end.
	}
	<-copied
	for _, r := range w.readers {
		_ = r.Close() // Nothing more is read.
	}
	switch {
	case err != nil:
		return 1, fmt.Errorf("how program %s has ended is unknown: %w", args[0], err)
	case status.Signaled():
		return signalCode + int(status.Signal()), nil
	}
	return status.ExitStatus(), nil
}

// environment is the program's: ours, with what a script cannot easily find out.
func environment(env []string, t task.Task) []string {
	set := map[string]string{
		task.Parameter: t.Parameter, task.Item: strconv.Itoa(t.Item),
		task.TaskID: t.ID, task.Attempt: strconv.Itoa(t.Attempt),
	}
	if t.Daemon != nil {
		// It is started for one fire time; the token of reports and the port are ours.
		set[task.ExecutionType], set[task.ScheduledAt] = "TRANSIENT", t.ScheduledAt.Format(time.RFC3339)
		set[task.EventsURL], set[task.EventsTokenFile], set[task.ReadyPort] = "", "", ""
	}
	env = slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		_, ours := set[name]
		return ours || name == task.TerminationPath // We write it.
	})
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}

// start starts the program in a process group of its own, with its output in our hands.
func (w *wrapper) start(words, env []string) (*os.Process, error) {
	path, err := lookPath(words[0])
	if err != nil {
		return nil, err
	}
	nothing, err := os.Open(os.DevNull) // A group in the background must not read a terminal.
	if err != nil {
		return nil, err
	}
	defer func() { _ = nothing.Close() }()
	files := []*os.File{nothing}
	for _, out := range []*os.File{os.Stdout, os.Stderr} {
		reader, writer, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		defer func() { _ = writer.Close() }()
		files = append(files, writer)
		w.readers = append(w.readers, reader)
		w.copied.Go(func() { _, _ = io.Copy(io.MultiWriter(w.tail, ever{out}), reader) })
	}
	adoptOrphans()
	return os.StartProcess(path, words, &os.ProcAttr{Env: env, Files: files, Sys: &syscall.SysProcAttr{Setpgid: true}})
}

func lookPath(program string) (string, error) {
	path, err := exec.LookPath(program)
	if found := (*exec.Error)(nil); errors.As(err, &found) {
		err = found.Err // It names the program as well.
	}
	return path, err
}

// ever writes on when nobody reads any more, so that the program is never blocked.
type ever struct{ out io.Writer }

// Write never fails.
func (e ever) Write(p []byte) (int, error) {
	_, _ = e.out.Write(p)
	return len(p), nil
}

// wait forwards signals to the group of the program and reaps every child until that one
// has ended: the first process of a container gets the orphans of all others.
func wait(pid int, signals <-chan os.Signal) (status syscall.WaitStatus, err error) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for child := 0; child != pid && err == nil; {
			if child, err = syscall.Wait4(-1, &status, 0, nil); errors.Is(err, syscall.EINTR) {
				child, err = 0, nil
			}
		}
	}()
	for {
		select {
		case <-ended:
			return status, err
		case s := <-signals:
			if number, ok := s.(syscall.Signal); ok {
				_ = syscall.Kill(-pid, number) // An error means that it has just ended.
			}
		}
	}
}

// killGroup kills what a program has left in its group, which would live on without anybody
// who knows of it.
func killGroup(group int) {
	if syscall.Kill(-group, syscall.SIGKILL) != nil {
		return // Nothing is left.
	}
	for {
		if _, err := syscall.Wait4(-group, nil, 0, nil); err != nil && !errors.Is(err, syscall.EINTR) {
			return // None of them is a child of this process any more.
		}
	}
}

// startError says what to do about a program that cannot be started.
func startError(program string, err error) error {
	return fmt.Errorf("program %s cannot be started: %w; name one that is here, by its path or one in PATH, executable and with a #! line if it is a script", program, err)
}

// startCode is 78 if it is useless to try again.
func startCode(err error) int {
	for _, useless := range []error{fs.ErrNotExist, fs.ErrPermission, exec.ErrNotFound, exec.ErrDot, syscall.ENOEXEC, syscall.E2BIG, syscall.ENOTDIR, syscall.EISDIR} {
		if errors.Is(err, useless) {
			return task.ExitConfig
		}
	}
	return 1
}
