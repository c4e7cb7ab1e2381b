package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
)

const (
	archivesFolder = "archives" // of the engine, with cached archives
	archiveName    = "archive-" // of a run, without a cache
	// keptArchives is the number of cached archives, in addition to those of active runs.
	keptArchives = 16
)

// archiveOf returns the folder of an application's archive. Its name has the checksum and a hash of
// the address's last part, which decides how to unpack it. Without appCacheEnable it belongs to the
// run and is removed with it.
func (e *Engine) archiveOf(r *run) string {
	app := r.file.Run.App
	base := sha256.Sum256([]byte(path.Base(app.URL)))
	name := app.SHA256 + "-" + hex.EncodeToString(base[:4])
	if app.CacheEnable {
		return filepath.Join(e.cfg.Dir, archivesFolder, name)
	}
	return filepath.Join(r.folder, archiveName+name)
}

// checkProgram refuses a program that can't be started. An archive's files are only known after it's fetched.
func (e *Engine) checkProgram(j cloud.Job, a cloud.App) (program, error) {
	if !a.Fetched() {
		return programOf(j, a, e.cfg.Apps)
	}
	if _, _, err := wordsOf(j, a); err != nil {
		return program{}, err
	}
	if err := e.cfg.Archives.Check(a.URL, a.SHA256); err != nil {
		return program{}, fmt.Errorf("application %q: %s: %w", a.Name, archive.Reason(err), cloud.ErrRefused)
	}
	return program{}, nil
}

// programIn returns the program of an attempt and the folder it starts in: its archive's, or own.
func (e *Engine) programIn(r *run, own string) (p program, folder string, err error) {
	job, app := r.file.Run.Job, r.file.Run.App
	if !app.Fetched() {
		p, err = programOf(job, app, e.cfg.Apps)
		return p, own, err
	}
	folder = e.archiveOf(r)
	p, err = programOf(job, app, folder)
	return p, folder, err
}

// fetch fetches the archive of the run's application if it isn't there yet. It returns whether the
// attempt may start; otherwise the attempt or the engine has ended.
func (e *Engine) fetch(r *run, s *shard, a *attempt) bool {
	e.mu.Lock()
	app, folder, deadline := r.file.Run.App, e.archiveOf(r), r.deadline()
	if !app.Fetched() || a.stop != nil {
		e.mu.Unlock()
		return true
	}
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	if !deadline.IsZero() {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, deadline)
		defer end()
	}
	a.unfetch = cancel
	e.mu.Unlock()
	err := e.fetches.get(ctx, e, folder, func(ctx context.Context) error { return e.cfg.Archives.Fetch(ctx, app.URL, app.SHA256, folder) })
	e.mu.Lock()
	defer e.mu.Unlock()
	a.unfetch = nil
	switch {
	case err == nil:
		e.keepArchives(folder)
		return true
	case e.ctx.Err() != nil:
		return false
	case a.stop != nil:
		return true // its shim will end it
	}
	end := endFile{Ended: time.Now()}
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		end.TimedOut = true
	case errors.Is(err, archive.ErrRefused):
		end.Error = archive.Reason(err)
	default:
		end.Unfetched = err.Error()
	}
	e.conclude(r, s, a, end)
	e.released(r)
	return false
}

// keepArchives marks an archive as used, and removes the least recently used ones. e.mu must be held.
func (e *Engine) keepArchives(used string) {
	now := time.Now()
	_ = os.Chtimes(used, now, now) // If it fails, the archive is removed earlier and fetched again.
	kept := filepath.Join(e.cfg.Dir, archivesFolder)
	entries, err := os.ReadDir(kept)
	if err != nil || len(entries) <= keptArchives {
		return
	}
	needed := map[string]bool{used: true}
	for _, r := range e.queue {
		if r.file.Run.App.Fetched() {
			needed[e.archiveOf(r)] = true
		}
	}
	times := make(map[string]time.Time)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			times[entry.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return times[a.Name()].Compare(times[b.Name()]) })
	for _, entry := range entries[:len(entries)-keptArchives] {
		folder := filepath.Join(kept, entry.Name())
		if needed[folder] {
			continue
		}
		if err := e.discard(folder, entry.Name()); err != nil {
			e.cfg.Logger.Warn("could not remove an unused archive", "folder", folder, "error", err)
		}
	}
}

// fetches has the active downloads, one per archive for all shards that need it.
type fetches struct {
	mu      sync.Mutex
	running map[string]*fetching
}

type fetching struct {
	done    chan struct{}
	err     error // set when it's done
	waiters int   // 0 if it was given up
	cancel  context.CancelFunc
}

// get waits until an archive is in its folder, or ctx ends. When the last waiter leaves, the download stops.
func (f *fetches) get(ctx context.Context, e *Engine, folder string, fetch func(context.Context) error) error {
	f.mu.Lock()
	one := f.running[folder]
	for one != nil && one.waiters == 0 {
		f.mu.Unlock()
		<-one.done
		f.mu.Lock()
		one = f.running[folder]
	}
	if one == nil {
		shared, cancel := context.WithCancel(e.ctx)
		one = &fetching{done: make(chan struct{}), cancel: cancel}
		if f.running == nil {
			f.running = make(map[string]*fetching)
		}
		f.running[folder] = one
		e.group.Go(func() {
			one.err = fetch(shared)
			cancel()
			f.mu.Lock()
			delete(f.running, folder)
			f.mu.Unlock()
			close(one.done)
		})
	}
	one.waiters++
	f.mu.Unlock()
	select {
	case <-one.done:
		return one.err
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if one.waiters--; one.waiters == 0 {
		one.cancel()
	}
	return context.Cause(ctx)
}
