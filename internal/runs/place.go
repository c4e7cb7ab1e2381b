package runs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Bounds of one transaction that places many requests.
const (
	maxBatch         = 100
	maxBatchBytes    = 256 << 10
	maxBatchWithJava = 20 // Java agents read the whole job again after each change
)

type submission struct {
	Store
	now time.Time // time of the call
	// full is set once a due request had to wait in a bucket. Later ones must not overtake it, so
	// they go to buckets too.
	full bool
	dues map[string]time.Time // of runs that already existed, by id
}

func (s Store) submission(now time.Time) *submission {
	return &submission{Store: s, now: now, dues: make(map[string]time.Time)}
}

// transaction places requests. It has a ticket for each, even for runs that already exist.
type transaction struct {
	ops     []zk.Op
	tickets []jobrun.Ticket
	keys    []string
	last    string // id of the last placed run, or empty
}

// placeSome places as many of the first requests as fit into one transaction. asked has the tickets
// for new runs. It retries until ctx ends.
func (s *submission) placeSome(ctx context.Context, list []jobrun.Request, asked []jobrun.Ticket) ([]jobrun.Ticket, error) {
	var held map[string]holder  // of keys in use
	var unanswered *transaction // may have been applied
	try := func() ([]jobrun.Ticket, error) {
		if unanswered != nil { // Either all of its runs exist or none, so look for the last.
			if _, found, err := s.find(ctx, unanswered.last); err != nil || found {
				return unanswered.tickets, err
			}
		}
		t, err := s.plan(ctx, list, asked, held)
		if err == nil && t.last != "" {
			err = s.Client.Multi(ctx, t.ops...)
		}
		refused := (*zk.MultiError)(nil)
		switch {
		case err == nil:
			return t.tickets, nil
		case !errors.As(err, &refused):
			if t.last != "" {
				unanswered = &t
			}
			return nil, err
		case errors.Is(err, zk.ErrNodeExists) && strings.HasPrefix(refused.Op.Path, s.Tree.RunsKeys()+"/"):
			held, err = s.holders(ctx, t.keys)
			return nil, err
		case errors.Is(err, zk.ErrNodeExists) && unanswered != nil:
			return unanswered.tickets, nil
		case errors.Is(err, zk.ErrNoNode):
			return nil, s.prepare(ctx, refused.Op.Path)
		case errors.Is(err, zk.ErrBadVersion):
			return nil, nil
		}
		return nil, err
	}
	for {
		tickets, err := try()
		if err == nil && tickets != nil || err != nil && !zk.Retriable(err) {
			return tickets, err
		}
		if err := s.pause(ctx, err); err != nil {
			return nil, fmt.Errorf("run %s: %w", asked[0].ID, err)
		}
	}
}

// plan returns the transaction for the first of the requests. It leaves out the first refused
// request and all later ones. If the very first is refused, it returns the error.
func (s *submission) plan(ctx context.Context, list []jobrun.Request, asked []jobrun.Ticket, held map[string]holder) (t transaction, err error) {
	at, err := s.look(ctx, list[0])
	if err != nil {
		return t, err
	}
	most := maxBatch
	if at.withJava {
		most = maxBatchWithJava
	}
	held = maps.Clone(held)
	if held == nil {
		held = make(map[string]holder)
	}
	var places []place
	size := 0
	for i, r := range list[:min(len(list), most)] {
		if at.withJava && !slices.Equal(r.Shards, list[0].Shards) {
			break // look has read only the owners of the first request's shards.
		}
		r.Params = runparams.Canonical(r.Params) // Repetitions with the same key are compared.
		var p place
		if p, err = s.place(&at, r, asked[i], held); err != nil {
			break
		}
		for _, op := range p.ops {
			size += op.Size()
		}
		if i > 0 && size > maxBatchBytes {
			break
		}
		places = append(places, p)
	}
	if len(places) == 0 {
		return t, err
	}
	room, err := s.roomIn(ctx, places)
	if err != nil {
		return t, err
	}
	t.ops = []zk.Op{zk.CheckOp(s.Tree.Config(), zk.AnyVersion)}
	var queued []string
	for _, p := range places {
		if full := slices.IndexFunc(p.folders, func(f folder) bool { return room[f.path] == 0 }); full >= 0 {
			if len(t.tickets) == 0 {
				return t, &refusal{jobrun.ErrQueueFull, p.folders[full].full}
			}
			break
		}
		for _, f := range p.folders {
			room[f.path]--
		}
		t.ops, t.tickets = append(t.ops, p.ops...), append(t.tickets, p.ticket)
		if p.key != "" {
			t.keys = append(t.keys, p.key)
		}
		if p.queued != "" {
			queued = append(queued, p.queued)
		}
		if len(p.ops) > 0 {
			t.last = p.ticket.ID
		}
	}
	if len(queued) > 0 {
		t.ops = append(t.ops, s.SignalQueue(queued...))
	}
	return t, nil
}

// place is one request's part of a transaction. If its run exists, it's only a ticket.
type place struct {
	ops     []zk.Op
	ticket  jobrun.Ticket
	key     string
	queued  string // name in the queue; empty if it waits in a bucket
	folders []folder
}

// folder is a list of children that a request adds to.
type folder struct {
	path string
	most int
	full string // the error if it's full
}

// place decides the folder of a request. It updates at and held for later requests.
func (s *submission) place(at *jobState, r jobrun.Request, t jobrun.Ticket, held map[string]holder) (p place, err error) {
	if err := at.check(r); err != nil {
		return p, err
	}
	p.key = r.Key
	if h, found := held[r.Key]; found && r.Key != "" {
		if h.Hash != hashOf(r.Params) {
			return p, refuse(jobrun.ErrKeyInUse, "the key %q belongs to run %s, which has other parameters", r.Key, h.ID)
		}
		p.ticket = jobrun.Ticket{ID: h.ID, Due: h.due, Repeated: h.ID != t.ID}
		return p, nil
	}
	data, err := encode(r, *at, t, s.now).Encode()
	if err != nil {
		return p, fmt.Errorf("the request cannot be encoded: %w", err)
	}
	if p.ticket = t; at.noInstances {
		p.ticket.Wait = jobrun.WaitNoProcess
	}
	name := jobtree.RunName(t.Due, t.ID)
	due := !t.Due.After(s.now)
	if due && !s.full && !at.behind && at.queued < maxQueue {
		at.queued++
		p.queued = name
		p.ops = append(p.ops, zk.CreateOp(s.Tree.RunsQueued(name), data, zk.Persistent))
	} else {
		s.full = s.full || due
		into := s.bucket(*at, jobtree.RunBucket(t.ID, len(r.Params)))
		p.folders = append(p.folders, into)
		p.ops = append(p.ops, zk.CreateOp(into.path+"/"+name, data, zk.Persistent))
	}
	if r.Key != "" {
		h := holder{jobtree.RunKey{ID: t.ID, Hash: hashOf(r.Params)}, t.Due}
		key, err := h.Encode()
		if err != nil {
			return p, err
		}
		held[r.Key] = h
		path := s.Tree.RunsKey(r.Key)
		p.folders = append(p.folders, folder{parent(path), maxKeys, fmt.Sprintf("job %q remembers too many keys", s.Tree.Name())})
		p.ops = append(p.ops, zk.CreateOp(path, key, zk.Persistent))
	}
	return p, nil
}

// bucket returns a folder of waiting requests.
func (s Store) bucket(at jobState, n int) folder {
	most, about := maxBucket, 10000
	if at.withJava { // Java agents keep the whole job in memory.
		most, about = maxBucket/10, 1000
	}
	f := folder{s.Tree.RunsBucket(n), most, fmt.Sprintf("job %q has no room for another waiting run; about %d wait", s.Tree.Name(), about)}
	if n >= jobtree.RunBuckets/2 {
		f.most = maxLarge
		f.full = fmt.Sprintf("job %q has no room for another run with more than %d bytes of parameters", s.Tree.Name(), jobtree.RunLarge)
	}
	return f
}

// roomIn returns each folder's remaining room, and creates missing folders.
func (s Store) roomIn(ctx context.Context, places []place) (map[string]int, error) {
	most := make(map[string]int)
	for _, p := range places {
		for _, f := range p.folders {
			most[f.path] = f.most
		}
	}
	paths := slices.Sorted(maps.Keys(most))
	room := make([]int, len(paths))
	err := each(ctx, len(paths), func(ctx context.Context, i int) error {
		stat, exists, err := s.Client.Exists(ctx, paths[i])
		room[i] = max(most[paths[i]]-int(stat.NumChildren), 0)
		if err == nil && !exists {
			err = s.prepare(ctx, paths[i]+"/")
		}
		return err
	})
	for i, path := range paths {
		most[path] = room[i]
	}
	return most, err
}

type holder struct {
	jobtree.RunKey
	due time.Time
}

// holders reads the runs of keys. It removes expired keys.
func (s *submission) holders(ctx context.Context, keys []string) (map[string]holder, error) {
	type kept struct {
		key string
		holder
	}
	list, err := gather(ctx, len(keys), func(ctx context.Context, i int) (kept, bool, error) {
		path := s.Tree.RunsKey(keys[i])
		data, stat, err := s.get(ctx, path)
		if err != nil || stat.Czxid == 0 {
			return kept{}, false, err
		}
		key, err := jobtree.DecodeRunKey(data)
		if err != nil || key.Until != 0 && !s.Now().Before(time.UnixMilli(key.Until)) {
			err := s.Client.Delete(ctx, path, stat.Version)
			return kept{}, false, zk.Ignore(err, zk.ErrNoNode, zk.ErrBadVersion)
		}
		return kept{keys[i], holder{key, s.now}}, true, nil
	})
	var ids []string
	for _, k := range list {
		ids = append(ids, k.ID)
	}
	if err == nil {
		err = s.readDues(ctx, ids)
	}
	held := make(map[string]holder)
	for _, k := range list {
		if due, known := s.dues[k.ID]; known {
			k.due = due
		}
		held[k.key] = k.holder
	}
	return held, err
}

// readDues reads the due times of runs, except for known ones and runs that ended long ago.
func (s *submission) readDues(ctx context.Context, ids []string) error {
	ids = slices.DeleteFunc(ids, func(id string) bool { _, known := s.dues[id]; return known })
	switch len(ids) {
	case 0:
		return nil
	case 1:
		run, found, err := s.find(ctx, ids[0])
		if found {
			s.dues[run.ID] = run.Due
		}
		return err
	}
	waiting, err := s.waitingPaths(ctx) // First, because runs move on from there.
	if err != nil {
		return err
	}
	for _, path := range waiting {
		due, id, _ := jobtree.ParseRunName(base(path))
		s.dues[id] = due
	}
	active, err := s.Active(ctx)
	if err != nil {
		return err
	}
	paths, err := s.below(ctx, s.Tree.RunsDone())
	if err != nil {
		return err
	}
	ended, err := s.all(ctx, slices.DeleteFunc(paths, func(path string) bool {
		_, id, ours := jobtree.ParseRunEnded(base(path))
		return !ours || !slices.Contains(ids, id)
	}))
	for _, run := range append(active, ended...) {
		s.dues[run.ID] = run.Due
	}
	return err
}
