package statistics

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// CheckCode identifies a rule. Like a [Code] it never changes.
type CheckCode string

// The rules, in the order in which checks are sorted.
const (
	// CheckConfig: these credentials can read the configuration, agents can use it, and no agent
	// reports that it may not read it. N is the version of the configuration's node.
	CheckConfig CheckCode = "CONFIG_READABLE"
	// CheckEnabled: N of the M servers are enabled.
	CheckEnabled CheckCode = "JOB_ENABLED"
	// CheckReleased: the job isn't held.
	CheckReleased CheckCode = "NOT_HELD"
	// CheckInstances: M instances are alive, and N of them may run shards.
	CheckInstances CheckCode = "INSTANCES_ALIVE"
	// CheckLeader: the leader is alive.
	CheckLeader CheckCode = "LEADER_ELECTED"
	// CheckResharding: the shards don't have to be assigned again.
	CheckResharding CheckCode = "NO_RESHARDING"
	// CheckOwners: each of the N shards has an owner that may run it.
	CheckOwners CheckCode = "SHARDS_OWNED"
	// CheckShardsEnabled: no shard is disabled.
	CheckShardsEnabled CheckCode = "SHARDS_ENABLED"
	// CheckRunning: all running markers were written by instances that are still alive.
	CheckRunning CheckCode = "NO_STALE_RUN"
	// CheckFailover: no shard waits to be failed over.
	CheckFailover CheckCode = "NO_FAILOVER_WAITS"
	// CheckMisfire: no shard has a missed fire time to make up for.
	CheckMisfire CheckCode = "NO_MISFIRE_WAITS"
	// CheckTrigger: no trigger is waiting for its instance.
	CheckTrigger CheckCode = "NO_TRIGGER_WAITS"
	// CheckNextFire: the schedule has a next fire time.
	CheckNextFire CheckCode = "NEXT_FIRE_KNOWN"
	// CheckLastRun: the last run succeeded. CheckOnTime: no fire time passed without a run. Both
	// need the history of runs, so package explain adds them.
	CheckLastRun CheckCode = "LAST_RUN_SUCCEEDED"
	CheckOnTime  CheckCode = "ON_TIME"
)

// Check is a rule that holds.
type Check struct {
	Code CheckCode
	// Sentence is for the operator.
	Sentence string
	// Node is the path that was checked, with * for all children of a node. Value is its data, if
	// it's useful.
	Node, Value string
	// N and M are the numbers that the rule counted.
	N, M int
	// Since is when the rule began to hold; zero if unknown.
	Since time.Time
}

// against maps a rule to the findings that contradict it. If there are none, the rule holds.
var against = map[CheckCode][]Code{
	CheckConfig:        {CodeConfigForbidden, CodeConfigAbsent, CodeConfigUnreadable, CodeConfigUnusable, CodeConfigKeyUnknown, CodeConfigOtherRelease},
	CheckEnabled:       {CodeJobDisabled},
	CheckReleased:      {CodeHeld},
	CheckInstances:     {CodeNoInstance, CodeNoEnabledInstance},
	CheckLeader:        {CodeNoLeader, CodeLeaderGone},
	CheckResharding:    {CodeReshardingAnnounced, CodeReshardingProcessing, CodeNothingDealt, CodeItemWithoutOwner, CodeItemOwnerGone, CodeItemOwnerDisabled},
	CheckOwners:        {CodeNothingDealt, CodeItemWithoutOwner, CodeItemOwnerGone, CodeItemOwnerDisabled},
	CheckShardsEnabled: {CodeItemDisabled},
	CheckRunning:       {CodeRunningStale, CodeRunningForged},
	CheckFailover:      {CodeFailoverStale, CodeFailoverTaken, CodeFailoverOffered},
	CheckMisfire:       {CodeMisfireWaiting},
	CheckTrigger:       {CodeTriggerWaiting, CodeTriggerOrphaned},
	CheckNextFire:      {CodeCronNeverAgain, CodeScheduleEnded, CodeConfigUnusable},
	CheckOnTime:        {CodeLate, CodeShardsMissed, CodeNotRecorded, CodeDropped, CodeOverrun, CodeMisfireWaiting, CodeFiredEarly},
	CheckLastRun:       {CodeFailing, CodeHistoryAway},
}

// Against reports whether the finding contradicts a rule.
func (f Finding) Against(check CheckCode) bool { return slices.Contains(against[check], f.Code) }

// check adds the rules that hold. Rules that can't be checked are left out.
func (d *diagnosis) check() {
	found := make(map[Code]bool)
	for _, f := range d.out.Findings {
		found[f.Code] = true
	}
	add := func(c Check) {
		if slices.ContainsFunc(against[c.Code], func(code Code) bool { return found[code] }) {
			return
		}
		c.Value = jobtree.Shown(c.Value)
		d.out.Checks = append(d.out.Checks, c)
	}
	if !d.config.exists {
		return
	}
	if slices.ContainsFunc(d.out.Findings, func(f Finding) bool { return f.Obstacle == string(jobtree.ObstacleForbidden) }) {
		found[CodeConfigForbidden] = true
	}
	add(Check{Code: CheckConfig, Sentence: "The configuration is readable with these credentials.", Node: d.config.path, N: int(d.config.stat.Version), Since: d.config.stat.Mtime})
	if n := d.enabledServers(); n > 0 {
		add(Check{Code: CheckEnabled, Sentence: fmt.Sprintf("The job is not disabled: %d of %s enabled.", n, isAre(len(d.servers), "server")), Node: d.job.Servers(), N: n, M: len(d.servers)})
	}
	add(Check{Code: CheckReleased, Sentence: "The job is not held.", Node: d.held.path})
	living, ghosts := len(d.living()), d.ghosts()
	if n := living; n > 0 {
		alive := max(n, len(d.instanceIDs)-len(ghosts))
		text := "Instances are alive: " + count(alive, "instance")
		if n < alive {
			text += fmt.Sprintf(", and %d of them may run shards", n)
		}
		add(Check{Code: CheckInstances, Sentence: text + ".", Node: d.job.Instances(), N: n, M: alive})
	}
	if d.decoded == nil || d.configErr != nil {
		return // Without a configuration we don't know the expected shards.
	}
	if living > 0 {
		add(Check{Code: CheckLeader, Sentence: "A leader is elected.", Node: d.leader.path, Value: d.leader.data, Since: d.leader.began()})
		add(Check{Code: CheckResharding, Sentence: "No resharding is pending.", Node: d.necessary.path})
		if len(d.unowned()) == 0 && !slices.ContainsFunc(d.assigned(), func(owner string) bool { return ghosts[owner] }) {
			add(Check{Code: CheckOwners, Sentence: "Each shard has an owner: " + count(d.decoded.Shards, "shard") + ".", Node: d.eachItem(d.job.ItemInstance(0)), N: d.decoded.Shards})
		}
	}
	add(Check{Code: CheckShardsEnabled, Sentence: "No shard is disabled.", Node: d.eachItem(d.job.ItemDisabled(0))})
	if d.decoded.MonitorExecution {
		add(Check{Code: CheckRunning, Sentence: "No running marker of an instance that has left.", Node: d.eachItem(d.job.ItemRunning(0))})
		add(Check{Code: CheckFailover, Sentence: "No shard waits to be failed over.", Node: d.job.FailoverItems()})
		if !slices.ContainsFunc(d.items, func(item itemEvidence) bool { return item.misfire.exists }) {
			add(Check{Code: CheckMisfire, Sentence: "No missed fire time waits.", Node: d.eachItem(d.job.ItemMisfire(0))})
		}
	}
	add(Check{Code: CheckTrigger, Sentence: "No trigger waits.", Node: d.job.Triggers()})
	if !d.out.NextFire.IsZero() {
		add(Check{Code: CheckNextFire, Sentence: "The next fire is known.", Node: d.config.path, Value: d.decoded.Cron, Since: d.out.NextFire})
	}
}

// living returns the instances that may run shards and have a session.
func (d *diagnosis) living() []string {
	ghosts := d.ghosts()
	return slices.DeleteFunc(slices.Collect(maps.Keys(d.available)), func(id string) bool { return ghosts[id] })
}

func (d *diagnosis) enabledServers() (n int) {
	for _, server := range d.servers {
		if jobtree.ServerIsEnabled([]byte(server.data), d.generation()) {
			n++
		}
	}
	return n
}

// eachItem replaces the number of shard 0 in a path by *.
func (d *diagnosis) eachItem(path string) string {
	return strings.Replace(path, d.job.Item(0)+"/", d.job.Sharding()+"/*/", 1)
}

func isAre(n int, thing string) string {
	if n == 1 {
		return count(n, thing) + " is"
	}
	return count(n, thing) + " are"
}
