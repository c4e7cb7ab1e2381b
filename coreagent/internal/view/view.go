package view

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// View is the part of the tree that a run needs, as last read. It's immutable.
type View struct {
	Epoch  uint64
	ID     string // instance id
	Born   int64  // the newest transaction among the instances when this one first appeared there
	Events uint64 // watch events seen before the tree was read
	Settings
	Stuck    error // why the leader can't reshard
	Enabled  bool  // our server is ENABLED
	Leader   string
	Settled  bool      // the shards are assigned and no resharding is announced
	Waiting  string    // the reason why the view isn't settled
	Shards   []Shard   // assigned to this instance
	Rotation *Rotation // nil unless the shard rotates
	Hold     jobtree.Hold
}

// Settings are the stored configuration as last read.
type Settings struct {
	Config   *jobconfig.Config  // the newest valid one, nil if there is none yet
	Schedule *quartz.Expression // nil for one-off jobs
	Zone     *time.Location
	// Version and write time of Config's node.
	ConfigVersion int32
	ConfigWritten time.Time
	Broken        error // why the stored configuration is invalid
}

// Patience limits a control step, with extra time for jobs with thousands of shards.
func (v *View) Patience() time.Duration {
	if v == nil || v.Config == nil {
		return nodes.StepTimeout
	}
	return nodes.StepTimeout + time.Duration(v.Config.Shards)*2*time.Millisecond
}

// Shard is one assigned shard.
type Shard struct {
	Number   int
	Token    int64     // transaction that assigned it, or View.Born; grows with each change of owner
	Version  int32     // of the owner's node; AnyVersion while the shard rotates
	Least    int64     // a run's fencing token is at least this
	Since    time.Time // when this instance learned of that transaction
	Disabled bool
	Enabled  time.Time // when it was last enabled, if it was disabled before
	Taken    bool      // another instance runs it as a failover
	Misfired bool      // a fire time was missed and must be made up for
	// Fired is the newest fire time that was completed before the shard came here.
	Fired time.Time
}

// HasFired reports whether the shard's previous owner has completed a fire time that comes only now
// here, because our clock is behind.
func (s Shard) HasFired(at, now time.Time) bool {
	return !at.After(s.Fired) && firetime.Believable(s.Fired, now)
}

// Runnable reports whether a regular run includes the shard.
func (s Shard) Runnable() bool { return !s.Disabled && !s.Taken }

// Numbers returns the numbers of the shards.
func Numbers(shards []Shard) []int {
	numbers := make([]int, len(shards))
	for i, s := range shards {
		numbers[i] = s.Number
	}
	return numbers
}

// EnabledShards returns the numbers of the shards that run at each fire time.
func (v *View) EnabledShards() []int {
	var shards []int
	if v != nil {
		for _, s := range v.Shards {
			if !s.Disabled {
				shards = append(shards, s.Number)
			}
		}
	}
	return shards
}

// TokenOf returns the fencing token of a shard of ours, or 0 if it isn't ours.
func (v *View) TokenOf(n int) int64 {
	for _, s := range v.Shards {
		if s.Number == n {
			return s.Token
		}
	}
	return 0
}

// SwitchedOff reports whether an operator has disabled a shard or its server.
func (v *View) SwitchedOff(n int) bool {
	return v != nil && (!v.Enabled || slices.ContainsFunc(v.Shards, func(s Shard) bool { return s.Number == n && s.Disabled }))
}

// MisfireDue reports whether a missed fire time can be made up for now.
func (s Shard) MisfireDue() bool { return s.Runnable() && s.Misfired }

// tenure is the token under which this instance holds a shard, and when it learned of it. If
// another instance has run the shard since, the token is different.
type tenure struct {
	shard int
	token int64
	since time.Time
}

// Tenures are the tenures of our shards, sorted by number. Most jobs have one, and a map would take
// eight times the memory.
type Tenures []tenure

func (t Tenures) find(shard int) (at int, found bool) {
	return slices.BinarySearchFunc(t, shard, func(one tenure, shard int) int { return cmp.Compare(one.shard, shard) })
}

// Since returns when this instance learned, by its own clock, that it holds a shard under a token.
func (t *Tenures) Since(shard int, token int64, now time.Time) time.Time {
	at, found := t.find(shard)
	if !found {
		*t = slices.Insert(*t, at, tenure{shard, token, now})
	}
	one := &(*t)[at]
	if one.token != token {
		one.token, one.since = token, now
	}
	return one.since
}

func (t *Tenures) End(shard int) {
	if at, found := t.find(shard); found {
		*t = slices.Delete(*t, at, at+1)
	}
}

// Latest holds the newest view of a job. Its methods are safe for concurrent use, even with other
// locks held.
type Latest struct {
	mu      sync.Mutex
	view    *View
	changed chan struct{}
	own     []int // enabled shards of the last settled view
	coming  []int // our shards as read while no view is settled
}

func NewLatest() *Latest { return &Latest{changed: make(chan struct{})} }

// Get returns the newest view, or nil before the first one, and a channel that is closed when the
// view, the session or the state of the job changes.
func (l *Latest) Get() (*View, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.view, l.changed
}

// Publish replaces the view. coming are our shards while the view isn't settled.
func (l *Latest) Publish(v *View, coming []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.view = v; v.Settled {
		l.own = v.EnabledShards()
	}
	l.coming = coming
	l.signal()
}

// Shards returns the shards of ours that would run now.
func (l *Latest) Shards() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(l.own, l.coming)
}

// Missing returns the Shards that aren't in shards. It's nearly always empty, and a thousand jobs
// call it at the same moment.
func (l *Latest) Missing(shards []int) (missing []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, list := range [][]int{l.own, l.coming} {
		for _, n := range list {
			if !slices.Contains(shards, n) {
				missing = append(missing, n)
			}
		}
	}
	return missing
}

// Signal closes the channel of Get, because the session or the state of the job has changed.
func (l *Latest) Signal() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.signal()
}

func (l *Latest) signal() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Identity is the id of this instance. It changes if another living instance uses it.
type Identity struct{ id atomic.Pointer[string] }

func NewIdentity(id string) *Identity {
	i := new(Identity)
	i.Rename(id)
	return i
}

func (i *Identity) ID() string { return *i.id.Load() }

func (i *Identity) Rename(id string) { i.id.Store(&id) }

// Rotates reports whether the job's only shard rotates.
func Rotates(c *jobconfig.Config) bool {
	return c != nil && sharding.Rotates(c.Shards, c.StrategyType)
}

// Rotation is the turn of a rotating shard.
type Rotation struct {
	Next      Stamp              // of the node that names the next address
	Owner     int64              // transaction that assigned the shard
	Record    Stamp              // of the shard's fire record
	Last      jobtree.FireRecord // its content
	Successor string             // address to name after our run; "" to leave the node
	Ours      bool               // every instance keeps records, so the record is complete
	Named     time.Time          // when Next was created
}

// Stamp identifies a state of a watched node.
type Stamp struct {
	Exists  bool
	Czxid   int64
	Version int32
}

func StampOf(n recipe.Node) Stamp { return Stamp{n.Exists, n.Stat.Czxid, n.Stat.Version} }

// Turn is the node with the next address, and when this instance first saw it.
type Turn struct {
	czxid int64
	seen  time.Time
}

// Named returns when the node with the next address was created, by our clock or by ZooKeeper's,
// whichever is earlier.
func (t *Turn) Named(next recipe.Node, now time.Time) time.Time {
	if !next.Exists {
		return time.Time{}
	}
	if t.czxid != next.Stat.Czxid {
		*t = Turn{next.Stat.Czxid, now}
	}
	if next.Stat.Ctime.Before(t.seen) {
		return next.Stat.Ctime
	}
	return t.seen
}
