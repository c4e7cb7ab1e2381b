package statistics

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	// listPatience is how long a list waits for what is being read before it
	// says what it knows.
	listPatience = 2 * time.Second
	// compareEvery is the pause between two comparisons of everything cached with
	// the server. What a lost event would hide shows up after it.
	compareEvery = 10 * time.Minute
	// compareBatch nodes are compared at once, with comparePause between two
	// batches: a thousand requests a second, which no server notices.
	compareBatch = 50
	comparePause = 50 * time.Millisecond
	// fillTimeout bounds a reading of everything; what it has read counts.
	fillTimeout = 5 * time.Minute
	// fillRetry is the pause after a reading or comparison that failed.
	fillRetry = time.Second
)

// refresher keeps a Reader's memory full and true.
//
//	connected ──▶ fill: read every job ──▶ wait ──10 min──▶ compare every node
//	    ▲                                   │  ▲                │
//	    └── the connection or session broke ┘  └────────────────┘
type refresher struct {
	end  context.CancelFunc
	done chan struct{}
	wake chan struct{} // the connection has changed
}

func startRefresher(r *Reader) *refresher {
	ctx, end := context.WithCancel(context.Background())
	k := &refresher{end: end, done: make(chan struct{}), wake: make(chan struct{}, 1)}
	unsubscribe := r.client.Subscribe(func(zk.Transition) {
		select {
		case k.wake <- struct{}{}:
		default:
		}
		r.cache.changed.Tell(News{Connection: true})
	})
	go func() {
		defer close(k.done)
		defer unsubscribe()
		k.work(ctx, r)
	}()
	return k
}

func (k *refresher) stop() {
	k.end()
	<-k.done
}

func (k *refresher) work(ctx context.Context, r *Reader) {
	next := time.NewTimer(0)
	defer next.Stop()
	due := time.Now() // of the next comparison
	for {
		select {
		case <-next.C:
		case <-k.wake:
		case <-ctx.Done():
			return
		}
		ok := true
		switch {
		case !r.cache.usable(): // The transition wakes.
		case !r.cache.filled():
			ok = r.fill(ctx)
		case !time.Now().Before(due):
			ok = r.compare(ctx)
		default:
			next.Reset(time.Until(due))
			continue
		}
		pause := compareEvery*9/10 + rand.N(compareEvery/5)
		if !ok {
			pause = fillRetry
		}
		due = time.Now().Add(pause)
		next.Reset(pause)
	}
}

// filled reports whether everything was read under the present connection.
func (k *cache) filled() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.compared.IsZero()
}

// present names the connection that is kept for.
func (k *cache) present() (epoch uint64, since time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.epoch, k.since
}

// agree notes that everything cached is as stored, unless the connection has
// changed since.
func (k *cache) agree(epoch uint64, since time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.epoch != epoch || !k.since.Equal(since) {
		return false
	}
	k.compared = time.Now()
	return true
}

// fill reads every job that is not known, first for the list of jobs, then for
// that of servers, which most jobs are known for by then.
func (r *Reader) fill(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, fillTimeout)
	defer cancel()
	k := r.cache
	epoch, since := k.present()
	filling := make(chan struct{})
	k.mu.Lock()
	k.filling = filling
	k.mu.Unlock()
	// Requests have slots of their own and come in between.
	_, err := conclusionsBy(ctx, r, r.fetcherOf(maxFillReads), forList, r.jobRow)
	k.mu.Lock()
	k.filling = nil
	close(filling)
	k.mu.Unlock()
	if err == nil {
		_, err = conclusions(ctx, r, forServers, (*evidence).servedBy)
	}
	return err == nil && k.agree(epoch, since)
}

// compare reads everything that is kept once more, slowly, and forgets what is
// not as stored: its event was lost.
func (r *Reader) compare(ctx context.Context) bool {
	k := r.cache
	epoch, since := k.present()
	var batch []cacheKey
	for _, job := range k.tables() {
		batch = append(batch, k.keysOf(job)...)
		for len(batch) >= compareBatch {
			if !k.compareSome(ctx, batch[:compareBatch], epoch, since) {
				return false
			}
			batch = slices.Delete(batch, 0, compareBatch)
		}
	}
	if !k.compareSome(ctx, batch, epoch, since) {
		return false
	}
	return k.agree(epoch, since)
}

// tables are the names of the jobs with nodes, and "" for all else.
func (k *cache) tables() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.AppendSeq([]string{""}, maps.Keys(k.nodes.byJob))
}

// keysOf are the nodes of a job that are kept.
func (k *cache) keysOf(job string) []cacheKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.nodes.keys(job)
}

// compareSome compares a batch of nodes and pauses. It is false if that could not be, or
// the connection is another one by now.
func (k *cache) compareSome(ctx context.Context, batch []cacheKey, epoch uint64, since time.Time) bool {
	limited, cancel := context.WithTimeout(ctx, readTimeout)
	err := each(limited, len(batch), func(ctx context.Context, i int) error { return k.compareOne(ctx, batch[i]) })
	cancel()
	if now, at := k.present(); err != nil || now != epoch || !at.Equal(since) {
		return false
	}
	pause := time.NewTimer(comparePause)
	defer pause.Stop()
	select {
	case <-pause.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// compareOne forgets a node that has changed without an event. An event that is
// on its way comes before the answer, since one connection carries both.
func (k *cache) compareOne(ctx context.Context, key cacheKey) error {
	old, ok := k.lookup(key)
	if !ok {
		return nil
	}
	now, err := k.read(ctx, key, false)
	switch {
	case errors.Is(err, zk.ErrNoAuth):
		// ZooKeeper doesn't announce a change of an ACL. The next reader gets the error.
		k.mu.Lock()
		k.repaired++
		k.drop(key.path)
		k.mu.Unlock()
		k.tell(key.path)
	case err != nil:
		return err
	case k.repair(key, old, now):
		k.tell(key.path)
	}
	return nil
}

// repair forgets a node that was read again and is not as it was.
func (k *cache) repair(key cacheKey, old, now cachedNode) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if kept, known := k.nodes.get(key); !known || kept != old || now.shows(old) {
		return false
	}
	k.repaired++
	k.drop(key.path)
	return true
}

// kept is a list as it was made last, if nothing has changed since, and else as list
// makes it of what was concluded about the jobs at a depth. Whole tells that it is more
// than what is known so far.
func kept[T any](r *Reader, depth depth, of func(*cache) **cachedList[T], list func() (rows []T, whole bool, err error)) ([]T, error) {
	k := r.cache
	if k == nil || !k.usable() {
		rows, _, err := list()
		return rows, err
	}
	k.mu.Lock()
	if first := k.expires; !first.IsZero() && !k.now().Before(first) {
		k.expires = time.Time{}
		k.changes++
	}
	last, changes := *of(k), k.changes
	k.mu.Unlock()
	if last != nil && last.changes == changes {
		return last.rows, nil
	}
	rows, whole, err := list()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if whole && changes == k.changes && k.complete(r.ns.Root(), depth) { // Nothing was forgotten meanwhile, and everything is kept.
		*of(k) = &cachedList[T]{changes, rows}
		k.holdOnce(rows)
	}
	return rows, nil
}

// holdOnce has the rows of the jobs be those of a list, which has copies of them, with
// mu held.
func (k *cache) holdOnce(rows any) {
	jobs, _ := rows.([]Job)
	for i := range jobs {
		k.rows[rowKey{jobs[i].Name, forList}].value = &jobs[i]
	}
}

// keptJobs is the list of jobs of a watching Reader.
func (r *Reader) keptJobs(ctx context.Context) ([]Job, error) {
	return kept(r, forList, func(k *cache) **cachedList[Job] { return &k.jobs }, func() (jobs []Job, whole bool, err error) {
		k := r.cache
		k.mu.Lock()
		filling, answers := k.filling, k.answers
		k.mu.Unlock()
		if filling != nil && k.client.State() == zk.Connected {
			wait := time.NewTimer(listPatience)
			defer wait.Stop()
			select {
			case <-filling:
			case <-ctx.Done():
				return nil, false, context.Cause(ctx)
			case <-wait.C:
				jobs, err = r.jobsSoFar(ctx, answers)
				return jobs, false, err
			}
		}
		jobs, err = conclusions(ctx, r, forList, r.jobRow)
		return jobs, true, err
	})
}

// stillReading says so of an error whose reason is that the refresher has yet to
// read everything.
func (r *Reader) stillReading(ctx context.Context, err error) error {
	if r.cache == nil || r.cache.filled() || r.client.State() != zk.Connected || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return err
	}
	return errors.Join(zk.ErrUnavailable, ErrStillReading, err)
}

// complete reports whether every job's row of a depth is kept, with mu held.
func (k *cache) complete(root string, depth depth) bool {
	names, known := k.nodes.get(cacheKey{root, true})
	if !known || names.suspect {
		return false
	}
	return !slices.ContainsFunc(names.children(), func(name string) bool {
		_, known := k.concluded(rowKey{name, depth})
		return !known
	})
}

// errSilent is the failure of a list that was waited for in vain.
var errSilent = errors.New("nothing could be read in time")

// jobsSoFar lists every name, with what is known of it. Where nothing was
// read since before, the server has stopped to answer.
func (r *Reader) jobsSoFar(ctx context.Context, before uint64) ([]Job, error) {
	k := r.cache
	k.mu.Lock()
	after := k.answers
	k.mu.Unlock()
	if after == before {
		return nil, errors.Join(zk.ErrUnavailable, errSilent)
	}
	names, err := r.newFetcher().children(ctx, r.ns.Root())
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	rows := make([]*Job, len(names))
	missing := k.known(names, forList, func(i int, value any) { rows[i], _ = value.(*Job) })
	jobs := make([]Job, 0, len(names))
	for i, name := range names {
		switch {
		case len(missing) > 0 && missing[0] == i:
			missing = missing[1:]
			jobs = append(jobs, Job{Name: name, Status: StatusReading, Reason: "the console has yet to read this job"})
		case rows[i] != nil:
			jobs = append(jobs, *rows[i])
		}
	}
	return jobs, nil
}

// Known is what a watching Reader has in its memory.
type Known struct {
	// Jobs counts the jobs by status; those of StatusReading would have to be
	// read first.
	Jobs map[Status]int
	// Since is when all of it was last known to be as stored; zero while it is
	// being read. ZooKeeper announces what changes after that.
	Since time.Time
	// Repaired counts nodes that a comparison found changed without an event.
	Repaired uint64
}

// Known tells what is known, without asking ZooKeeper anything.
func (r *Reader) Known() Known {
	known := Known{Jobs: make(map[Status]int)}
	if r.cache == nil {
		return known
	}
	k := r.cache
	k.mu.Lock()
	defer k.mu.Unlock()
	known.Since, known.Repaired = k.compared, k.repaired
	names, listed := k.nodes.get(cacheKey{r.ns.Root(), true})
	if !listed {
		return known
	}
	for _, name := range names.children() {
		row := k.rows[rowKey{name, forList}]
		if row == nil || row.pending != nil {
			known.Jobs[StatusReading]++
		} else if job, _ := row.value.(*Job); job != nil {
			known.Jobs[job.Status]++
		}
	}
	return known
}
