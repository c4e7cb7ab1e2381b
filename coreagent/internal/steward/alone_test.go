package steward

import (
	"math"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Ended runs should be counted by the stat of the records' parent, including runs that came and
// went between two reads.
func TestEndsAreCounted(t *testing.T) {
	t.Parallel()
	at := func(czxid int64, cversion, children, cancels int32) marks {
		return marks{zk.Stat{Czxid: czxid, Cversion: cversion, NumChildren: children}, zk.Stat{Version: cancels}}
	}
	for _, c := range []struct {
		say      string
		old, now marks
		want     int
	}{
		{"nothing", at(1, 7, 3, 2), at(1, 7, 3, 2), 0},
		{"one began", at(1, 7, 3, 2), at(1, 8, 4, 2), 0},
		{"one ended", at(1, 7, 3, 2), at(1, 8, 2, 2), 1},
		{"one came and went", at(1, 7, 3, 2), at(1, 9, 3, 2), 1},
		{"three came, four went", at(1, 7, 3, 2), at(1, 14, 2, 2), 4},
		{"one was cancelled while it waited", at(1, 7, 3, 2), at(1, 7, 3, 3), 1},
		{"the largest number was passed", at(1, math.MaxInt32, 3, 2), at(1, math.MinInt32, 2, 2), 1},
		{"another node", at(1, 7, 3, 2), at(2, 7, 3, 2), -1},
	} {
		if got := c.now.since(c.old); got != c.want {
			t.Errorf("%s: %d, want %d", c.say, got, c.want)
		}
	}
}
