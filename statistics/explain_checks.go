package statistics

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// CheckCode names a rule that was checked. Like a [Code] it stays what it is.
type CheckCode string

// The rules, in their order.
const (
	// CheckConfig: these credentials may read the configuration, which is version N of its node,
	// agents can run by it, and none announces that it may not read it.
	CheckConfig CheckCode = "CONFIG_READABLE"
	// CheckEnabled: N of the M servers are enabled.
	CheckEnabled CheckCode = "JOB_ENABLED"
	// CheckReleased: the job is not held.
	CheckReleased CheckCode = "NOT_HELD"
	// CheckInstances: N instances are alive and may run shards.
	CheckInstances CheckCode = "INSTANCES_ALIVE"
	// CheckLeader: an instance that is alive leads.
	CheckLeader CheckCode = "LEADER_ELECTED"
	// CheckResharding: nobody has to assign shards anew.
	CheckResharding CheckCode = "NO_RESHARDING"
	// CheckOwners: each of the N shards has an owner that may run it.
	CheckOwners CheckCode = "SHARDS_OWNED"
	// CheckShardsEnabled: no shard was disabled.
	CheckShardsEnabled CheckCode = "SHARDS_ENABLED"
	// CheckRunning: no running marker was left by an instance that has left, or made by another
	// process.
	CheckRunning CheckCode = "NO_STALE_RUN"
	// CheckFailover: no shard waits to be failed over.
	CheckFailover CheckCode = "NO_FAILOVER_WAITS"
	// CheckMisfire: no shard has a missed fire time to be made up for.
	CheckMisfire CheckCode = "NO_MISFIRE_WAITS"
	// CheckTrigger: no instance has left a trigger untaken.
	CheckTrigger CheckCode = "NO_TRIGGER_WAITS"
	// CheckNextFire: the schedule fires again.
	CheckNextFire CheckCode = "NEXT_FIRE_KNOWN"
	// CheckLastRun: the last run succeeded, and CheckOnTime: no fire time passed without
	// one. The tree does not tell; a console that knows the history says so.
	CheckLastRun CheckCode = "LAST_RUN_SUCCEEDED"
	CheckOnTime  CheckCode = "ON_TIME"
)

// Check is a rule that was checked and holds.
type Check struct {
	Code CheckCode
	// Sentence says what is fine.
	Sentence string
	// Node is what was looked at, * for each child of a name, and Value what stands
	// there, if that tells more.
	Node, Value string
	// N and M are what the rule counted.
	N, M int
	// Since is when it became so; zero if nothing tells.
	Since time.Time
}

// against are the findings against a rule: without any, it holds.
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
	CheckOnTime:        {CodeLate, CodeShardsMissed, CodeNotRecorded, CodeDropped, CodeOverrun, CodeMisfireWaiting},
	CheckLastRun:       {CodeFailing, CodeHistoryAway},
}

// Against reports whether a finding speaks against a rule.
func (f Finding) Against(check CheckCode) bool { return slices.Contains(against[check], f.Code) }

// check lists the rules that hold, of those that could be judged.
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
		add(Check{Code: CheckInstances, Sentence: "Instances are alive: " + count(n, "instance") + ".", Node: d.job.Instances(), N: n})
	}
	if d.decoded == nil || d.configErr != nil {
		return // What the shards ought to be is not known.
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

// living are the instances that may run shards and behind which a process is.
func (d *diagnosis) living() []string {
	ghosts := d.ghosts()
	return slices.DeleteFunc(slices.Collect(maps.Keys(d.available)), func(id string) bool { return ghosts[id] })
}

// enabledServers is how many servers are enabled.
func (d *diagnosis) enabledServers() (n int) {
	for _, server := range d.servers {
		if jobtree.ServerIsEnabled([]byte(server.data), d.generation()) {
			n++
		}
	}
	return n
}

// eachItem is the path of a node of shard 0 as that of every shard.
func (d *diagnosis) eachItem(path string) string {
	return strings.Replace(path, d.job.Item(0)+"/", d.job.Sharding()+"/*/", 1)
}

// isAre is a number of things with its verb.
func isAre(n int, thing string) string {
	if n == 1 {
		return count(n, thing) + " is"
	}
	return count(n, thing) + " are"
}
