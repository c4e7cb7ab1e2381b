package runs

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/wake"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// verifyEvery is how often an Awaiter checks that the awaited runs still exist. A watch event may
// be lost, and an operator may delete nodes.
const verifyEvery = 30 * time.Second

// gatherFor is how long new waiters gather before an Awaiter verifies their runs together.
const gatherFor = 10 * time.Millisecond

// Awaiter waits for runs to end. All waiters of a job share one watch of its outcomes, which exists
// while there are waiters. The zero Awaiter is ready. A [zk.Client] should have only one, because
// it routes a folder's events to a single watcher.
type Awaiter struct {
	mu   sync.Mutex
	jobs map[string]*outcomes // by folder
}

type outcomes struct {
	store Store
	cache *recipe.Cache
	wake  chan struct{}
	close func()

	mu      *sync.Mutex          // the Awaiter's
	joined  int                  // number of Await calls so far
	waiters map[string][]*waiter // by run id, without an answer
}

// waiter is a call of Await. It gets one answer, and joins again for the next.
type waiter struct {
	of       *outcomes
	seen     bool // the run has been in the registry
	verified bool // the run existed after the last gap in the events
	answer   chan answer
}

// answer is the path of an outcome, an error, or neither if the run wasn't found and the waiter
// should look for it.
type answer struct {
	path string
	err  error
}

// Await waits until a run has ended. A caller that has just placed the run sets placed, so we don't
// have to look for it. The error wraps jobrun.ErrUnknownRun if the run was never seen,
// jobrun.ErrOutcomeDropped if its outcome is missing, and jobrun.ErrNoSuchJob if the job was
// removed.
func (a *Awaiter) Await(ctx context.Context, s Store, id string, placed bool) (Status, error) {
	w := &waiter{seen: placed, verified: placed}
	for {
		w = a.join(s, id, w)
		var got answer
		select {
		case got = <-w.answer:
		case <-ctx.Done():
			got.err = context.Cause(ctx)
		}
		a.leave(id, w)
		if got.err != nil {
			return Status{}, got.err
		}
		status, err := s.ended(ctx, id, got.path)
		if w.seen && errors.Is(err, jobrun.ErrUnknownRun) {
			err = s.dropped(ctx, id)
		}
		if err != nil || status.State.Ended() {
			return status, err
		}
		w = &waiter{seen: true} // It moved during the search.
	}
}

// ended reads an outcome, or looks for the run if path is empty. It retries until a server answers.
func (s Store) ended(ctx context.Context, id, path string) (status Status, err error) {
	for {
		found := path == ""
		if found {
			status, err = s.Get(ctx, id)
		} else if status, found, err = s.read(ctx, path); err == nil && !found {
			err = jobrun.ErrUnknownRun
		}
		if err == nil || !zk.Retriable(err) {
			return status, err
		}
		if ctx.Err() != nil || s.pause(ctx, err) != nil {
			return status, context.Cause(ctx)
		}
	}
}

func (s Store) dropped(ctx context.Context, id string) error {
	if _, exists, err := s.Client.Exists(ctx, s.Tree.Config()); err == nil && !exists {
		return refuse(jobrun.ErrNoSuchJob, "job %q was removed while waiting for run %s", s.Tree.Name(), id)
	}
	return refuse(jobrun.ErrOutcomeDropped, "run %s of job %q has ended, but the registry has dropped "+
		"its outcome; look in the history, or raise %s to keep more outcomes", id, s.Tree.Name(), PropKeep)
}

// join adds a waiter to its job. The first waiter starts the watch.
func (a *Awaiter) join(s Store, id string, w *waiter) *waiter {
	folder := s.Tree.RunsDone()
	a.mu.Lock()
	defer a.mu.Unlock()
	o := a.jobs[folder]
	if o == nil {
		o = a.watch(s)
	}
	w.of, w.answer = o, make(chan answer, 1)
	o.joined++
	o.waiters[id] = append(o.waiters[id], w)
	o.look()
	return w
}

// leave removes a waiter. The last one ends the watch.
func (a *Awaiter) leave(id string, w *waiter) {
	a.mu.Lock()
	o := w.of
	o.waiters[id] = slices.DeleteFunc(o.waiters[id], func(other *waiter) bool { return other == w })
	if len(o.waiters[id]) == 0 {
		delete(o.waiters, id)
	}
	o.joined--
	last := o.joined == 0
	if last {
		delete(a.jobs, o.store.Tree.RunsDone())
		o.cache.Close() // before another waiter routes the events to a new cache
	}
	a.mu.Unlock()
	if last {
		o.close()
	}
}

// watch starts to watch a job's outcomes. The caller holds a.mu.
func (a *Awaiter) watch(s Store) *outcomes {
	folder := s.Tree.RunsDone()
	o := &outcomes{store: s, wake: make(chan struct{}, 1), mu: &a.mu, waiters: make(map[string][]*waiter)}
	o.cache = recipe.NewCache(s.Client, folder, o.look)
	o.cache.WatchChildren(folder)
	unsubscribe := s.Client.Subscribe(o.onTransition)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	o.close = func() {
		unsubscribe()
		cancel()
		<-done
	}
	if a.jobs == nil {
		a.jobs = make(map[string]*outcomes)
	}
	a.jobs[folder] = o
	go func() {
		defer close(done)
		o.run(ctx)
	}()
	return o
}

func (o *outcomes) look() { wake.Up(o.wake) }

func (o *outcomes) onTransition(t zk.Transition) {
	switch {
	case t.NewEpoch, t.State == zk.Closed:
		o.cache.Invalidate()
	case t.State == zk.Connected:
		o.cache.Suspect()
	default:
		return
	}
	o.distrust()
	o.look()
}

// distrust makes the next look verify that the runs still exist, because an outcome may have been
// created and deleted without an event.
func (o *outcomes) distrust() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, list := range o.waiters {
		for _, w := range list {
			w.verified = false
		}
	}
}

func (o *outcomes) run(ctx context.Context) {
	pace := verifyEvery
	verify := time.NewTicker(pace)
	defer verify.Stop()
	var find <-chan time.Time
	for {
		var err error
		select {
		case <-o.wake:
			if err = o.readOutcomes(ctx); err == nil && find == nil && len(o.unverified()) > 0 {
				find = time.After(gatherFor)
			}
		case <-find:
			find = nil
			err = o.find(ctx)
		case <-verify.C:
			o.cache.Suspect()
			o.distrust()
			o.look()
		case <-ctx.Done():
			return
		}
		switch {
		case err == nil:
		case !zk.Retriable(err):
			o.fail(err)
		case o.store.pause(ctx, err) == nil:
			o.look()
		}
		next := verifyEvery
		if !o.cache.Get(o.store.Tree.RunsDone()).Exists {
			next = between // The job is being removed, node by node.
		}
		if next != pace {
			pace = next
			verify.Reset(pace)
		}
	}
}

// find looks for unverified runs, and answers the waiters of missing ones.
func (o *outcomes) find(ctx context.Context) error {
	ids := o.unverified()
	if len(ids) == 0 {
		return nil
	}
	found, err := o.store.present(ctx, ids)
	if err == nil {
		err = o.readOutcomes(ctx) // Some may have ended since.
	}
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for id := range ids {
		if !found[id] {
			o.answer(id, answer{})
		}
		for _, w := range o.waiters[id] {
			w.seen, w.verified = true, true
		}
	}
	return nil
}

// readOutcomes reads the names of the outcomes if they may have changed, and answers their waiters.
func (o *outcomes) readOutcomes(ctx context.Context) error {
	if err := o.cache.Refresh(ctx); err != nil {
		return err
	}
	folder := o.store.Tree.RunsDone()
	node := o.cache.Get(folder)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range node.Children {
		if _, id, ours := jobtree.ParseRunEnded(name); ours && len(o.waiters[id]) > 0 {
			o.answer(id, answer{path: folder + "/" + name})
		}
	}
	return nil
}

// answer answers all waiters of a run. The caller holds o.mu.
func (o *outcomes) answer(id string, a answer) {
	for _, w := range o.waiters[id] {
		w.seen = w.seen || a.path != ""
		w.answer <- a // The channel has room for one.
	}
	delete(o.waiters, id)
}

func (o *outcomes) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id := range o.waiters {
		o.answer(id, answer{err: err})
	}
}

func (o *outcomes) unverified() map[string]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	ids := make(map[string]bool)
	for id, list := range o.waiters {
		if slices.ContainsFunc(list, func(w *waiter) bool { return !w.verified }) {
			ids[id] = true
		}
	}
	return ids
}

// present returns the given runs that wait or run. It reads each folder once, and may miss a run
// that moves.
func (s Store) present(ctx context.Context, ids map[string]bool) (map[string]bool, error) {
	var folders []string
	for id := range ids {
		folders = append(folders, s.waitingFolders(id)...)
	}
	slices.Sort(folders)
	folders = append(slices.Compact(folders), s.Tree.RunsActive())
	paths, err := s.below(ctx, folders...)
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool)
	for _, path := range paths {
		if _, id, ours := jobtree.ParseRunName(base(path)); ours && ids[id] {
			found[id] = true
		}
	}
	if len(found) == len(ids) {
		return found, nil
	}
	var mu sync.Mutex
	err = s.readRecords(ctx, s.records(paths), func(_ string, data []byte, _ int32) {
		if run, err := activeStatus(data); err == nil && ids[run.ID] {
			mu.Lock()
			defer mu.Unlock()
			found[run.ID] = true
		}
	})
	return found, err
}
