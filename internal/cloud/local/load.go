package local

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// load reads the runs of earlier engines and adopts active ones. e.mu must be held.
func (e *Engine) load() error {
	runs := filepath.Join(e.cfg.Dir, runsFolder)
	entries, err := os.ReadDir(runs)
	if err != nil {
		return err
	}
	var found []*run
	for _, entry := range entries {
		folder := filepath.Join(runs, entry.Name())
		if strings.HasPrefix(entry.Name(), trash) { // half created or half removed
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
			continue
		}
		r, err := e.loadRun(folder)
		if err != nil {
			// One broken folder must not stop all others.
			e.cfg.Logger.Error("could not read a run's folder, ignoring it; remove it", "folder", folder, "error", err)
			continue
		}
		found = append(found, r)
	}
	slices.SortFunc(found, func(a, b *run) int {
		return cmp.Or(a.file.Created.Compare(b.file.Created), cmp.Compare(a.status.Name, b.status.Name))
	})
	for _, r := range found {
		e.resumeRun(r)
	}
	return nil
}

func (e *Engine) loadRun(folder string) (*run, error) {
	r := &run{folder: folder}
	ok, err := readFile(filepath.Join(folder, runName), &r.file)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("%s: %w", runName, fs.ErrNotExist)
	case r.file.Run.Name != filepath.Base(folder):
		return nil, fmt.Errorf("%s belongs to run %q", runName, r.file.Run.Name)
	}
	shards, err := checkRun(r.file.Run)
	if err != nil {
		return nil, err
	}
	if _, err := readFile(filepath.Join(folder, stateName), &r.state); err != nil {
		return nil, err
	}
	r.begin(shards)
	return r, nil
}

func (e *Engine) resumeRun(r *run) {
	now := time.Now()
	ended := r.state.State.Ended()
	r.admitted = !ended && !r.state.Started.IsZero() && !r.state.Suspended
	e.runs[r.status.Name] = r
	if !ended {
		e.queue = append(e.queue, r)
	}
	for _, s := range r.shards {
		for _, number := range attemptsIn(filepath.Join(r.folder, strconv.Itoa(s.number))) {
			if !e.resumeAttempt(r, s, e.newAttempt(r, s, number, now)) {
				s.attempts = s.attempts[:len(s.attempts)-1]
				break
			}
		}
	}
	if ended {
		r.finish()
		return
	}
	r.progress()
	e.catchUp(r)
	e.makeTasks(r, now)
	e.settle(r, now)
}

// attemptsIn returns the numbers of attempts in a shard's folder, in ascending order.
func attemptsIn(folder string) (numbers []int) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // None has started.
	}
	for _, entry := range entries {
		if n, err := strconv.Atoi(entry.Name()); err == nil && n > 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers
}

func (e *Engine) catchUp(r *run) {
	var errs []error
	for _, s := range r.shards {
		if how, ok := r.state.Stopped[s.number]; ok && s.outcome == "" {
			errs = append(errs, e.endShard(r, s, how))
		}
	}
	if r.state.Stop != nil {
		errs = append(errs, e.endAll(r, *r.state.Stop))
	}
	if err := errors.Join(errs...); err != nil {
		e.cfg.Logger.Error("could not end a task; end the run again", "run", r.status.Name, "error", err)
	}
}

// resumeAttempt determines the state of an attempt. If it never started, it starts it again and returns false.
func (e *Engine) resumeAttempt(r *run, s *shard, a *attempt) bool {
	if info, err := os.Stat(a.folder); err == nil {
		a.task.Created = info.ModTime()
	}
	var end endFile
	if found, err := readFile(filepath.Join(a.folder, endName), &end); err == nil && found {
		e.ended(r, s, a, end)
		return true
	}
	if found, err := readFile(filepath.Join(a.folder, stopName), &a.stop); err != nil || !found {
		a.stop = nil
	}
	var task taskFile
	found, err := readFile(filepath.Join(a.folder, taskName), &task)
	if err == nil && !found { // No shim was started.
		return os.RemoveAll(a.folder) != nil
	}
	a.version = task.Version
	path := claimPath(a.folder, task.Token)
	if err == nil {
		found, err = readFile(path, &a.shim)
	}
	if err == nil && !found {
		// No shim has claimed it, so the first to create this file gets the task.
		if err = claim(path, claimFile{}); errors.Is(err, fs.ErrExist) {
			_, err = readFile(path, &a.shim)
		}
	}
	if err == nil && a.shim.PID == 0 { // An engine claimed it, and died.
		if err = os.RemoveAll(a.folder); err == nil {
			return false
		}
	}
	a.phase = launched
	r.busy++
	switch {
	case err != nil || a.shim.Boot != e.boot:
		end := endFile{Ended: time.Now(), Lost: "the machine was restarted while it ran"}
		if err != nil {
			end.Lost = "its state is unknown: " + err.Error()
		}
		r.busy--
		e.conclude(r, s, a, end)
	case e.lives(a.shim):
		if a.stop != nil { // The signal may not have been sent.
			_ = signalProcess(a.shim.PID, sigTerm)
		}
		e.group.Go(func() { e.follow(r, s, a) })
	default:
		e.group.Go(func() { e.over(r, s, a) })
	}
	return true
}
