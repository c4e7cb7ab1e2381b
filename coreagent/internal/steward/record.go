package steward

import (
	"context"
	"path"
	"slices"
	"sort"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

const (
	// lookBack is how long before a doubt ends are recorded again. It's longer than a recorder
	// takes to collect a batch, a short outage of the database, and a session timeout.
	lookBack = 10 * time.Minute
	// mostRecorded is how many ends one step reads, so that recording them again doesn't crowd out
	// new events in the recorder.
	mostRecorded = 100
	// mostBegun is how many waiting runs are read to find the runs between two attempts.
	mostBegun = 1000
)

// records is the memory of a term about recorded ends. Each instance records the ends that it
// wrote. The steward records them again if the instance may have died before doing so. It also
// records the ends that a console wrote.
type records struct {
	agents  zk.Stat         // of the agents' parent node, as last read
	cancels uint64          // the state of the cancels node when the outcomes were last listed
	news    bool            // this steward has cancelled a run since
	seen    map[string]bool // the names of listed outcomes; nil before the first time
	doubt   time.Time       // ends from lookBack before it may be unrecorded; zero if there's no doubt
	unread  []unreadEnd     // newest first
	again   time.Time       // when ends were last recorded again; this instance may die before they're stored
}

type unreadEnd struct {
	name    string
	again   bool // in doubt, so it's recorded in any state
	counted bool // the metrics or an earlier term have counted it
}

// doubtEnds makes the steward record the ends from before the last step again.
func (s *Steward) doubtEnds() {
	at := s.store.Now()
	if !s.last.IsZero() && s.last.Before(at) {
		at = s.last // There may have been an outage in between.
	}
	if s.records.doubt.IsZero() || at.Before(s.records.doubt) {
		s.records.doubt = at
	}
}

// noteAgents doubts the ends if an agent has left since the last call.
func (s *Steward) noteAgents(ctx context.Context) error {
	if !s.history.Keeps() {
		return nil
	}
	stat, _, err := s.store.Client.Exists(ctx, s.store.Tree.Agents())
	if err != nil {
		return err
	}
	if old := s.records.agents; stat.Czxid != old.Czxid || left(old, stat) > 0 {
		s.doubtEnds()
	}
	s.records.agents = stat
	return nil
}

// recordEnds records the ends of runs that a console has cancelled, and in case of doubt all ends
// that a dead instance may have left unrecorded. It returns when to call it again; zero means
// never.
func (s *Steward) recordEnds(ctx context.Context) (time.Time, error) {
	r := &s.records
	rung := s.cache.Get(s.store.Tree.RunsCancels()).Seen
	if !s.history.Keeps() {
		return time.Time{}, nil
	}
	if r.news || r.cancels != rung || !r.doubt.IsZero() {
		if err := s.recordBegun(ctx); err != nil {
			return time.Time{}, err
		}
		if err := s.listEnds(ctx); err != nil {
			return time.Time{}, err
		}
		r.news, r.cancels, r.doubt = false, rung, time.Time{}
	}
	part := r.unread[:min(len(r.unread), mostRecorded)]
	outcomes := make([]jobtree.RunOutcome, len(part))
	if err := nodes.Each(ctx, len(part), func(ctx context.Context, i int) error {
		data, _, err := s.store.Client.Get(ctx, s.store.Tree.RunsDone()+"/"+part[i].name)
		if err == nil {
			outcomes[i], _ = jobtree.DecodeRunOutcome(data) // An unreadable outcome has no ID.
		}
		return zk.Ignore(err, zk.ErrNoNode)
	}); err != nil {
		return time.Time{}, err
	}
	for i, o := range outcomes {
		cancelled := o.State == jobrun.Cancelled
		if part[i].again {
			r.again = s.store.Now()
		}
		switch {
		case o.ID == "" || !cancelled && !part[i].again:
		case !part[i].counted && (cancelled || o.Waited):
			s.history.Ended(o, jobtree.RunRequest{})
		default:
			s.history.Uncounted().Ended(o, jobtree.RunRequest{})
		}
	}
	if r.unread = r.unread[len(part):]; len(r.unread) > 0 {
		return s.store.Now().Add(pruneEvery), nil
	}
	return time.Time{}, nil
}

// recordBegun records, in case of doubt, the runs that wait between two attempts.
func (s *Steward) recordBegun(ctx context.Context) error {
	again := s.history.Uncounted()
	if again == nil || s.records.doubt.IsZero() {
		return nil
	}
	begun, err := s.store.Begun(ctx, mostBegun)
	for _, request := range begun {
		again.Waits(request)
	}
	return err
}

// listEnds finds the outcomes to read: all of them when the term begins, because several stewards
// may have died in a row, then new ones, and in case of doubt all within lookBack.
func (s *Steward) listEnds(ctx context.Context) error {
	r := &s.records
	names, err := s.store.Children(ctx, s.store.Tree.RunsDone())
	if err != nil {
		return err
	}
	first, doubt, since := r.seen == nil, !r.doubt.IsZero(), r.doubt.Add(-lookBack)
	unread, seen := make(map[string]unreadEnd, len(r.unread)), make(map[string]bool, len(names))
	for _, u := range r.unread {
		unread[u.name] = u
	}
	r.unread = nil
	for _, name := range slices.Backward(names) {
		ended, _, ours := jobtree.ParseRunEnded(name)
		if !ours {
			continue
		}
		u, pending := unread[name]
		if !pending {
			u = unreadEnd{name: name, counted: first || r.seen[name]}
		}
		u.again = u.again || first || doubt && !ended.Before(since)
		if pending || u.again || !r.seen[name] {
			r.unread = append(r.unread, u)
		}
		seen[name] = true
	}
	r.seen = seen
	return nil
}

// ended records the result of a transaction that ends a run that never began. The outcomes must be
// read again, because nothing counts this one.
func (s *Steward) ended(o jobtree.RunOutcome, r jobtree.RunRequest, err error) {
	s.outcomes = -1
	if err == nil {
		s.history.Ended(o, r)
		if s.records.seen != nil {
			s.records.seen[path.Base(s.store.Tree.RunsEnded(time.UnixMilli(o.Ended), o.ID))] = true
		}
	}
	s.unanswered(err)
}

func (s *Steward) unanswered(err error) {
	if err != nil && !runs.Refused(err) {
		s.doubtEnds()
	}
}

// Waiting counts the waiting runs of a job.
type Waiting struct {
	Scheduled int // until their time
	Queued    int // due
	// Oldest is when the first queued run was due, in Unix milliseconds; 0 if there is none.
	Oldest int64
}

// Waiting returns the counts of the last step. They're zero if this instance isn't the steward, so
// that the sum over a fleet is right.
func (s *Steward) Waiting() Waiting {
	if !s.works {
		return Waiting{}
	}
	var w Waiting
	now := s.store.Now()
	count := func(names []string) {
		// Names are sorted by time.
		later := sort.Search(len(names), func(i int) bool {
			at, _, ours := jobtree.ParseRunName(names[i])
			return ours && at.After(now)
		})
		w.Scheduled, w.Queued = w.Scheduled+len(names)-later, w.Queued+later
		if later == 0 {
			return
		}
		if at, _, ours := jobtree.ParseRunName(names[0]); ours && (w.Oldest == 0 || at.UnixMilli() < w.Oldest) {
			w.Oldest = at.UnixMilli()
		}
	}
	count(s.listed)
	for b := range jobtree.RunBuckets {
		count(s.cache.Get(s.store.Tree.RunsBucket(b)).Children)
	}
	return w
}
