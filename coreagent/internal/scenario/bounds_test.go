package scenario_test

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// hostileNumber is an invalid number in the tree, as if written by hand.
type hostileNumber struct {
	field    string
	value    int64
	serves   bool // the job still runs
	reported bool // in the log and by Explain
}

func hostileNumbers() []hostileNumber {
	list := []hostileNumber{
		{"shardingTotalCount", 0, false, true}, {"shardingTotalCount", -1, false, true},
		{"shardingTotalCount", jobconfig.MaxShards + 1, false, true}, {"shardingTotalCount", math.MaxInt32, false, true},
		{"shardingTotalCount", math.MaxInt64, false, true},
	}
	for field, most := range map[string]int64{"reconcileIntervalMinutes": jobconfig.MaxReconcileMinutes, "maxTimeDiffSeconds": jobconfig.MaxTimeDiffSeconds} {
		list = append(list,
			hostileNumber{field, 0, true, false}, hostileNumber{field, -1, true, false}, hostileNumber{field, most, true, false},
			hostileNumber{field, most + 1, true, true}, hostileNumber{field, math.MaxInt32, true, true},
			hostileNumber{field, math.MinInt32, true, true}, hostileNumber{field, math.MaxInt64, false, true})
	}
	return list
}

// TestV16V17HostileNumbersInTheTree: a number in a hand-edited configuration should never end a
// process or disturb another job. The log and Explain should name the field, and the job should run
// again after the number is corrected.
func TestV16V17HostileNumbersInTheTree(t *testing.T) {
	t.Parallel()
	for _, h := range hostileNumbers() {
		t.Run(fmt.Sprintf("%s=%d", h.field, h.value), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				victim := coreagent.Job{Name: "victim", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}
				one := b.agent(1).serve(victim, nil).serve(coreagent.Job{Name: "fine", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 1}, nil).start()
				b.awaitOwners("victim", one.id)
				b.awaitOwners("fine", one.id)
				sound, _ := b.get(b.tree.Job("victim").Config())
				b.put(b.tree.Job("victim").Config(), withNumber(sound, h.field, h.value))
				time.Sleep(2 * time.Second)
				two := b.agent(2).serve(victim, nil).start() // It finds the number when it starts.
				from := sleepUntilNext(time.Second)
				time.Sleep(30 * time.Second)
				if got := b.runs.starts("fine", 1, from, from.Add(30*time.Second))[0]; got != 30 {
					b.Errorf("the other job ran %d times in 30 s", got)
				}
				if got := b.runs.starts("victim", 1, from, from.Add(30*time.Second))[0]; (got > 0) != h.serves {
					b.Errorf("the job ran %d times, want %v", got, h.serves)
				}
				b.explains("victim", h)
				b.put(b.tree.Job("victim").Config(), sound)
				b.await("both instances lead or serve again", func() bool { return len(b.children(b.tree.Job("victim").Instances())) == 2 })
				time.Sleep(3 * time.Second)
				from = sleepUntilNext(time.Second)
				time.Sleep(5 * time.Second)
				if got := b.runs.starts("victim", 1, from, from.Add(5*time.Second))[0]; got != 5 {
					b.Errorf("the job ran %d times in 5 s after it was corrected", got)
				}
				_ = two
			})
		})
	}
}

// withNumber replaces a number in the text of a configuration.
func withNumber(text, field string, value int64) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, field+":") {
			lines[i] = field + ": " + strconv.FormatInt(value, 10)
		}
	}
	return strings.Join(lines, "\n")
}

// explains checks the log and Explain for a hostile number.
func (b *fixture) explains(job string, h hostileNumber) {
	b.Helper()
	logged := false
	for line := range strings.Lines(b.log.String()) {
		logged = logged || strings.Contains(line, "job="+job) && strings.Contains(line, h.field) && (strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR"))
	}
	if logged != h.reported {
		b.Errorf("the log names %s: %v, want %v", h.field, logged, h.reported)
	}
	explanation, err := statistics.NewReader(treetest.Registry(b.client, b.tree)).Explain(context.Background(), job)
	b.must(err)
	found := false
	for _, f := range explanation.Findings {
		found = found || f.Field == h.field && f.Code != statistics.CodeClockChecked
	}
	if found != h.reported || explanation.Blocked() == h.serves {
		b.Errorf("Explain names %s: %v, want %v; blocked %v:\n%+v", h.field, found, h.reported, explanation.Blocked(), explanation.Findings)
	}
}

// TestV16UnservableConfigurationIsReportedOnce: a misfire marker should wait until the
// configuration is corrected, and the log shouldn't repeat the error.
func TestV16UnservableConfigurationIsReportedOnce(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		tree := b.tree.Job("job")
		one := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Shards: 1}, nil).start()
		b.awaitOwners("job", one.id)
		sound, _ := b.get(tree.Config())
		b.put(tree.Config(), withNumber(sound, "shardingTotalCount", 0))
		time.Sleep(time.Second)
		b.put(tree.ItemMisfire(0), "")
		time.Sleep(10 * time.Minute)
		lines := 0
		for line := range strings.Lines(b.log.String()) {
			if strings.Contains(line, "level=ERROR") {
				lines++
			}
		}
		if lines != 1 {
			b.Errorf("%d lines about it in ten minutes, want 1", lines)
		}
		b.put(tree.Config(), sound)
		b.await("the marker to be looked at", func() bool { return !b.exists(tree.ItemMisfire(0)) })
	})
}

// TestAShardBeyondTheCount: after an interrupted resharding there's one shard too many, and one
// below the count is missing. The next resharding should remove the first and create the second,
// even without running markers.
func TestAShardBeyondTheCount(t *testing.T) {
	for _, monitored := range []bool{true, false} {
		t.Run(fmt.Sprintf("monitored %v", monitored), func(t *testing.T) {
			bubble(t, func(b *fixture, _ *zkfake.Server) {
				tree := b.tree.Job("job")
				for _, n := range []int{0, 5} {
					_, err := b.client.CreateAll(b.ctx(), tree.Item(n), nil, zk.Persistent)
					b.must(err)
				}
				m := b.agent(1).serve(coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0/10 * * * * ?", SkipMisfires: !monitored}, Shards: 2, Unmonitored: !monitored}, nil).start()
				b.awaitOwners("job", m.id, m.id)
				if b.exists(tree.Item(5)) {
					t.Error("shard 5 stays")
				}
				if n := b.log.count(engine.PanicMessage); n > 0 {
					t.Errorf("%d panics", n)
				}
			})
		})
	}
}
