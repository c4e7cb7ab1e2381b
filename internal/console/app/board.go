package app

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/feed"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// boardEvery is the pause between two looks at what ran meanwhile.
	boardEvery = 3 * time.Second
	// boardFresh is how old the board may be before a request brings it up to date
	// itself, where nobody else does.
	boardFresh = 10 * time.Second
	// boardTrust is how old it may be before nothing is concluded from it.
	boardTrust = 2 * time.Minute
	// boardOverlap is how much of what was looked at is looked at again: rows are
	// written a moment after what they tell.
	boardOverlap = 10 * time.Second
	// boardPages bounds the executions that are looked at, in pages of
	// [rdb.MaxLimit].
	boardPages = 10
	// boardRound is how many looks it takes until every job was read again, which
	// finds rows that came late.
	boardRound = 100
	// boardRows is how many executions are read at once, all of which are in memory
	// then, and boardReaders how many such reads go on side by side at most. The pool of
	// a database has twice as many connections: the others are for requests.
	boardRows, boardReaders = 1_000, 4
	// boardGlance is how many executions of a job are read at least, and boardDepth how
	// many where these do not tell enough.
	boardGlance, boardDepth = 6, 24
	// boardRuns is how many runs are read of a job that fails, or failed lately.
	boardRuns = 11
	// boardStuck is how many jobs that seem late, or to run on, are read again at one look.
	boardStuck = 100
	// boardFired is how many jobs the registry is asked about at one look.
	boardFired = 100
	// boardTimeout bounds one look of [Console.KeepHealth].
	boardTimeout = time.Minute
)

// board remembers what the newest runs of each job tell, of the registry and the
// trace database of the command line: a page about ten thousand jobs cannot read
// ten thousand histories.
//
//	KeepHealth ── every 3 s ─▶ which jobs began or ended runs? ─▶ their newest runs ─▶ digests
//	ReadHealth ── a request ──────────────────────────────────────────────────────────▶ health
type board struct {
	mu      sync.Mutex
	entries map[string]*boardEntry
	version uint64 // of the entries
	looked  looked
	at      time.Time       // up to when the history was read; zero: not yet
	rows    map[uint64]bool // hashes of the newest rows; a look with other rows reads their jobs
	away    bool            // the last try to read it failed
	tried   time.Time
	busy    bool
	kept    bool            // by KeepHealth
	next    int             // where the round goes on
	failed  map[string]bool // jobs that failed lately; they must be read
	// tooLittle are the jobs that are still being read and of which a glance did not
	// tell enough: another try is worth it when it is known how many shards they have.
	tooLittle map[string]bool
	failing   int       // jobs that were Failing at the last look
	newest    time.Time // see explain.Evidence
	writers   *explain.Writers
	// changed tells of jobs that ran, or whose state is another one.
	changed feed.Feed[string]
	before  compared // at the last look of KeepHealth
	noted   []*noted // oldest first
	open    map[notedKey]*noted
	crashes map[string]members.Crash
	// off has the shards of each job that were seen disabled; see [explain.Digest.WithOff].
	off map[string]map[int]time.Time
	// unserved is when no instance served a job last.
	unserved map[string]members.Unserved
}

// boardEntry is a job's digest, and that for whoever may only look, where it is
// another.
type boardEntry struct {
	open, masked *explain.Digest // they do not change
	unread       bool            // its runs weren't read yet
	rows         uint64          // a hash of the rows; 0 if they weren't enough
}

// Board is the health of jobs at one moment, as one caller may see it.
type Board struct {
	*query.Standing                  // of the jobs it was asked about; nil without any
	history         explain.Evidence // of no job
	lang            i18n.Lang
}

// Of says how a job is, in the caller's language.
func (b Board) Of(j statistics.Job) health.Health { return b.Judge(&j, b.Digest(j.Name)) }

// Judge is Of a job whose digest is at hand.
func (b Board) Judge(j *statistics.Job, d *explain.Digest) health.Health {
	return health.Judge(b.lang, b.about(j, d))
}

// about is the evidence about a job.
func (b Board) about(j *statistics.Job, d *explain.Digest) explain.Evidence {
	e := b.history
	e.Job, e.Runs = j, d
	return e
}

// State is the state that Of says, and whether the job never ran, without the words.
func (b Board) State(j *statistics.Job, d *explain.Digest) (state explain.State, neverRan bool) {
	e := b.about(j, d)
	return explain.StateOf(e), e.NeverRan()
}

// ByRuns reports whether a job that fails does so by its runs: they have a cause.
func (b Board) ByRuns(d *explain.Digest) bool { return b.history.Known && d.Bad() }

// noRuns is the digest of a job without a run on record.
var noRuns explain.Digest

// Digest is what the newest runs of a job tell. It must not be changed.
func (b Board) Digest(job string) *explain.Digest {
	if b.Standing == nil {
		return &noRuns
	}
	if d := b.DigestOf(job); d != nil {
		return d
	}
	return &noRuns
}

// Seen is what a list of jobs makes of it.
func (b Board) Seen() query.Seen { return query.Seen{Standing: b.Standing, Health: b.Judge} }

// Known reports whether the history could be read lately.
func (b Board) Known() bool { return b.history.Known }

// KeepHealth brings the health of all jobs up to date every few seconds, until the
// context ends.
func (s *Console) KeepHealth(ctx context.Context) {
	if s.opts.History == nil {
		return
	}
	s.board.mu.Lock()
	s.board.kept = true
	s.board.mu.Unlock()
	ticker := time.NewTicker(boardEvery)
	defer ticker.Stop()
	for failed := 0; ; {
		limited, cancel := context.WithTimeout(ctx, boardTimeout)
		s.board.noteMembers(s.members.Crashes(s.Now()), s.members.Unserved())
		jobs, err := s.opts.Jobs.Jobs(limited)
		if err == nil {
			err = s.board.refresh(limited, s.opts.History, s.opts.Jobs.Fired, jobs, s.Now())
			s.board.compare(jobs, s.Now())
		}
		cancel()
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			failed = 0
		} else {
			failed++
		}
		if failed == 2 { // Once, not each time; and a console that has just begun has no session yet.
			s.Log.WarnContext(ctx, "the newest runs could not be read, the next try is in a moment", slog.Any("err", err))
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// ReadHealth is the health of jobs that were just read. Of a registry or database
// that was entered only the registry is asked: its runs are not known.
func (s *Console) ReadHealth(c *gin.Context, jobs []statistics.Job) Board {
	l := i18n.From(c.Request.Context())
	if !s.remembered(c) {
		return unknownHealth(jobs, s.asOf(c), l)
	}
	if _, stale := SnapshotOf(c); !stale && s.board.wants(s.Now()) {
		ctx, cancel := s.Reading(c)
		defer cancel()
		if err := s.board.refresh(ctx, s.opts.History, s.opts.Jobs.Fired, jobs, s.Now()); err != nil && !callerLeft(c) {
			s.Log.WarnContext(c, "the newest runs could not be read", slog.Any("err", err))
		}
	}
	b := s.board.look(jobs, LooksOnly(c), s.asOf(c))
	b.lang = l
	return b
}

// JobHealth is the health of one job, by its runs as they are now.
func (s *Console) JobHealth(c *gin.Context, j statistics.Job) health.Health {
	e := s.Evidence(c, &j)
	return health.Judge(i18n.From(c.Request.Context()), e)
}

// Evidence reads the newest runs of a job for a judgement.
func (s *Console) Evidence(c *gin.Context, j *statistics.Job) explain.Evidence {
	e := explain.Evidence{Job: j, Runs: &noRuns, Now: s.asOf(c)}
	if !s.remembered(c) {
		return e
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	one := []statistics.Job{*j}
	if err := s.board.learn(ctx, s.opts.History, one); err != nil {
		return e
	}
	s.board.readFired(ctx, s.opts.Jobs.Fired, one, e.Now)
	look := s.board.look(one, LooksOnly(c), e.Now)
	e.Known, e.Newest, e.Writers, e.Runs = true, look.history.Newest, look.history.Writers, look.Digest(j.Name)
	return e
}

// unknownHealth is what the registry alone tells.
func unknownHealth(jobs []statistics.Job, at time.Time, l i18n.Lang) Board {
	digests := make([]*explain.Digest, len(jobs))
	for i := range digests {
		digests[i] = &noRuns
	}
	history := explain.Evidence{Now: at}
	return Board{history: history, lang: l, Standing: query.NewStanding(query.NewListing(jobs), digests, history)}
}

// remembered reports whether the board is about what a request is about.
func (s *Console) remembered(c *gin.Context) bool {
	return s.opts.History != nil && s.RegistryOf(c).name == DefaultRegistry && s.HistoryOf(c) == s.opts.History
}

// trusted reports whether something is concluded from the last reading of the history, with mu held.
func (b *board) trusted(now time.Time) bool {
	return !b.away && !b.at.IsZero() && now.Sub(b.at) < boardTrust
}

// wants reports whether a request has to bring the board up to date.
func (b *board) wants(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.kept && !b.busy && now.Sub(b.at) > boardFresh && now.Sub(b.tried) > boardFresh
}

// refresh reads the newest runs of the jobs that ran since the last time, and of
// some others in turn.
func (b *board) refresh(ctx context.Context, history History, fired readFired, jobs []statistics.Job, now time.Time) (err error) {
	b.mu.Lock()
	if b.busy {
		b.mu.Unlock()
		return nil
	}
	b.busy, b.tried = true, now
	since, next, before := b.at, b.next, b.rows
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.busy = false; !errors.Is(err, context.Canceled) { // which tells nothing of the history
			b.away = err != nil
		}
	}()
	active, rows, err := activeSince(ctx, history, since, before)
	if err == nil && !since.IsZero() {
		err = noteFailedRequests(ctx, history, jobs, since, active)
	}
	if err == nil && since.IsZero() {
		err = b.findFailed(ctx, history)
	}
	if err != nil {
		return err
	}
	turn, stuck := (len(jobs)+boardRound-1)/boardRound, 0
	states := b.look(jobs, false, now).States
	var due []statistics.Job
	tooLittle := make(map[string]bool)
	b.mu.Lock()
	for i, j := range jobs {
		inTurn := (i-next+len(jobs))%len(jobs) < turn
		if j.Status == statistics.StatusReading && b.tooLittle[j.Name] {
			tooLittle[j.Name] = true
		} else if e := b.entries[j.Name]; e == nil || e.unread || active[j.Name] || inTurn {
			due = append(due, j)
		} else if stuck < boardStuck && (e.open.Running > 0 || states[i] == explain.Late || states[i] == explain.Unknown) {
			stuck++ // A row of it may have come since. By a clock that's behind, it isn't among the newest.
			due = append(due, j)
		}
	}
	b.tooLittle = tooLittle
	b.mu.Unlock()
	if err := b.learn(ctx, history, due); err != nil {
		return err
	}
	b.readFired(ctx, fired, jobs, now)
	b.mu.Lock()
	b.at, b.rows = now, rows
	b.noteNewest()
	if len(jobs) > 0 {
		b.next = (next + turn) % len(jobs)
	}
	b.forget(jobs)
	b.mu.Unlock()
	failing := b.look(jobs, false, now).ByState[explain.Failing]
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failing = failing
	return nil
}

// FailingJobs is how many jobs of the registry of a request failed at the last look
// at the history; 0 if nobody has looked lately.
func (s *Console) FailingJobs(c *gin.Context) int {
	if !s.remembered(c) {
		return 0
	}
	s.board.mu.Lock()
	defer s.board.mu.Unlock()
	if !s.board.trusted(s.Now()) {
		return 0
	}
	return s.board.failing
}

// FailAlike is how many other jobs of the registry of a request fail by the cause with
// the fingerprint, as far as the history was looked at, and since when the first of
// them does; zero if that isn't known. It reads nothing of a job that does not.
func FailAlike(s *Console, c *gin.Context, job, fingerprint string) (n int, since time.Time) {
	if fingerprint == "" || !s.remembered(c) {
		return 0, since
	}
	all, err := s.ReadJobs(c)
	if err != nil {
		return 0, since
	}
	s.board.mu.Lock()
	defer s.board.mu.Unlock()
	now := s.asOf(c)
	if !s.board.trusted(now) {
		return 0, since
	}
	for i := range all {
		e := s.board.entries[all[i].Name]
		if e == nil || all[i].Name == job || e.open.Fingerprint != fingerprint || explain.StateOf(explain.Evidence{Job: &all[i], Runs: e.open, Known: true, Now: now}) != explain.Failing {
			continue
		}
		if n++; n == 1 || e.open.FailingSince.Before(since) {
			since = e.open.FailingSince
		}
	}
	return n, since
}

// noteMembers notes how many instances of each job were lost lately, and when none served it last.
func (b *board) noteMembers(crashes map[string]members.Crash, unserved map[string]members.Unserved) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !maps.Equal(b.crashes, crashes) || !maps.Equal(b.unserved, unserved) {
		b.crashes, b.unserved = crashes, unserved
		b.version++
	}
}

// noteNewest finds the newest row of all jobs, and of each instance, with mu held.
func (b *board) noteNewest() {
	b.writers = new(explain.Writers)
	for _, e := range b.entries {
		b.writers.Note(e.open)
		for _, at := range []time.Time{e.open.LastStart, e.open.EndedAt} {
			if at.After(b.newest) {
				b.newest = at
			}
		}
	}
}

// reread has the runs of a job read at the next look, because an instance of it has left.
func (b *board) reread(job string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries[job]; e != nil {
		e.unread = true
	}
}

// forget drops the jobs that no longer exist, with mu held.
func (b *board) forget(jobs []statistics.Job) {
	if len(b.entries) <= len(jobs) {
		return
	}
	there := make(map[string]bool, len(jobs))
	for _, j := range jobs {
		there[j.Name] = true
	}
	for name := range b.entries {
		if !there[name] {
			delete(b.entries, name)
			delete(b.off, name)
			b.version++
		}
	}
}

// activeSince returns the jobs with an execution that began or ended since a time, and hashes of the
// rows that it read. before has the hashes of the previous call; those rows don't count again. Other
// older rows count, because a clock may be behind.
func activeSince(ctx context.Context, history History, since time.Time, before map[uint64]bool) (active map[string]bool, rows map[uint64]bool, err error) {
	active, rows = make(map[string]bool), make(map[uint64]bool)
	if since.IsZero() {
		return active, rows, nil // All are read anyway.
	}
	since = since.Add(-boardOverlap)
	for _, f := range []rdb.ExecutionFilter{{From: since, Limit: rdb.MaxLimit}, {Sort: rdb.SortComplete, Limit: rdb.MaxLimit}} {
		for range boardPages {
			page, err := history.Executions(ctx, f)
			if err != nil {
				return nil, nil, err
			}
			for _, e := range page.Rows {
				hash := maphash.Comparable(boardSeed, e)
				if rows[hash] = true; !before[hash] {
					active[e.JobName] = true
				}
			}
			n := len(page.Rows)
			if page.NextCursor == "" || n == 0 || f.Sort == rdb.SortComplete && page.Rows[n-1].CompleteTime.Before(since) {
				break
			}
			f.Cursor = page.NextCursor
		}
	}
	return active, rows, nil
}

// findFailed notes the jobs that failed lately. More of their runs must be read, because the
// newest ones may have succeeded.
func (b *board) findFailed(ctx context.Context, history History) error {
	page, err := history.Executions(ctx, rdb.ExecutionFilter{State: rdb.RunFailed, Limit: rdb.MaxLimit})
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = make(map[string]bool)
	for _, e := range page.Rows {
		b.failed[e.JobName] = true
	}
	return nil
}

// learn reads the newest runs of jobs: at first two, and more if two aren't enough or if the
// job has failed before.
func (b *board) learn(ctx context.Context, history History, jobs []statistics.Job) error {
	var well, failed []statistics.Job
	b.mu.Lock()
	for _, j := range jobs {
		if e := b.entries[j.Name]; b.failed[j.Name] || e != nil && e.open.Failures > 0 {
			failed = append(failed, j)
		} else {
			well = append(well, j)
		}
	}
	b.mu.Unlock()
	unclear, err := b.readRuns(ctx, history, well, boardGlance, 2)
	if err != nil {
		return err
	}
	_, err = b.readRuns(ctx, history, slices.Concat(failed, b.withoutReading(unclear)), boardDepth, boardRuns)
	if err == nil {
		b.mu.Lock()
		for _, j := range failed {
			delete(b.failed, j.Name)
		}
		b.mu.Unlock()
	}
	return err
}

// readFired reads the recorded fire times of a job.
type readFired = func(ctx context.Context, job string) (statistics.Fired, error)

// readFired reads the recorded fire times of jobs that have no run on record for their last
// fire time, of at most boardFired jobs. If that fails, it's tried again at the next look.
func (b *board) readFired(ctx context.Context, read readFired, jobs []statistics.Job, now time.Time) {
	var due []statistics.Job
	b.mu.Lock()
	for i := range jobs {
		j := &jobs[i]
		e := b.entries[j.Name]
		if e == nil || e.unread {
			continue
		}
		b.noteQuiet(e, j, now)
		if e.open = e.open.Planned(j); e.open.WantsFired(j, now) && len(due) < boardFired {
			due = append(due, *j)
		}
	}
	b.mu.Unlock()
	_ = rethrow.Each(ctx, boardReaders, len(due), func(ctx context.Context, i int) error {
		fired, err := read(ctx, due[i].Name)
		if err != nil {
			return nil // The others may be readable.
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		e := b.entries[due[i].Name]
		if e == nil {
			return nil
		}
		running := due[i].RunningShards > 0
		e.open = e.open.With(&fired, running)
		if e.masked != nil {
			e.masked = e.masked.With(&fired, running)
		}
		b.version++
		return nil
	})
}

// noteQuiet notes whether the registry shows a running shard of a job, with mu held.
func (b *board) noteQuiet(e *boardEntry, j *statistics.Job, now time.Time) {
	open := e.open.Seen(j, now)
	if open == e.open {
		return
	}
	e.open = open
	if e.masked != nil {
		e.masked = e.masked.Seen(j, now)
	}
	b.version++
}

// withoutReading notes and leaves out the jobs that are still being read: nobody knows
// yet how much of them is to be read.
func (b *board) withoutReading(unclear []statistics.Job) []statistics.Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.DeleteFunc(unclear, func(j statistics.Job) bool {
		if j.Status != statistics.StatusReading {
			return false
		}
		if b.tooLittle == nil {
			b.tooLittle = make(map[string]bool)
		}
		b.tooLittle[j.Name] = true
		return true
	})
}

// readRuns reads so many executions of each job at least, or those of so many runs,
// and returns the jobs of which they do not tell enough.
func (b *board) readRuns(ctx context.Context, history History, jobs []statistics.Job, least, runs int) (unclear []statistics.Job, err error) {
	batches := batchesOf(jobs, least, runs)
	unclearOf := make([][]statistics.Job, len(batches))
	err = rethrow.Each(ctx, min(runtime.GOMAXPROCS(0), boardReaders), len(batches), func(ctx context.Context, n int) error {
		batch := batches[n]
		names := make([]string, len(batch.jobs))
		for i, j := range batch.jobs {
			names[i] = j.Name
		}
		rows, err := history.LastRuns(ctx, names, batch.depth)
		if err != nil {
			return err
		}
		for _, j := range batch.jobs {
			lost, err := lostRequest(ctx, history, j, rows[j.Name])
			if err != nil {
				return err
			}
			if !b.put(&j, rows[j.Name], lost, len(rows[j.Name]) < batch.depth, least == boardDepth) {
				unclearOf[n] = append(unclearOf[n], j)
			}
		}
		return nil
	})
	return slices.Concat(unclearOf...), err
}

// boardBatch is some jobs that are read at once, depth executions of each.
type boardBatch struct {
	depth int
	jobs  []statistics.Job
}

// batchesOf puts jobs together of which as many executions are to be read: least, or
// more if so many runs have more.
func batchesOf(jobs []statistics.Job, least, runs int) (batches []boardBatch) {
	byDepth := make(map[int][]statistics.Job) // few depths, so that many jobs are read at once
	for _, j := range jobs {
		depth := least
		if j.Status == statistics.StatusReading {
			depth = boardDepth // Nobody knows how many shards it has: as most do, perhaps.
		}
		for depth < runs*j.Shards && depth < rdb.MaxLimit {
			depth *= 4
		}
		depth = min(depth, rdb.MaxLimit)
		byDepth[depth] = append(byDepth[depth], j)
	}
	for depth, list := range byDepth {
		for part := range slices.Chunk(list, max(1, boardRows/depth)) {
			batches = append(batches, boardBatch{depth, part})
		}
	}
	return batches
}

// put concludes from the executions of a job, and reports whether they were enough;
// if not, and this was not the last try, nothing is kept.
func (b *board) put(j *statistics.Job, rows []tracing.Execution, lost *explain.Run, complete, last bool) (enough bool) {
	hash := hashOf(rows, complete, j.Shards)
	if lost == nil && b.knows(j, hash, complete) {
		return true
	}
	runs := withLostRun(health.RunsOf(rows), lost)
	open, enough := explain.Glance(runs, complete)
	enough = enough && (complete || !open.Misses(j))
	if !enough && !last {
		return false
	}
	e := &boardEntry{open: &open}
	if lost == nil && enough {
		e.rows = hash
	}
	if open.Bad() {
		masked := explain.DigestOf(withLostRun(health.RunsOf(maskedExecutions(rows)), lost), complete)
		masked.Fingerprint = open.Fingerprint // an address of one is that of the other
		e.masked = &masked
	}
	if b.set(j.Name, e) {
		b.changed.Tell(j.Name)
	}
	return enough
}

var boardSeed = maphash.MakeSeed()

func hashOf(rows []tracing.Execution, complete bool, shards int) uint64 {
	var h maphash.Hash
	h.SetSeed(boardSeed)
	maphash.WriteComparable(&h, complete)
	maphash.WriteComparable(&h, shards)
	for _, row := range rows {
		maphash.WriteComparable(&h, row)
	}
	return max(1, h.Sum64())
}

// knows reports whether the same rows of a job were read before, and are still enough.
func (b *board) knows(j *statistics.Job, rows uint64, complete bool) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.entries[j.Name]
	if e == nil || e.rows != rows || !complete && e.open.Misses(j) {
		return false
	}
	e.unread = false
	return true
}

// set keeps what was read of a job, and reports whether that is another than before.
func (b *board) set(job string, e *boardEntry) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.entries == nil {
		b.entries = make(map[string]*boardEntry)
	}
	before := b.entries[job]
	if before != nil {
		e.open = e.open.After(before.open)
		if e.masked != nil {
			e.masked = e.masked.After(before.open)
		}
	}
	b.entries[job] = e
	b.version++
	return before != nil && !e.open.Same(before.open)
}
