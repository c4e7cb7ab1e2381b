package engine

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// view is what the tree said when it was last read, as far as a run needs it.
// It is immutable.
type view struct {
	epoch    uint64
	id       string // instance id
	born     int64  // see control
	events   uint64 // watch events seen before the tree was read
	config   *jobconfig.Config
	schedule *quartz.Expression // nil for one-off jobs
	zone     *time.Location
	// configVersion and configWritten are those of the node of config.
	configVersion int32
	configWritten time.Time
	broken        error // why the stored configuration cannot be served
	stuck         error // why the leader cannot shard
	enabled       bool  // the own server is ENABLED
	leader        string
	settled       bool      // the shards are assigned and no resharding is announced
	waiting       string    // what an unsettled view waits for
	shards        []shard   // those assigned to this instance
	rotation      *rotation // of a job whose shard rotates, nil for others
	hold          jobtree.Hold
}

// item is one assigned shard.
type shard struct {
	number   int
	token    int64     // transaction that assigned it, or born: grows with each change of owner
	version  int32     // of the node that says so; any, while the shard rotates
	least    int64     // a run's fencing token is at least this
	since    time.Time // when this instance came to know of that transaction
	disabled bool
	enabled  time.Time // when it was enabled, if it was disabled before
	taken    bool      // another instance runs it as a failover
	misfired bool      // a fire time was missed and is to be made up for
	// fired is the newest fire time that was completed before the shard came here.
	fired time.Time
	// claimed is the session epoch in which a failover shard was claimed.
	claimed uint64
	// reserved is set if the shard was marked running by the claim itself: it
	// holds the shard until a batch does.
	reserved *batch
	due      jobtree.Due // of a failover shard: what its interrupted run was due for
	begun    bool        // of a failover shard: its record named that run when it was claimed
}

// runnable reports whether a regular run includes the shard.
func (s shard) runnable() bool { return !s.disabled && !s.taken }

// enabledShards are the numbers of a view's shards that are to run at each fire time.
func (v *view) enabledShards() []int {
	var shards []int
	if v != nil {
		for _, s := range v.shards {
			if !s.disabled {
				shards = append(shards, s.number)
			}
		}
	}
	return shards
}

// tokenOf is the fencing token of an own shard, 0 if the shard isn't this instance's.
func (v *view) tokenOf(n int) int64 {
	for _, s := range v.shards {
		if s.number == n {
			return s.token
		}
	}
	return 0
}

// switchedOff reports whether an operator does not want a shard to run here.
func (v *view) switchedOff(n int) bool {
	return v != nil && (!v.enabled || slices.ContainsFunc(v.shards, func(s shard) bool { return s.number == n && s.disabled }))
}

// misfireDue reports whether a missed fire time can be made up for now.
func (s shard) misfireDue() bool { return s.runnable() && s.misfired }

func (j *Job) buildView(epoch, events uint64) *view {
	c := &j.control
	v := &view{
		epoch: epoch, id: j.id, born: c.born, events: events, config: c.config, schedule: c.schedule, zone: c.zone, broken: c.broken,
		enabled: string(j.cache.Get(j.tree.Server(j.env.IP)).Data) == jobtree.ServerEnabled,
		leader:  string(j.cache.Get(j.tree.LeaderInstance()).Data),
		stuck:   j.resharding.Stuck(),

		configVersion: c.configVersion, configWritten: c.configWritten, hold: j.requested.held(),
	}
	why, busy := j.cache.flagged()
	switch {
	case busy:
		v.waiting = why
		if v.leader != "" {
			v.waiting = strings.TrimSpace(why + " " + v.leader)
		}
		return v
	case c.assigned == nil || c.config == nil || len(c.assigned) != c.config.Shards:
		v.waiting = "the shards are not assigned yet"
		return v
	case c.seen != j.cache.flagChanges():
		// They changed hands while they were read; the event of that has asked
		// for the next step. A trigger seen in this one would find no shards.
		v.waiting = "the shards were assigned anew a moment ago"
		return v
	case slices.Contains(c.assigned, ""):
		// A Java leader announces a resharding some time after what calls for
		// it. A run that came in between would find nothing to do and be over.
		v.waiting = "a shard has no owner yet"
		return v
	case v.leader == "" && v.enabled && !slices.Contains(c.assigned, j.id):
		// Whoever is elected looks who is there. ElasticJob, too, waits for that
		// before a run: the owners may be those of an earlier start.
		v.waiting = "nobody leads yet, and no shard is this instance's"
		return v
	}
	v.settled = true
	if rotates(c.config) {
		j.rotated(v)
		return v
	}
	for _, n := range c.mine {
		owner := j.cache.Get(j.tree.ItemInstance(n))
		if string(owner.Data) != j.id {
			continue
		}
		v.shards = append(v.shards, shard{
			number: n, token: max(owner.Stat.Mzxid, c.born), version: owner.Stat.Version, since: c.held.since(n, owner.Stat.Mzxid, j.env.now()),
			disabled: j.cache.Get(j.tree.ItemDisabled(n)).Exists, enabled: c.on[n],
			taken:    j.cache.Get(j.tree.ItemFailover(n)).Exists,
			misfired: j.cache.Get(j.tree.ItemMisfire(n)).Exists,
			fired:    c.inherited[n],
		})
	}
	return v
}

// tenure says under which token this instance has a shard, and since when it
// knows. Whoever else ran the shard meanwhile left it with another token.
type tenure struct {
	shard int
	token int64
	since time.Time
}

// tenures are those of own shards, by number. Most jobs have one, for which a map
// would take eight times the room.
type tenures []tenure

func (t tenures) find(shard int) (at int, found bool) {
	return slices.BinarySearchFunc(t, shard, func(one tenure, shard int) int { return cmp.Compare(one.shard, shard) })
}

// since returns since when, by the own clock, an own shard is known to be held
// under a token.
func (t *tenures) since(shard int, token int64, now time.Time) time.Time {
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

// end forgets the tenure of a shard.
func (t *tenures) end(shard int) {
	if at, found := t.find(shard); found {
		*t = slices.Delete(*t, at, at+1)
	}
}
