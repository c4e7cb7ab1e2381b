package view

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

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
