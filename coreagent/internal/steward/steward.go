package steward

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Fleet holds what an agent knows of its job at a step.
type Fleet struct {
	ID        string // of this instance
	Config    *jobconfig.Config
	Settings  runs.Settings
	Enabled   bool     // the server of this instance is enabled
	Instances []string // the live ones
	Owners    []string // of each shard; nil if unknown
	Hold      jobtree.Hold
	// Outdated reports whether Hold may be older than the requests that were read.
	Outdated func() bool
	// Changed is set if the instances, the configuration or the assignment have changed, or if
	// events may have been lost. Then everything should be checked.
	Changed bool
}

// Steward is an agent's part in the requested runs of one job. Only one goroutine may use it.
type Steward struct {
	store runs.Store
	cache *recipe.Cache
	log   *slog.Logger

	history *runhistory.Job

	works bool // this instance is the steward under the current session

	// The memory of a term, so we don't read anything twice.
	all      bool     // everything should be checked
	capable  []string // instances with agents that take runs
	rung     rung     // the bell when the queue was read
	listed   []string // the queue at that time; nil if it must be read
	fresh    bool     // listed was read in this step
	queue    map[string]waiting
	opened   *Opened         // in this step
	back     map[string]bool // waiting requests that the job's hold keeps back
	heldFor  jobrun.Held     // the scope of that hold
	mu       sync.Mutex      // guards unread during parallel reads
	unread   map[string]bool // unreadable waiting requests
	behind   *bool           // whether the node RunsBehind exists; nil if unknown
	claimed  uint64          // the state of the records when the queue was read
	seen     seen            // read together with a request in this step
	full     time.Duration   // the last pause for room in the queue
	alone    int             // how many runs in a row this steward has opened since it found no record
	outcomes int             // their number when read; -1 if they must be read
	counted  marks           // at that time
	records  records

	last          time.Time // when the last step was done
	fewLive       int       // the current backfill gets more runs when only this many are left
	fed           time.Time // when it last got runs; zero if this term hasn't checked yet
	pruned, swept time.Time
	spared        time.Time // when the next outcome may be removed; zero if none must be
}

// New returns the steward of a job. cache is for nodes below [jobtree.Job.Runs], and notifies its
// owner of changes.
func New(store runs.Store, cache *recipe.Cache, history *runhistory.Job, log *slog.Logger) *Steward {
	s := &Steward{store: store, cache: cache, history: history, log: log}
	cache.Watch(store.Tree.RunsSteward())
	return s
}

// EndTerm drops all state because the session was lost.
func (s *Steward) EndTerm() { s.works = false }

// rung is a state of the bell.
type rung struct {
	czxid   int64
	version int32
}

func rungAt(stat zk.Stat) rung { return rung{stat.Czxid, stat.Version} }

// before reports whether the bell may have been rung since.
func (r rung) before(other rung) bool { return r.czxid != other.czxid || r.version-other.version < 0 }

// Step does the work needed before runs can begin, if this instance is or becomes the steward. It
// returns when the next work is due at the latest; zero means none.
func (s *Steward) Step(ctx context.Context, f Fleet) (next time.Time, err error) {
	s.fresh, s.opened, s.seen = false, nil, seen{}
	defer func() {
		if err == nil {
			s.last = s.store.Now()
		}
	}()
	if elected, err := s.elect(ctx, f); err != nil || !elected {
		return time.Time{}, err
	}
	s.all = s.all || f.Changed
	if s.all {
		if err := s.lookAtAll(ctx, f); err != nil {
			return time.Time{}, err
		}
		s.all = false
	}
	if err := s.Refresh(ctx, f); err != nil {
		return time.Time{}, err
	}
	if err := s.readQueue(ctx, f); err != nil {
		return time.Time{}, err
	}
	wake, full, err := s.moveDue(ctx, f)
	if err != nil {
		return time.Time{}, err
	}
	if err := s.readQueue(ctx, f); err != nil {
		return time.Time{}, err
	}
	active, err := s.refreshRecords(ctx)
	if err != nil {
		return time.Time{}, err
	}
	until, err := s.workQueue(ctx, f, active)
	if err != nil {
		return time.Time{}, err
	}
	again, err := s.feed(ctx)
	if !full {
		s.full = 0
		return earliest(wake, until, again), err
	}
	return earliest(wake, until, again, s.whenFull()), err
}

// elect makes this instance the steward if there is none, and reports whether it is the steward.
func (s *Steward) elect(ctx context.Context, f Fleet) (bool, error) {
	path := s.store.Tree.RunsSteward()
	if err := s.cache.RefreshIf(ctx, func(p string) bool { return p == path }); err != nil {
		return false, err
	}
	node := s.cache.Get(path)
	if !node.Exists {
		err := s.store.Client.Multi(ctx, zk.CheckOp(s.store.Tree.Instance(f.ID), zk.AnyVersion), zk.CreateOp(path, []byte(f.ID), zk.Ephemeral))
		if runs.Refused(err) {
			s.cache.Suspect() // Another instance was faster, or we lost an event.
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if err := s.cache.RefreshIf(ctx, func(p string) bool { return p == path }); err != nil {
			return false, err
		}
		node = s.cache.Get(path)
	}
	mine := node.Exists && node.Stat.EphemeralOwner == s.store.Client.Session().ID
	if mine && !s.works {
		s.begin()
	}
	if !mine && s.works {
		s.endDuties()
	}
	return mine, nil
}

func (s *Steward) begin() {
	s.works, s.all, s.listed, s.queue, s.behind, s.outcomes = true, true, nil, nil, nil, -1
	s.records, s.alone = records{}, 0
	s.doubtEnds() // The previous steward may have died.
	s.back, s.unread, s.fed = make(map[string]bool), make(map[string]bool), time.Time{}
	s.cache.Watch(s.store.Tree.RunsBackfills())
	s.cache.WatchChildren(s.store.Tree.RunsActive())
	for b := range jobtree.RunBuckets {
		s.cache.WatchChildren(s.store.Tree.RunsBucket(b))
	}
}

func (s *Steward) endDuties() {
	s.EndTerm()
	s.cache.Forget(s.store.Tree.RunsBackfills())
	s.cache.Forget(s.store.Tree.RunsActive())
	for b := range jobtree.RunBuckets {
		s.cache.Forget(s.store.Tree.RunsBucket(b))
	}
}

// lookAtAll checks every record: whether the instances that claimed its shards are alive, and
// whether the job still has these shards.
func (s *Steward) lookAtAll(ctx context.Context, f Fleet) error {
	if err := s.noteAgents(ctx); err != nil {
		return err
	}
	var err error
	if s.capable, err = s.store.Capable(ctx); err != nil {
		return err
	}
	names, err := s.store.Children(ctx, s.store.Tree.RunsActive())
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.judge(ctx, f, s.store.Tree.RunsActive()+"/"+name); err != nil {
			return err
		}
	}
	return nil
}

// judge removes the shards of lost claims from a record, and shards that the job no longer has.
func (s *Steward) judge(ctx context.Context, f Fleet, path string) error {
	for {
		data, stat, err := s.store.Client.Get(ctx, path)
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		record, err := jobtree.DecodeRunRecord(data)
		if err != nil {
			s.log.WarnContext(ctx, "ignored an unreadable run record", "path", path, "err", err)
			return nil
		}
		now := s.store.Now()
		lost, err := s.lost(ctx, record)
		if err != nil {
			return err
		}
		var next runs.Next
		switch {
		case len(lost) > 0:
			next = runs.Lose(record, lost, f.Settings.LostFails, now)
			s.log.InfoContext(ctx, "instances lost their session during a run", "run", record.ID, "shards", lost)
		case record.Assign == jobrun.AssignEach && record.Total != f.Config.Shards && len(record.Waiting) > 0:
			next = runs.Shrink(record, f.Config.Shards, now)
		default:
			return nil
		}
		ops, err := s.store.WriteAndSignal(path, stat.Version, next)
		if err != nil {
			return err
		}
		if err := s.store.Commit(ctx, ops...); !runs.Refused(err) {
			if s.unanswered(err); err == nil {
				s.history.Lost(record, lost)
				s.history.Became(record, next)
			}
			return err
		}
		if err := nodes.BackOff(ctx, len(f.Instances)); err != nil {
			return err
		}
	}
}

// lost returns the shards of claims with an ended session: neither the instance's node nor its
// agent's node belongs to it. Sessions never return, so this is final.
func (s *Steward) lost(ctx context.Context, record jobtree.RunRecord) ([]int, error) {
	alive := make(map[jobtree.RunClaim]bool)
	var lost []int
	for shard, claim := range record.Claims {
		holder := jobtree.RunClaim{Instance: claim.Instance, Session: claim.Session}
		lives, known := alive[holder]
		if !known {
			if jobtree.ValidateInstanceID(claim.Instance) == nil {
				for _, path := range []string{s.store.Tree.Agent(claim.Instance), s.store.Tree.Instance(claim.Instance)} {
					stat, exists, err := s.store.Client.Exists(ctx, path)
					if err != nil {
						return nil, err
					}
					lives = lives || exists && SessionName(stat.EphemeralOwner) == claim.Session
				}
			}
			alive[holder] = lives
		}
		if !lives {
			lost = append(lost, shard)
		}
	}
	slices.Sort(lost)
	return lost, nil
}

// SessionName formats a session id for records.
func SessionName(id int64) string { return strconv.FormatUint(uint64(id), 16) }

func earliest(times ...time.Time) time.Time {
	var first time.Time
	for _, t := range times {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}
