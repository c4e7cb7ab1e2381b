package local

import (
	"bufio"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// lookPause is the pause between two checks of a shim that isn't our child process.
	lookPause = 100 * time.Millisecond
	// killedLooks is the number of checks for processes left behind by a lost shim.
	killedLooks = 100
)

// makeAttempt creates the folders of an attempt. Programs of another account can pass through them
// to their own working folder and token.
func (e *Engine) makeAttempt(folder string) error {
	shard := filepath.Dir(folder)
	work := filepath.Join(shard, workFolder)
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.MkdirAll(work, 0o700)); err != nil {
		return err
	}
	return errors.Join(e.openPath(filepath.Dir(shard), shard, folder), e.give(work))
}

// openPath lets programs of another account pass through folders if they know the names.
func (e *Engine) openPath(folders ...string) error {
	if e.cfg.Account == nil {
		return nil
	}
	var errs []error
	for _, folder := range folders {
		errs = append(errs, os.Chmod(folder, 0o711))
	}
	return errors.Join(errs...)
}

// give makes the account the owner of a file or a folder.
func (e *Engine) give(path string) error {
	if e.cfg.Account == nil {
		return nil
	}
	return os.Chown(path, int(e.cfg.Account.UID), int(e.cfg.Account.GID))
}

// start starts the shim of an attempt and waits for its end, or the engine's.
func (e *Engine) start(r *run, s *shard, a *attempt) {
	if !e.fetch(r, s, a) {
		return
	}
	select {
	case e.starting <- struct{}{}:
	case <-e.ctx.Done(): // Nothing was started; the next engine does it.
		return
	}
	e.mu.Lock()
	if why := a.stop; why != nil { // Its end was requested before its start.
		e.conclude(r, s, a, endFile{Ended: time.Now(), Stop: why})
		e.released(r)
		e.mu.Unlock()
		<-e.starting
		return
	}
	e.mu.Unlock()
	cmd, words, err := e.spawn(r, a)
	<-e.starting
	if err != nil {
		e.mu.Lock()
		e.conclude(r, s, a, endFile{Ended: time.Now(), Error: err.Error()})
		e.released(r)
		e.mu.Unlock()
		return
	}
	defer words.Close()
	// Closing the engine ends the read.
	stop := make(chan struct{})
	defer close(stop)
	e.group.Go(func() {
		select {
		case <-e.ctx.Done():
			_ = words.SetReadDeadline(time.Now())
		case <-stop:
		}
	})
	reader := bufio.NewReader(words)
	for _, err := reader.ReadByte(); err == nil; _, err = reader.ReadByte() {
		e.began(r, a)
	}
	if e.ctx.Err() != nil {
		_ = cmd.Process.Release()
		return
	}
	_ = cmd.Wait() // Its file has the result.
	e.over(r, s, a)
}

// spawn starts a shim. words reads its messages.
func (e *Engine) spawn(r *run, a *attempt) (*exec.Cmd, *os.File, error) {
	e.mu.Lock()
	task, file, deadline := a.task, r.file, r.deadline()
	a.version = file.Version
	e.mu.Unlock()
	if err := e.makeAttempt(a.folder); err != nil {
		return nil, nil, err
	}
	folder := filepath.Join(filepath.Dir(a.folder), workFolder)
	env, err := environment(file.Run, task, folder)
	if err != nil {
		return nil, nil, err
	}
	if file.Run.Origin == cloud.OriginDaemon {
		more, err := e.daemonEnvironment(file.Run, task, a.folder)
		if err != nil {
			return nil, nil, err
		}
		env = append(env, more...)
	}
	// The file may have been replaced since the launch.
	p, begin, err := e.programIn(&run{folder: r.folder, file: file}, folder)
	if err != nil {
		return nil, nil, err
	}
	if p.Args, err = withContext(file.Run.Job, p.Args, env); err != nil {
		return nil, nil, err
	}
	if begin != folder && e.cfg.Account != nil { // It starts in its archive, which the umask may have closed.
		if err := errors.Join(e.openPath(filepath.Dir(begin)), os.Chmod(begin, 0o755)); err != nil {
			return nil, nil, err
		}
	}
	grace := defaultGrace
	if seconds := file.Run.App.GraceSeconds; seconds > 0 {
		grace = time.Duration(seconds) * time.Second
	}
	token := rand.Text()
	order := taskFile{token, p, env, begin, grace, deadline, file.Version, e.cfg.Account}
	if err := noteFile(filepath.Join(a.folder, taskName), order); err != nil {
		return nil, nil, err
	}
	words, theirs, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	cmd := e.command(a.folder, token)
	cmd.ExtraFiles = []*os.File{theirs}
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		_ = words.Close()
		return nil, nil, err
	}
	shim, _ := lookUp(cmd.Process.Pid)
	e.mu.Lock()
	a.shim = claimFile{shim.pid, shim.started, e.boot}
	stopped := a.stop != nil
	e.mu.Unlock()
	if stopped {
		_ = cmd.Process.Signal(sigTerm)
	}
	return cmd, words, nil
}

func (e *Engine) began(r *run, a *attempt) {
	var child childFile
	if found, err := readFile(filepath.Join(a.folder, childName), &child); err != nil || !found {
		child.Started = time.Now()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if a.phase != launched || a.task.State != tracing.StateStaging {
		return
	}
	a.task.State, a.task.Started, a.task.Message = tracing.StateRunning, child.Started, ""
	r.progress()
	e.changed(r, nil)
	e.changed(r, a)
	if r.daemon() {
		e.again() // Another process may be waiting to restart.
	}
}

func (e *Engine) over(r *run, s *shard, a *attempt) {
	var end endFile
	found, err := readFile(filepath.Join(a.folder, endName), &end)
	if err != nil || !found {
		e.mu.Lock()
		shim, why := a.shim, a.stop
		e.mu.Unlock()
		e.killSession(shim)
		end = endFile{Ended: time.Now(), Stop: why}
		if why == nil { // A shim stopped during its start has no signal handler yet.
			end.Lost = "its shim ended unexpectedly; its remaining processes were killed"
		}
		if err := writeFile(filepath.Join(a.folder, endName), end); err != nil {
			e.cfg.Logger.Error("could not store the end of a task", "task", a.folder, "error", err)
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended(r, s, a, end)
	e.released(r)
}

func (e *Engine) released(r *run) {
	r.busy--
	e.settle(r, time.Now())
}

// killSession kills the rest of a shim's session. No other process can get the session's id while
// one of its processes exists.
func (e *Engine) killSession(shim claimFile) {
	if shim.PID == 0 || shim.Boot != e.boot {
		return
	}
	for range killedLooks {
		left := processes(func(p process) bool { return p.session == shim.PID && p.started >= shim.Started })
		if len(left) == 0 {
			return
		}
		for _, p := range left {
			_ = signalProcess(p.pid, sigKill)
		}
		time.Sleep(lookPause / 10)
	}
}

// lives reports whether a shim is running, by its process id and start time.
func (e *Engine) lives(shim claimFile) bool {
	p, ok := lookUp(shim.PID)
	return ok && !p.ended && shim.Boot == e.boot && p.started == shim.Started
}

// follow watches a shim that an earlier engine started.
func (e *Engine) follow(r *run, s *shard, a *attempt) {
	look := time.NewTicker(lookPause)
	defer look.Stop()
	for e.lives(a.shim) {
		var child childFile
		if found, err := readFile(filepath.Join(a.folder, childName), &child); err == nil && found {
			e.began(r, a)
		}
		select {
		case <-look.C:
		case <-e.ctx.Done():
			return
		}
	}
	e.over(r, s, a)
}

// stop makes an attempt's shim end its program. e.mu must be held.
func (e *Engine) stop(a *attempt, how cloud.Ending) error {
	if a.stop != nil && a.stop.Way == how.Way {
		return nil
	}
	err := e.makeAttempt(a.folder)
	if err == nil {
		err = noteFile(filepath.Join(a.folder, stopName), how)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if a.stop = &how; a.unfetch != nil {
		a.unfetch()
	}
	if a.shim.PID != 0 && e.lives(a.shim) {
		return signalProcess(a.shim.PID, sigTerm)
	}
	return nil
}
