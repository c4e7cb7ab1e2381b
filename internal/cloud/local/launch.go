package local

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// runNames matches cloud.RunName and cloud.ManualRunName, which are folder names here.
var runNames = regexp.MustCompile(`\A[a-z0-9][a-z0-9-]{1,80}\z`)

// trash is the prefix of folders being removed or created.
const trash = ".tmp-"

func (e *Engine) Launch(ctx context.Context, r cloud.Run) (bool, error) {
	fail := func(err error) (bool, error) { return false, fmt.Errorf("launch %s: %w", r.Name, err) }
	shards, err := checkRun(r)
	if err != nil {
		return fail(err)
	}
	if err := e.usable(ctx); err != nil {
		return fail(err)
	}
	if r.Job.Type == cloud.TypeDaemon || r.Origin == cloud.OriginDaemon {
		return fail(fmt.Errorf("job %q is a DAEMON: %w", r.Job.Name, cloud.ErrUnsupported))
	}
	e.launching.Lock() // So an existing folder always has a known run.
	defer e.launching.Unlock()
	e.mu.Lock()
	known, many := e.runs[r.Name], len(e.runs) >= maxRuns
	e.mu.Unlock()
	if known != nil {
		// The launched configuration never changes, so this needs no lock.
		if was := known.file.Run; was.Job.Name != r.Job.Name || was.Owner != r.Owner {
			return fail(fmt.Errorf("it belongs to job %q, owner %s: %w", was.Job.Name, was.Owner, cloud.ErrForeign))
		}
		return false, nil
	}
	if many {
		return fail(tooMany())
	}
	if err := e.create(r, shards); err != nil {
		return fail(err)
	}
	return true, nil
}

func tooMany() error {
	return &cloud.RetryAfterError{After: time.Minute, Err: fmt.Errorf("the engine has %d runs, its maximum; some must be forgotten first", maxRuns)}
}

// create creates a new run. e.launching must be held.
func (e *Engine) create(r cloud.Run, shards []int) error {
	p, err := e.checkProgram(r.Job, r.App)
	if err != nil {
		return err
	}
	created := &run{
		folder: filepath.Join(e.cfg.Dir, runsFolder, r.Name),
		file:   runFile{Run: r, Created: time.Now(), Program: p},
	}
	created.file.Version = e.version(created.file)
	if err := e.store(created); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	created.begin(shards)
	e.changed(created, nil) // before its tasks
	e.runs[r.Name], e.queue = created, append(e.queue, created)
	e.makeTasks(created, time.Now())
	e.again()
	return nil
}

// checkRun returns the shards to run.
func checkRun(r cloud.Run) ([]int, error) {
	switch {
	case !runNames.MatchString(r.Name):
		return nil, fmt.Errorf("%q is not a run name; want one from cloud.RunName: %w", r.Name, cloud.ErrRefused)
	case r.TaskCount() < 1 || r.TaskCount() > MaxShards:
		return nil, fmt.Errorf("it has %d shards, want 1 to %d on the local engine: %w", r.TaskCount(), MaxShards, cloud.ErrRefused)
	}
	shards := r.AllShards()
	for i, n := range shards {
		if n < 0 || n >= r.Job.Shards || i > 0 && n <= shards[i-1] {
			return nil, fmt.Errorf("shard %d, want numbers from 0 to %d in ascending order: %w", n, r.Job.Shards-1, cloud.ErrRefused)
		}
	}
	return shards, nil
}

// store creates the run's folder with all its files by one rename.
func (e *Engine) store(r *run) error {
	runs := filepath.Dir(r.folder)
	temporary, err := os.MkdirTemp(runs, trash+"*")
	if err != nil {
		return err
	}
	err = writeFile(filepath.Join(temporary, runName), r.file)
	if err == nil {
		err = os.Rename(temporary, r.folder)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(temporary))
	}
	return syncFolder(runs)
}

func (r *run) begin(shards []int) {
	r.status = cloud.StatusOf(r.file.Run, r.file.Created)
	for _, n := range shards {
		r.shards = append(r.shards, &shard{number: n})
	}
}

// parallel is how many shards of the run may work at a time.
func (r *run) parallel() int {
	if r.daemon() {
		return len(r.shards)
	}
	return min(r.file.Run.Job.Parallelism(), len(r.shards))
}

// open counts shards without an outcome.
func (r *run) open() int {
	n := 0
	for _, s := range r.shards {
		if s.outcome == "" {
			n++
		}
	}
	return n
}

// need is the CPU and memory of the run: as declared by job and application, for each shard that
// may run at a time.
func (r *run) need() (cpu, memory float64) {
	n := float64(min(r.parallel(), r.open()))
	return n * (r.file.Run.Job.CPU + r.file.Run.App.CPU), n * (r.file.Run.Job.MemoryMB + r.file.Run.App.MemoryMB)
}

// current returns the attempt that has not ended, or nil.
func (s *shard) current() *attempt {
	if n := len(s.attempts); n > 0 && s.attempts[n-1].phase != over {
		return s.attempts[n-1]
	}
	return nil
}

// makeTasks creates the next attempts of shards, up to the run's parallelism. They are staging
// until the run is admitted.
func (e *Engine) makeTasks(r *run, now time.Time) {
	if r.state.Suspended || r.state.Stop != nil || r.status.State.Ended() {
		return
	}
	active := 0
	for _, s := range r.shards {
		if s.current() != nil {
			active++
		}
	}
	for _, s := range r.shards {
		if s.outcome != "" || s.current() != nil {
			continue
		}
		if active++; active > r.parallel() {
			return
		}
		if s.retryAt.After(now) {
			continue
		}
		s.retryAt = time.Time{}
		number := 1
		if n := len(s.attempts); n > 0 {
			number = s.attempts[n-1].task.Attempt + 1
		}
		e.changed(r, e.newAttempt(r, s, number, now))
	}
}

func (e *Engine) newAttempt(r *run, s *shard, number int, now time.Time) *attempt {
	a := &attempt{folder: filepath.Join(r.folder, strconv.Itoa(s.number), strconv.Itoa(number))}
	a.task = cloud.Task{
		TaskRef: cloud.TaskRef{Run: r.status.Name, Shard: s.number, Attempt: number, UID: attemptUID(r.file, s.number, number)},
		State:   tracing.StateStaging, Node: e.cfg.Node, Host: e.cfg.Node, IP: "127.0.0.1", Created: now,
	}
	if number == 1 {
		a.task.Created = r.file.Created
	} else {
		a.task.FirstUID, a.task.FirstNode = attemptUID(r.file, s.number, 1), e.cfg.Node
	}
	s.attempts = append(s.attempts, a)
	return a
}

// attemptUID stays the same after a restart of the engine, and is unique.
func attemptUID(f runFile, shard, attempt int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s|%s|%d|%d|%d", f.Run.Name, f.Run.Owner, f.Created.UnixNano(), shard, attempt))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // A UUID of version 8, for custom formats.
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func (e *Engine) Forget(ctx context.Context, name string) error {
	return e.onRun(ctx, "forget", name, func(r *run) error {
		if !r.status.State.Ended() || r.busy > 0 {
			return fmt.Errorf("it has not ended; end it first: %w", cloud.ErrRefused)
		}
		return e.remove(r)
	})
}

// remove removes an ended run. e.mu must be held.
func (e *Engine) remove(r *run) error {
	if err := e.discard(r.folder, r.status.Name); err != nil {
		return err
	}
	delete(e.runs, r.status.Name)
	for _, s := range r.shards {
		for _, a := range s.attempts {
			e.changed(r, a)
		}
	}
	e.changed(r, nil)
	return nil
}

// discard renames a folder at once and removes it in the background.
func (e *Engine) discard(folder, name string) error {
	temporary := filepath.Join(e.cfg.Dir, runsFolder, trash+name+"-"+rand.Text())
	if err := os.Rename(folder, temporary); err != nil {
		return err
	}
	e.group.Go(func() { // The next engine removes what is left.
		if err := os.RemoveAll(temporary); err != nil {
			e.cfg.Logger.WarnContext(e.ctx, "could not remove an unused folder", "folder", temporary, "error", err)
		}
	})
	return nil
}
