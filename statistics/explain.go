package statistics

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Code names what a Finding is about. Codes are for programs and stay what they
// are; the sentences beside them may be worded better at any time.
type Code string

// The codes, in the order of findings with the same effect.
const (
	// CodeConfigAbsent: the job's nodes are there, its configuration is not.
	CodeConfigAbsent Code = "CONFIG_ABSENT"
	// CodeConfigForbidden: these credentials may not read the configuration, or a part of
	// the job.
	CodeConfigForbidden Code = "CONFIG_FORBIDDEN"
	// CodeConfigUnreadable: the configuration is no document agents can read.
	CodeConfigUnreadable Code = "CONFIG_UNREADABLE"
	// CodeConfigUnusable: a field has a value with which agents refuse to run.
	CodeConfigUnusable Code = "CONFIG_UNUSABLE"
	// CodeConfigKeyUnknown: Java agents fail over a key of the configuration.
	CodeConfigKeyUnknown Code = "CONFIG_KEY_UNKNOWN"
	// CodeConfigOtherRelease: the configuration may be in the words of another
	// release than that of its Java agents.
	CodeConfigOtherRelease Code = "CONFIG_OTHER_RELEASE"
	// CodeCronNeverAgain: the schedule has no fire time to come.
	CodeCronNeverAgain Code = "CRON_NEVER_AGAIN"
	// CodeScheduleEnded: the end of the schedule, its property schedule.until, is past, or it's before the
	// next fire time.
	CodeScheduleEnded Code = "SCHEDULE_ENDED"
	// CodeScheduleNotBegun: the schedule begins later, as its property schedule.from says.
	CodeScheduleNotBegun Code = "SCHEDULE_NOT_BEGUN"
	// CodeDayExcluded: the next time of the cron expression is on a day that the property
	// schedule.exclude leaves out.
	CodeDayExcluded Code = "DAY_EXCLUDED"
	// CodeNoInstance: no process is registered.
	CodeNoInstance Code = "NO_INSTANCE"
	// CodeJobDisabled: no server of the job is enabled.
	CodeJobDisabled Code = "JOB_DISABLED"
	// CodeHeld: the schedule of the job is held, or what programs ask for, or both.
	CodeHeld Code = "HELD"
	// CodeHoldUnheard: the node of a hold was made by hand, and no agent looks at it.
	CodeHoldUnheard Code = "HOLD_UNHEARD"
	// CodeNoEnabledInstance: of the instances none is on an enabled server.
	CodeNoEnabledInstance Code = "NO_ENABLED_INSTANCE"
	// CodeServerDisabled: a server with instances is disabled.
	CodeServerDisabled Code = "SERVER_DISABLED"
	// CodeServerAbsent: the server of an instance is not registered.
	CodeServerAbsent Code = "SERVER_ABSENT"
	// CodeJobRefused: an agent was given the job and doesn't serve it.
	CodeJobRefused Code = "JOB_REFUSED"
	// CodeAgentObstacle: an agent announces why it doesn't run the job; see Finding.Obstacle.
	CodeAgentObstacle Code = "AGENT_OBSTACLE"
	// CodeInstanceUnreadable: an instance's node does not say which it is.
	CodeInstanceUnreadable Code = "INSTANCE_UNREADABLE"
	// CodeInstanceGhost: no session holds the node of an instance, so no process is behind it.
	CodeInstanceGhost Code = "INSTANCE_GHOST"
	// CodeNoLeader: nobody leads.
	CodeNoLeader Code = "NO_LEADER"
	// CodeLeaderGone: the leader's node names an instance that is not there.
	CodeLeaderGone Code = "LEADER_GONE"
	// CodeReshardingAnnounced: the shards have to be assigned anew, which nobody
	// has begun.
	CodeReshardingAnnounced Code = "RESHARDING_ANNOUNCED"
	// CodeReshardingProcessing: the leader assigns the shards.
	CodeReshardingProcessing Code = "RESHARDING_PROCESSING"
	// CodeNothingDealt: no shard has an owner.
	CodeNothingDealt Code = "NOTHING_DEALT"
	// CodeItemWithoutOwner: some shards have no owner.
	CodeItemWithoutOwner Code = "ITEM_WITHOUT_OWNER"
	// CodeItemOwnerGone: the owner of shards is not there.
	CodeItemOwnerGone Code = "ITEM_OWNER_GONE"
	// CodeItemOwnerDisabled: the owner of shards is on a server that is not
	// enabled.
	CodeItemOwnerDisabled Code = "ITEM_OWNER_DISABLED"
	// CodeBarrierWaits: shards wait at the barrier of a listener for shards that don't come.
	CodeBarrierWaits Code = "BARRIER_WAITS"
	// CodeItemDisabled: shards were switched off one by one.
	CodeItemDisabled Code = "ITEM_DISABLED"
	// CodeRunningStale: a running marker was left by an instance that has left.
	CodeRunningStale Code = "RUNNING_STALE"
	// CodeRunningForged: a running marker names a live instance that can't have made it.
	CodeRunningForged Code = "RUNNING_FORGED"
	// CodeFailoverStale: a shard failed over to an instance that has left.
	CodeFailoverStale Code = "FAILOVER_STALE"
	// CodeFailoverTaken: another instance than the owner has taken shards and does
	// not run them yet.
	CodeFailoverTaken Code = "FAILOVER_TAKEN"
	// CodeFailoverOffered: shards of an instance that crashed wait for a taker.
	CodeFailoverOffered Code = "FAILOVER_OFFERED"
	// CodeOverrun: a fire time came while shards were still running.
	CodeOverrun Code = "OVERRUN"
	// CodeTriggerWaiting: an instance has not taken the order to run once.
	CodeTriggerWaiting Code = "TRIGGER_WAITING"
	// CodeTriggerOrphaned: the trigger is for an instance that has left.
	CodeTriggerOrphaned Code = "TRIGGER_ORPHANED"
	// CodeRunning: shards run now.
	CodeRunning Code = "RUNNING"
	// CodeMisfireWaiting: shards missed a fire time, which is to be made up for.
	CodeMisfireWaiting Code = "MISFIRE_WAITING"
	// CodeItemBeyond: there are more shards than the configuration says.
	CodeItemBeyond Code = "ITEM_BEYOND"
	// CodeMonitorOff: nothing tells which shards run.
	CodeMonitorOff Code = "MONITOR_OFF"
	// CodeTimeZoneIgnored: the zone is no zone and quietly means GMT.
	CodeTimeZoneIgnored Code = "TIME_ZONE_IGNORED"
	// CodeZoneUnknownToJava: the property schedule.zone names the zone, and agents of Java
	// fire by another one.
	CodeZoneUnknownToJava Code = "ZONE_UNKNOWN_TO_JAVA"
	// CodeZonesDiffer: the job has no time zone, and its agents fire by different ones.
	CodeZonesDiffer Code = "ZONES_DIFFER"
	// CodeClockDiffers: the clock of an agent differs from ZooKeeper's by a minute or more.
	CodeClockDiffers Code = "CLOCK_DIFFERS"
	// CodeForeignNode: nodes have names that no agent gives.
	CodeForeignNode Code = "FOREIGN_NODE"
	// CodeNumberOutOfBounds: a number is outside its bounds, and the job runs all
	// the same.
	CodeNumberOutOfBounds Code = "NUMBER_OUT_OF_BOUNDS"
	// CodeRunPropertyWrong: a property about requested runs is wrong, and its default
	// counts.
	CodeRunPropertyWrong Code = "RUN_PROPERTY_WRONG"
	// CodeRunWaits: a requested run is due, and no handler works on it.
	CodeRunWaits Code = "RUN_WAITS"
	// CodeFailing: the last run has a shard that failed or was lost. Package explain finds this
	// code and the six below in the history, because the registry doesn't have them.
	CodeFailing Code = "FAILING"
	// CodeLate: a fire time passed without a run.
	CodeLate Code = "LATE"
	// CodeDropped: a fire time passed while a run went on, or while no instance served the job, and is lost, because
	// misfire is off.
	CodeDropped Code = "DROPPED"
	// CodeShardsMissed: shards take no part in the job's runs although they are on.
	CodeShardsMissed Code = "SHARDS_MISSED"
	// CodeUnstable: the last run succeeded, and at least 2 of the last 10 failed.
	CodeUnstable Code = "UNSTABLE"
	// CodeNotRecorded: a fire time passed, and it isn't recorded whether the job ran.
	CodeNotRecorded Code = "NOT_RECORDED"
	// CodeHistoryAway: the history of the job's runs can't be read.
	CodeHistoryAway Code = "HISTORY_AWAY"
	// CodeInstanceLost: an instance was lost, and it hasn't returned. The registry doesn't have
	// this code either; the console remembers it.
	CodeInstanceLost Code = "INSTANCE_LOST"
	// CodeCrashes: instances of the job were lost again and again within minutes. The console remembers
	// that, too.
	CodeCrashes Code = "CRASHES"
	// CodeOneInstance: failover is on, and only one instance may run shards.
	CodeOneInstance Code = "ONE_INSTANCE"
	// CodeClockChecked: agents compare their clocks with ZooKeeper's.
	CodeClockChecked Code = "CLOCK_CHECKED"
)

// Effect tells what does not run because of a finding.
type Effect string

const (
	// EffectJob: the whole job.
	EffectJob Effect = "JOB"
	// EffectShards: the shards named.
	EffectShards Effect = "ITEMS"
	// EffectServer: one server, or one of its instances, takes no part; others run its
	// shards, or a finding of EffectShards names them.
	EffectServer Effect = "SERVER"
	// EffectNothing: nothing is held up, but it explains what is seen.
	EffectNothing Effect = "NOTHING"
)

// HoldsUp reports whether the job, or some of its shards, can't run.
func (e Effect) HoldsUp() bool { return e == EffectJob || e == EffectShards }

// rank orders effects, the most serious first.
func (e Effect) rank() int {
	switch e {
	case EffectJob:
		return 0
	case EffectShards:
		return 1
	case EffectServer:
		return 2
	}
	return 3
}

// Finding is one reason why a job did not or would not run, or a fact without
// which its state cannot be understood.
type Finding struct {
	Code   Code
	Effect Effect
	// Sentence is for the operator, Advice what he can do about it; empty if
	// nothing is to be done.
	Sentence, Advice string
	// Node is the path it was concluded from, and Value what stood there. Value
	// is empty for a node that is absent or empty, and for a configuration as a
	// whole, which may hold passwords.
	Node, Value string
	// Field is the key of the configuration that is concerned, if one is.
	Field string
	// Since is when it began, by ZooKeeper's clock; zero if nothing tells.
	Since time.Time
	// Obstacle is the agent's own code, of CodeAgentObstacle: EXECUTOR_UNKNOWN,
	// LISTENER_UNKNOWN, ERROR_HANDLER_UNKNOWN, STRATEGY_UNKNOWN, ASSIGNING, CONTROL, FORBIDDEN, BROKEN, NOT_BEGUN,
	// HANDLER_HANGS, LISTENER_HANGS, LISTENER_FAILS, ERROR_HANDLER_HANGS, NO_PLACE, DEBUG, or one of a later version. Value has the agent's words.
	Obstacle string
	// Server and Instance are whose matter it is, if it is somebody's.
	Server, Instance string
	// Items are the shards concerned, ascending. They share Value and
	// Instance; Node and Since are those of the one that waits longest.
	Items []int
	// Hold is what stands still, of CodeHeld.
	Hold jobrun.Hold
	// Run is the run that waits, of CodeRunWaits, and Wait why.
	Run  string
	Wait jobrun.Wait
	// More is how many findings it stands for, if it sums up; zero for one.
	More int
}

// OfHistory reports whether the finding comes from the history of the job's runs; see package
// explain.
func (f Finding) OfHistory() bool {
	switch f.Code {
	case CodeFailing, CodeLate, CodeDropped, CodeShardsMissed, CodeUnstable, CodeNotRecorded, CodeHistoryAway, CodeCrashes:
		return true
	}
	return false
}

// Explanation is the answer to why a job did not, or would not, run.
type Explanation struct {
	Job string
	// At is when it was made, by the clock of this process.
	At time.Time
	// Findings are ordered, the most important first: by effect, then by code,
	// then by server, instance and shard. A job without an obstacle may have
	// findings, all of them of EffectNothing. Of a code and an effect there are at
	// most 50, and then one that tells how many more there are, about which shards.
	Findings []Finding
	// Checks are the rules that hold, in the order of their codes. A rule that could
	// not be judged, as that of shards without a configuration, is neither here nor
	// among the findings.
	Checks []Check
	// Cron is the schedule, empty for a job that runs only when triggered.
	Cron string
	// NextFire is the next fire time by the schedule, in the job's zone, whether
	// or not anything would run then; zero if there is none or it is not known.
	NextFire time.Time
	// Zone is the zone of the schedule as configured, or else the one in which all agents of
	// the job are. ZoneAssumed tells that it is empty: each agent uses its own, and NextFire
	// that of this process.
	Zone        string
	ZoneAssumed bool
}

// Obstacle reports whether a finding holds up the job or a part of it.
func (e *Explanation) Obstacle() bool {
	return len(e.Findings) > 0 && e.Findings[0].Effect.HoldsUp()
}

// Blocked reports whether a finding holds up the whole job.
func (e *Explanation) Blocked() bool {
	return len(e.Findings) > 0 && e.Findings[0].Effect == EffectJob
}

// Explain finds the obstacles of a job in the registry, by the rules of agents of ElasticJob
// 3.0.x, 2.1.x and of this repository. Package explain judges them together with the history
// of the job's runs. Only causes are named, not what follows from
// them: of a job without an instance it is no news that its shards have no
// living owner.
//
// The error wraps ErrJobNotFound if there is no node of this name; a job that
// has lost its configuration is explained.
func (r *Reader) Explain(ctx context.Context, name string) (*Explanation, error) {
	op := fmt.Sprintf("explain job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	if err := r.confirm(ctx, r.ns.Job(name)); err != nil {
		return nil, wrap(op, err)
	}
	f := r.newFetcher()
	e, err := f.evidence(ctx, r.ns.Job(name), forDetail)
	if err == nil && e.asksAround() {
		err = f.neighbours(ctx, r.ns, e)
	}
	if err == nil && e.decoded != nil && !e.leader.exists {
		err = f.readLatch(ctx, e)
	}
	if err != nil {
		return nil, wrap(op, err)
	}
	d := r.diagnosis(e)
	if e.done.exists && r.memory == nil { // Otherwise no run was requested, or only the memory may be asked.
		// Without an answer the rest of the explanation is from memory, too.
		d.oldest, d.waits, err = runs.Store{Client: r.client, Tree: r.ns.Job(name), Now: r.now}.First(ctx)
		if err = zk.Ignore(err, zk.ErrUnavailable); err != nil {
			return nil, wrap(op, err)
		}
	}
	d.judge()
	return d.out, nil
}

// maxFindings is how many findings with one code and one effect are listed one by
// one: a hundred thousand shards can have as many owners that have left.
const maxFindings = 50

// summed are findings with one in the place of all that are too many. They are
// sorted, so that those with the same code and effect follow each other.
func summed(findings []Finding) []Finding {
	var all []Finding
	for len(findings) > 0 {
		first := findings[0]
		n := slices.IndexFunc(findings, func(f Finding) bool { return f.Code != first.Code || f.Effect != first.Effect })
		if n < 0 {
			n = len(findings)
		}
		all = append(all, findings[:min(n, maxFindings)]...)
		if n > maxFindings {
			all = append(all, others(findings[maxFindings:n]))
		}
		findings = findings[n:]
	}
	return all
}

// others sums up findings with the same code and effect.
func others(findings []Finding) Finding {
	sum := Finding{
		Code: findings[0].Code, Effect: findings[0].Effect, Node: findings[0].Node, Value: findings[0].Value,
		Sentence: "And " + count(len(findings), "finding") + " more of this kind.",
		More:     len(findings),
		Advice:   DealFirst,
	}
	for _, f := range findings {
		sum.Items = append(sum.Items, f.Items...)
		if sum.Since.IsZero() || !f.Since.IsZero() && f.Since.Before(sum.Since) {
			sum.Since = f.Since
		}
	}
	if slices.Sort(sum.Items); len(sum.Items) > 0 {
		sum.Sentence += " " + phrase(sum.Items) + "."
	}
	return sum
}

// fieldOf names the key of the configuration an error is about.
func fieldOf(err error) string {
	if syntax := (*javayaml.SyntaxError)(nil); errors.As(err, &syntax) {
		return syntax.Field
	}
	return ""
}
