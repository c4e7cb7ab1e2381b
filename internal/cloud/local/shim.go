package local

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/leftover"
)

const (
	// enginePipe is the file descriptor for messages to the engine, if it's running.
	enginePipe = 3
	// lastWords is how long the log is read after everything was killed.
	lastWords = 5 * time.Second
	// orphanPause is the pause between two checks for remaining processes.
	orphanPause = 10 * time.Millisecond
	// orphanLooks is the number of those checks.
	orphanLooks = 500
)

// Shim is the main function of a process next to a program. It starts the program in task.json of
// an attempt's folder, stores the log, ends the program at the engine's request or at its deadline,
// and writes end.json. It returns the exit code of the process.
//
// A hidden command of cmd/console calls it with the folder and the task's token. If the file has
// another token, the shim is too late and does nothing.
func Shim(folder, token string) int {
	// The program ends with the thread that started it, so that thread must stay.
	runtime.LockOSThread()
	terminate := make(chan os.Signal, 1)
	signal.Notify(terminate, sigTerm)
	// Catch and don't ignore them, because a program would inherit the latter.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT)
	keepFromPrograms()
	s := &shim{folder: folder, token: token, terminate: terminate, engine: os.NewFile(enginePipe, "engine")}
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "local-task:", err)
		return 1
	}
	return 0
}

// shim is one attempt in the process next to its program.
type shim struct {
	folder    string
	token     string
	terminate <-chan os.Signal
	engine    *os.File
	task      taskFile
	end       endFile
	log       logWriter
}

func (s *shim) run() error {
	found, err := readFile(filepath.Join(s.folder, taskName), &s.task)
	if err == nil && !found {
		err = os.ErrNotExist
	}
	if err != nil {
		return fmt.Errorf("read the task in %s: %w", s.folder, err)
	}
	if s.task.Token != s.token {
		return errors.New("the task was given to another shim")
	}
	me, ok := lookUp(os.Getpid())
	if !ok {
		return errors.New("/proc does not show this process; it must be mounted")
	}
	if err := claim(claimPath(s.folder, s.token), claimFile{me.pid, me.started, bootID()}); err != nil {
		return fmt.Errorf("another shim has this task: %w", err)
	}
	// An engine may have removed the folder and created it again for another shim.
	var now taskFile
	if found, err := readFile(filepath.Join(s.folder, taskName), &now); err != nil || !found || now.Token != s.token {
		return errors.New("the task was given to another shim")
	}
	adoptOrphans()
	s.log.folder = s.folder
	if err := s.start(); err != nil {
		s.end.Error = err.Error()
	}
	s.end.Ended = time.Now()
	s.log.close()
	if s.end.Exit != 0 || s.end.Signal != "" {
		s.end.Tail = s.log.tail()
	}
	return writeFile(filepath.Join(s.folder, endName), s.end)
}

func (s *shim) start() error {
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	defer reader.Close()
	cmd := &exec.Cmd{
		Path: s.task.Program.Path, Args: append([]string{s.task.Program.Path}, s.task.Program.Args...),
		Env: s.task.Env, Dir: s.task.Folder, Stdout: writer, Stderr: writer, SysProcAttr: programAttributes(s.task.Account),
	}
	err = cmd.Start()
	_ = writer.Close()
	if err != nil {
		return err
	}
	s.end.Started = time.Now()
	// Errors don't matter here, only for the end.
	_ = noteFile(filepath.Join(s.folder, childName), childFile{cmd.Process.Pid, s.end.Started})
	_, _ = io.WriteString(s.engine, startedWord)
	logged := make(chan struct{})
	go func() {
		defer close(logged)
		_, _ = io.Copy(&s.log, reader)
	}()
	s.wait(cmd)
	held := false
	select {
	case <-logged:
	case <-time.After(leftover.Patience):
		held = true
	}
	signalGroup(cmd.Process.Pid, sigKill)
	endOrphans()
	// A process that still holds the pipe is no longer our descendant.
	_ = reader.SetReadDeadline(time.Now().Add(lastWords))
	<-logged
	if held {
		fmt.Fprintln(&s.log, "warning:", leftover.Warning)
	}
	return nil
}

// startedWord tells the engine that the program is running.
const startedWord = "s"

// wait returns when the program has ended, and makes sure that it ends.
func (s *shim) wait(cmd *exec.Cmd) {
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // The process state has the result.
		close(ended)
	}()
	var deadline, grace <-chan time.Time
	if !s.task.Deadline.IsZero() {
		deadline = time.After(time.Until(s.task.Deadline))
	}
	stop := func() {
		if grace == nil {
			signalGroup(cmd.Process.Pid, sigTerm)
			grace = time.After(s.task.Grace)
		}
	}
	for {
		select {
		case <-ended:
			s.outcome(cmd.ProcessState)
			return
		case <-s.terminate:
			if s.end.Stop == nil && !s.end.TimedOut && !s.end.Outside {
				s.readStop()
			}
			stop()
		case <-deadline:
			deadline = nil
			if s.end.Stop == nil && !s.end.Outside {
				s.end.TimedOut = true
			}
			stop()
		case <-grace:
			s.end.Forced = true
			signalGroup(cmd.Process.Pid, sigKill)
		}
	}
}

func (s *shim) readStop() {
	var why cloud.Ending
	if found, err := readFile(filepath.Join(s.folder, stopName), &why); err == nil && found {
		s.end.Stop = &why
	} else {
		s.end.Outside = true
	}
}

func (s *shim) outcome(state *os.ProcessState) {
	s.end.Exit = state.ExitCode()
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		s.end.Signal, s.end.Exit = status.Signal().String(), 0
	}
}

func endOrphans() {
	for range orphanLooks {
		left := children()
		if len(left) == 0 {
			break
		}
		for _, p := range left {
			_ = signalProcess(p.pid, sigKill)
		}
		time.Sleep(orphanPause)
	}
	reap()
}
