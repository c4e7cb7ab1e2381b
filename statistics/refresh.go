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
	// listPatience is how long a list waits for the fill before it returns the jobs known so far.
	listPatience = 2 * time.Second
	// compareEvery is the pause between two comparisons of the whole cache with the server. A lost
	// watch event can go unnoticed for that long.
	compareEvery = 10 * time.Minute
	// compareBatch is the number of nodes that are compared at once, and comparePause is the pause
	// after each batch. That's a thousand requests a second, which should be no burden for a
	// server.
	compareBatch = 50
	comparePause = 50 * time.Millisecond
	// fillTimeout bounds a fill. The nodes read until then stay cached.
	fillTimeout = 5 * time.Minute
	// fillRetry is the pause after a failed fill or comparison.
	fillRetry = time.Second
)

// refresher fills the cache of a watching Reader and keeps it up to date.
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
	due := time.Now() // the next comparison
	for {
		select {
		case <-next.C:
		case <-k.wake:
		case <-ctx.Done():
			return
		}
		ok := true
		switch {
		case !r.cache.usable(): // The next transition wakes us.
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

// filled reports whether everything was read on the current connection.
func (k *cache) filled() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.compared.IsZero()
}

// present returns the session and the connection of the cached nodes.
func (k *cache) present() (epoch uint64, since time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.epoch, k.since
}

// agree notes that the whole cache matches the server, unless the connection has changed.
func (k *cache) agree(epoch uint64, since time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.epoch != epoch || !k.since.Equal(since) {
		return false
	}
	k.compared = time.Now()
	return true
}

// fill reads every job that isn't cached, first for the list of jobs and then for the list of
// servers. Most rows of the second list come with the first.
func (r *Reader) fill(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, fillTimeout)
	defer cancel()
	k := r.cache
	epoch, since := k.present()
	filling := make(chan struct{})
	k.mu.Lock()
	k.filling = filling
	k.mu.Unlock()
	// This uses its own slots, so requests don't have to wait for it.
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

// compare reads every cached node again, slowly, and drops each node that differs, because its
// event was lost.
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

// tables returns the names of all jobs with cached nodes, and "" for the other nodes.
func (k *cache) tables() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.AppendSeq([]string{""}, maps.Keys(k.nodes.byJob))
}

func (k *cache) keysOf(job string) []cacheKey {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.nodes.keys(job)
}

// compareSome compares a batch of nodes and pauses. It returns false if a read failed or the
// connection has changed.
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

// compareOne drops a node that has changed without an event. A pending event can't be mistaken for
// a lost one, because it comes before the answer on the same connection.
func (k *cache) compareOne(ctx context.Context, key cacheKey) error {
	old, ok := k.lookup(key)
	if !ok {
		return nil
	}
	now, err := k.read(ctx, key, false)
	switch {
	case errors.Is(err, zk.ErrNoAuth):
		// ZooKeeper doesn't announce a change of an ACL. The next read will return the error.
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

// repair drops a node if it differs from a second read.
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

// kept returns the last list if nothing has changed since. Otherwise it calls list, which makes it
// from the rows of a depth. whole must be false if the list has jobs that aren't read yet.
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
	// Nothing was dropped in between, and every row is cached.
	if whole && changes == k.changes && k.complete(r.ns.Root(), depth) {
		*of(k) = &cachedList[T]{changes, rows}
		k.holdOnce(rows)
	}
	return rows, nil
}

// holdOnce replaces the cached rows by the list's copies, so that we hold each row once. k.mu must
// be held.
func (k *cache) holdOnce(rows any) {
	jobs, _ := rows.([]Job)
	for i := range jobs {
		k.rows[rowKey{jobs[i].Name, forList}].value = &jobs[i]
	}
}

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

// stillReading adds ErrStillReading to an error if the reason is that the fill takes so long.
func (r *Reader) stillReading(ctx context.Context, err error) error {
	if r.cache == nil || r.cache.filled() || r.client.State() != zk.Connected || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return err
	}
	return errors.Join(zk.ErrUnavailable, ErrStillReading, err)
}

// complete reports whether every job has a cached row of this depth. k.mu must be held.
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

// errSilent means that the fill made no progress while a list waited for it.
var errSilent = errors.New("nothing could be read in time")

// jobsSoFar lists all names, and the rows that are cached so far. before is the earlier value of
// answers: if it hasn't changed, the server doesn't answer any more.
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

// Known describes the cache of a watching Reader.
type Known struct {
	// Jobs counts the jobs by status. Jobs with StatusReading aren't cached.
	Jobs map[Status]int
	// Since is the time at which the whole cache was last known to match the server; zero until it
	// has been read. Later changes come as watch events.
	Since time.Time
	// Repaired counts the nodes that changed without a watch event and were found by a comparison.
	Repaired uint64
}

// Known describes the cache. It sends no request.
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
