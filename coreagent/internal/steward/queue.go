package steward

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Maximum number of requests per transaction and in the queue.
const (
	mostMoved = 100
	mostQueue = 64
	// Java's agents reread the whole job after each change.
	mostMovedWithJava = 20
)

// waiting is a request in the queue or in a bucket.
type waiting struct {
	path    string
	version int32
	data    []byte
	request jobtree.RunRequest
}

// read reads a waiting request. there is false if it's gone or unreadable. Unreadable requests are
// ignored for the rest of the term.
func (s *Steward) read(ctx context.Context, path string) (w waiting, there bool, err error) {
	data, stat, err := s.store.Client.Get(ctx, path)
	return s.decode(ctx, path, data, stat, err)
}

// decode decodes a waiting request that was read at its path, or handles the error.
func (s *Steward) decode(ctx context.Context, path string, data []byte, stat zk.Stat, err error) (w waiting, there bool, _ error) {
	w = waiting{path: path}
	if err != nil {
		return w, false, zk.Ignore(err, zk.ErrNoNode)
	}
	w.version, w.data = stat.Version, data
	if w.request, err = jobtree.DecodeRunRequest(data); err != nil {
		s.log.WarnContext(ctx, "ignored an unreadable requested run", "path", path, "err", err)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.unread[path] = true
		return w, false, nil
	}
	return w, true, nil
}

func (s *Steward) readQueue(ctx context.Context, f Fleet) error {
	node, claimed := s.cache.Get(s.store.Tree.RunsSignal()), s.cache.Get(s.store.Tree.RunsActive()).Seen
	bell := rungAt(node.Stat)
	// A claim of a request doesn't ring the bell.
	if s.listed != nil && !s.rung.before(bell) && (len(s.listed) == 0 || s.claimed == claimed) {
		return nil
	}
	names, known, err := s.readRung(ctx, f, node.Data, bell)
	if err == nil && len(names) == 0 {
		names, err = s.store.Children(ctx, s.store.Tree.RunsQueue())
	}
	if err != nil {
		return err
	}
	var unknown []string
	for _, name := range names {
		if _, read := known[name]; read {
			continue
		}
		if request, found := s.queue[name]; found {
			known[name] = request
		} else if !s.unread[s.store.Tree.RunsQueued(name)] {
			unknown = append(unknown, name)
		}
	}
	list, there := make([]waiting, len(unknown)), make([]bool, len(unknown))
	if err := nodes.Each(ctx, len(unknown), func(ctx context.Context, i int) (err error) {
		if path := s.store.Tree.RunsQueued(unknown[i]); len(names) == 1 {
			list[i], there[i], err = s.readOnly(ctx, f, path)
		} else {
			list[i], there[i], err = s.read(ctx, path)
		}
		list[i].data = nil // it's large, and decoded
		return err
	}); err != nil {
		return err
	}
	for i, name := range unknown {
		if there[i] {
			known[name] = list[i]
		}
	}
	s.queue, s.claimed, s.fresh = known, claimed, true
	if s.rung.before(bell) {
		s.rung = bell
	}
	s.listed = slices.DeleteFunc(append([]string{}, names...), func(name string) bool { _, found := known[name]; return !found })
	return nil
}

// Queue returns the names of the queued requests. current is set if they were read in this step.
func (s *Steward) Queue() (names []string, current bool) {
	if !s.works || s.listed == nil {
		return nil, false
	}
	return slices.Clone(s.listed), s.fresh
}

// Queued returns a queued request and the version of its node, or false if it's unknown.
func (s *Steward) Queued(name string) (jobtree.RunRequest, int32, bool) {
	w, found := s.queue[name]
	return w.request, w.version, found && s.works
}

// Left records that requests have left the queue.
func (s *Steward) Left(names ...string) {
	for _, name := range names {
		delete(s.queue, name)
	}
	if s.listed != nil {
		s.listed = slices.DeleteFunc(s.listed, func(name string) bool { return slices.Contains(names, name) })
	}
}

// rang records that this steward rang the bell, so we needn't react to that.
func (s *Steward) rang(ops []zk.Op, stats []zk.Stat) {
	for i, op := range ops {
		if op.Path == s.store.Tree.RunsSignal() && s.rung == (rung{stats[i].Czxid, stats[i].Version - 1}) {
			s.rung.version++
		}
	}
}

// moveDue moves due requests to the queue in order, as far as there's room. It returns when the
// next one is due. full is set if some wait for room.
func (s *Steward) moveDue(ctx context.Context, f Fleet) (next time.Time, full bool, err error) {
	now := s.store.Now()
	due, next := s.due(now)
	if len(due)+len(s.listed) > mostQueue {
		s.listed = nil // Requests may have left the queue without ringing the bell.
		if err := s.readQueue(ctx, f); err != nil {
			return next, false, err
		}
	}
	most := mostMoved
	if s.hasOtherAgents(f) {
		most = mostMovedWithJava
	}
	room := min(max(mostQueue-len(s.listed), 0), most)
	if f.Hold.Requests() { // A person's request overtakes held ones, even in the queue.
		room = most
	}
	if s.heldFor != f.Hold.What { // It holds back other requests.
		clear(s.back)
		s.heldFor = f.Hold.What
	}
	due = slices.DeleteFunc(due, func(path string) bool { return s.back[path] })
	ready := due[:min(len(due), room)]
	if err := s.setBehind(ctx, len(due) > len(ready)); err != nil {
		return next, false, err
	}
	if len(ready) == 0 {
		return next, len(due) > 0, nil
	}
	all, err := s.move(ctx, f, ready)
	if !all || len(due) > len(ready) {
		next = earliest(next, now.Add(fullQueue))
	}
	return next, false, err
}

// whenFull returns when to check again whether the queue has room. Normally we notice when a
// request leaves it, so this is for lost events. A queue may be full for hours while a shard of its
// first run is disabled.
func (s *Steward) whenFull() time.Time {
	if len(s.listed) < mostQueue { // it has got room
		s.full = 0
	}
	s.full = min(max(2*s.full, fullQueue), longFull)
	return s.store.Now().Add(s.full)
}

// move moves waiting requests to the queue, except for requests that the job's hold keeps back. It
// returns false if some have changed since we read their names. These should be checked again
// later. Checking at once could loop endlessly if an event was lost.
func (s *Steward) move(ctx context.Context, f Fleet, ready []string) (all bool, err error) {
	list, there := make([]waiting, len(ready)), make([]bool, len(ready))
	if err := nodes.Each(ctx, len(ready), func(ctx context.Context, i int) (err error) {
		list[i], there[i], err = s.read(ctx, ready[i])
		return err
	}); err != nil {
		return false, err
	}
	all = true
	var groups [][]zk.Op
	moved := make(map[string]jobtree.RunRequest, len(list)) // by the request's old path
	for i, w := range list {
		if s.unread[w.path] {
			continue
		}
		if !there[i] {
			bucket := nodes.Parent(ready[i])
			s.cache.SuspectIf(func(path string) bool { return path == bucket })
			all = false
			continue
		}
		if runs.HeldBack(f.Hold, w.request) {
			s.back[w.path] = true
			continue
		}
		moved[w.path] = w.request
		name := path.Base(w.path)
		groups = append(groups, []zk.Op{zk.DeleteOp(w.path, w.version), zk.CreateOp(s.store.Tree.RunsQueued(name), w.data, zk.Persistent)})
	}
	if len(groups) == 0 {
		return all, nil
	}
	for _, chunk := range nodes.Chunks(groups) {
		ops := slices.Concat(chunk, []zk.Op{s.store.SignalQueue()})
		stats, err := s.store.Client.MultiStats(ctx, ops...)
		if err != nil {
			s.listed = nil
			if !runs.Refused(err) {
				return false, err
			}
			all = false
			continue
		}
		s.rang(ops, stats)
		for _, op := range chunk {
			if request, leaves := moved[op.Path]; leaves {
				s.history.Queued(request)
				s.addQueued(op.Path, request)
			}
		}
	}
	return all, nil
}

func (s *Steward) addQueued(from string, r jobtree.RunRequest) {
	if s.listed == nil {
		return
	}
	name := path.Base(from)
	s.queue[name] = waiting{path: s.store.Tree.RunsQueued(name), request: r}
	if i, found := slices.BinarySearch(s.listed, name); !found {
		s.listed = slices.Insert(s.listed, i, name)
	}
}

// fullQueue is the first pause before checking for room in the queue again, and longFull is the
// longest.
const (
	fullQueue = 100 * time.Millisecond
	longFull  = 10 * time.Second
)

// due returns the due requests in order, and when the next one is due.
func (s *Steward) due(now time.Time) (due []string, next time.Time) {
	for b := range jobtree.RunBuckets {
		path := s.store.Tree.RunsBucket(b)
		for _, name := range s.cache.Get(path).Children {
			at, _, ours := jobtree.ParseRunName(name)
			if !ours || s.unread[path+"/"+name] {
				continue
			}
			if at.After(now) {
				next = earliest(next, at)
				break // Names are sorted by time.
			}
			due = append(due, path+"/"+name)
		}
	}
	slices.SortFunc(due, func(a, b string) int {
		return strings.Compare(a[strings.LastIndexByte(a, '/'):], b[strings.LastIndexByte(b, '/'):])
	})
	return due, next
}

// setBehind creates or removes the node that marks requests as waiting for room. While it exists,
// no request overtakes them.
func (s *Steward) setBehind(ctx context.Context, behind bool) error {
	if s.behind != nil && *s.behind == behind {
		return nil
	}
	path := s.store.Tree.RunsBehind()
	var err error
	if behind {
		err = nodes.New(s.store.Client, s.store.Tree, s.log).Ensure(ctx, path)
	} else {
		err = zk.Ignore(s.store.Client.Delete(ctx, path, zk.AnyVersion), zk.ErrNoNode)
	}
	if s.behind = &behind; err != nil {
		s.behind = nil
	}
	return err
}

// hasOtherAgents reports whether agents that take no runs also serve the job.
func (s *Steward) hasOtherAgents(f Fleet) bool {
	return slices.ContainsFunc(f.Instances, func(id string) bool { return !slices.Contains(s.capable, id) })
}

// workQueue drops requests that must not begin, and begins the run in which every shard takes part.
// active are the names of the records. It returns when the next request expires.
func (s *Steward) workQueue(ctx context.Context, f Fleet, active []string) (next time.Time, err error) {
	open := slices.Contains(active, "all")
	ahead := 0 // waiting requests that are not skipped
	for _, name := range slices.Clone(s.listed) {
		request := s.queue[name].request
		now := s.store.Now()
		expires := time.UnixMilli(request.Expires)
		if request.Expires != 0 && !expires.After(now) {
			if err := s.drop(ctx, name, runs.ExpiredOutcome(request, now)); err != nil {
				return next, err
			}
			continue
		}
		if request.Expires != 0 {
			next = earliest(next, expires)
		}
		skip, err := s.overlaps(ctx, f, request, ahead, active, open)
		if err != nil {
			return next, err
		}
		if skip != "" {
			if err := s.drop(ctx, name, runs.OutcomeOf(request, jobrun.Skipped, skip, now)); err != nil {
				return next, err
			}
			continue
		}
		if runs.HeldBack(f.Hold, request) {
			continue // Other requests may overtake it.
		}
		if request.Assign == jobrun.AssignEach && !open && ahead == 0 {
			var over bool
			if open, over, err = s.open(ctx, f, name); err != nil {
				return next, err
			}
			if open {
				if s.alone++; len(active) > 0 {
					s.alone = 0
				}
				active = append(active, "all")
			}
			if open || over {
				continue
			}
		}
		ahead++
	}
	return next, nil
}

func (s *Steward) drop(ctx context.Context, name string, o jobtree.RunOutcome) error {
	w := s.queue[name]
	ops, err := s.store.Drop(w.path, w.version, w.request, o)
	if err != nil {
		return err
	}
	s.Left(name)
	err = s.store.Commit(ctx, ops...)
	if err != nil {
		s.listed = nil
	}
	s.ended(o, w.request, err)
	if runs.Refused(err) {
		return nil
	}
	return err
}

// overlaps returns why a request is skipped because of other runs, or "" if it isn't. ahead is the
// number of requests before it.
func (s *Steward) overlaps(ctx context.Context, f Fleet, r jobtree.RunRequest, ahead int, active []string, open bool) (string, error) {
	policy := runs.OverlapOf(r)
	if policy == jobrun.OverlapQueue {
		return "", nil
	}
	busy, by, err := s.busy(ctx, f, r, active, open)
	if err != nil || !busy && ahead == 0 {
		return "", err
	}
	switch policy {
	case jobrun.OverlapSkip:
		if by == "" {
			return "the job is running", nil
		}
		return "the job is running (run " + by + ")", nil
	case jobrun.OverlapOne:
		if ahead > 0 {
			return "another run waits already", nil
		}
	case jobrun.OverlapCancel:
		if by != "" && ahead == 0 {
			state, err := s.store.Cancel(ctx, by, jobtree.RunCancel{By: "run " + r.ID, Reason: "the run after it has its place"})
			s.records.news = s.records.news || state == jobrun.Cancelled
			if errors.Is(err, jobrun.ErrRunEnded) || errors.Is(err, jobrun.ErrUnknownRun) {
				err = nil
			}
			return "", err
		}
	}
	return "", nil
}

// busy reports whether a run must wait for others, and the oldest of these.
func (s *Steward) busy(ctx context.Context, f Fleet, r jobtree.RunRequest, active []string, open bool) (busy bool, by string, err error) {
	if r.Assign == jobrun.AssignEach && !open {
		return s.fires(ctx, f)
	}
	if r.Assign == jobrun.AssignOne {
		slots := 0
		for _, owner := range f.Owners {
			if slices.Contains(s.capable, owner) {
				slots++
			}
		}
		if len(active) < slots || slots == 0 {
			return false, "", nil
		}
	}
	list, err := s.store.Active(ctx)
	if err != nil || len(list) == 0 {
		return false, "", err
	}
	if slices.ContainsFunc(list, func(one runs.Status) bool { return one.ID == r.ID }) {
		s.listed = nil // It has begun since the queue was read.
		return false, "", nil
	}
	oldest := slices.MinFunc(list, func(a, b runs.Status) int { return a.Began.Compare(b.Began) })
	return true, oldest.ID, nil
}

// fires reports whether a shard of the job is running for another reason.
func (s *Steward) fires(ctx context.Context, f Fleet) (bool, string, error) {
	running := make([]bool, f.Config.Shards)
	err := nodes.Each(ctx, len(running), func(ctx context.Context, n int) (err error) {
		_, running[n], err = s.store.Client.Exists(ctx, s.store.Tree.ItemRunning(n))
		return err
	})
	return slices.Contains(running, true), "", err
}
