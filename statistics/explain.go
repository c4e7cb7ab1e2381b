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

// Code identifies the kind of a [Finding]. Programs may rely on codes, because they never change.
// Sentences may change at any time.
type Code string

// The codes, in the order in which findings with the same effect are sorted.
const (
	// CodeConfigAbsent: the job's nodes exist, but not its configuration.
	CodeConfigAbsent Code = "CONFIG_ABSENT"
	// CodeConfigForbidden: these credentials may not read the configuration, or another part of the
	// job.
	CodeConfigForbidden Code = "CONFIG_FORBIDDEN"
	// CodeConfigUnreadable: agents can't parse the configuration.
	CodeConfigUnreadable Code = "CONFIG_UNREADABLE"
	// CodeConfigUnusable: agents refuse to run because of the value of a field.
	CodeConfigUnusable Code = "CONFIG_UNUSABLE"
	// CodeConfigKeyUnknown: Java agents fail because of a key in the configuration.
	CodeConfigKeyUnknown Code = "CONFIG_KEY_UNKNOWN"
	// CodeConfigOtherRelease: the configuration may be in the format of a release that isn't the
	// release of the job's Java agents.
	CodeConfigOtherRelease Code = "CONFIG_OTHER_RELEASE"
	// CodeCronNeverAgain: the schedule has no future fire time.
	CodeCronNeverAgain Code = "CRON_NEVER_AGAIN"
	// CodeScheduleEnded: the property schedule.until is in the past or before the next fire time.
	CodeScheduleEnded Code = "SCHEDULE_ENDED"
	// CodeScheduleNotBegun: the property schedule.from is in the future.
	CodeScheduleNotBegun Code = "SCHEDULE_NOT_BEGUN"
	// CodeDayExcluded: the property schedule.exclude excludes the day of the next fire time.
	CodeDayExcluded Code = "DAY_EXCLUDED"
	// CodeNoInstance: no instance is registered.
	CodeNoInstance Code = "NO_INSTANCE"
	// CodeJobDisabled: no server of the job is enabled.
	CodeJobDisabled Code = "JOB_DISABLED"
	// CodeHeld: an operator or an agent holds the job's schedule, its requested runs, or both.
	CodeHeld Code = "HELD"
	// CodeHoldUnheard: the node of a hold was created by hand, and agents ignore it.
	CodeHoldUnheard Code = "HOLD_UNHEARD"
	// CodeNoEnabledInstance: no instance is on an enabled server.
	CodeNoEnabledInstance Code = "NO_ENABLED_INSTANCE"
	// CodeServerDisabled: a server that has instances is disabled.
	CodeServerDisabled Code = "SERVER_DISABLED"
	// CodeServerAbsent: an instance's server isn't registered.
	CodeServerAbsent Code = "SERVER_ABSENT"
	// CodeJobRefused: an agent's program contains the job, but the agent doesn't serve it.
	CodeJobRefused Code = "JOB_REFUSED"
	// CodeAgentObstacle: an agent announces why it can't run the job; see Finding.Obstacle.
	CodeAgentObstacle Code = "AGENT_OBSTACLE"
	// CodeInstanceUnreadable: an instance's node doesn't identify the instance.
	CodeInstanceUnreadable Code = "INSTANCE_UNREADABLE"
	// CodeInstanceGhost: an instance's node has no session, so there is no process.
	CodeInstanceGhost Code = "INSTANCE_GHOST"
	// CodeNoLeader: the job has no leader.
	CodeNoLeader Code = "NO_LEADER"
	// CodeLeaderGone: the leader's node names an instance that isn't registered.
	CodeLeaderGone Code = "LEADER_GONE"
	// CodeReshardingAnnounced: the shards must be assigned again, and no leader has started yet.
	CodeReshardingAnnounced Code = "RESHARDING_ANNOUNCED"
	// CodeReshardingProcessing: the leader is assigning the shards.
	CodeReshardingProcessing Code = "RESHARDING_PROCESSING"
	// CodeNothingDealt: no shard has an owner.
	CodeNothingDealt Code = "NOTHING_DEALT"
	// CodeItemWithoutOwner: some shards have no owner.
	CodeItemWithoutOwner Code = "ITEM_WITHOUT_OWNER"
	// CodeItemOwnerGone: the owner of some shards isn't registered.
	CodeItemOwnerGone Code = "ITEM_OWNER_GONE"
	// CodeItemOwnerDisabled: the owner of some shards is on a server that isn't enabled.
	CodeItemOwnerDisabled Code = "ITEM_OWNER_DISABLED"
	// CodeBarrierWaits: shards wait at a listener's barrier for shards that can't come.
	CodeBarrierWaits Code = "BARRIER_WAITS"
	// CodeItemDisabled: some shards were disabled one by one.
	CodeItemDisabled Code = "ITEM_DISABLED"
	// CodeRunningStale: an instance has left, but its running marker remains.
	CodeRunningStale Code = "RUNNING_STALE"
	// CodeRunningForged: a running marker names a live instance that can't have written it.
	CodeRunningForged Code = "RUNNING_FORGED"
	// CodeFailoverStale: the instance that took a shard over has left.
	CodeFailoverStale Code = "FAILOVER_STALE"
	// CodeFailoverTaken: an instance took shards over but doesn't run them yet.
	CodeFailoverTaken Code = "FAILOVER_TAKEN"
	// CodeFailoverOffered: no instance has taken over the shards of a crashed instance.
	CodeFailoverOffered Code = "FAILOVER_OFFERED"
	// CodeOverrun: shards were still running at a fire time.
	CodeOverrun Code = "OVERRUN"
	// CodeTriggerWaiting: an instance hasn't taken its trigger yet.
	CodeTriggerWaiting Code = "TRIGGER_WAITING"
	// CodeTriggerOrphaned: a trigger is for an instance that has left.
	CodeTriggerOrphaned Code = "TRIGGER_ORPHANED"
	// CodeRunning: shards are running.
	CodeRunning Code = "RUNNING"
	// CodeMisfireWaiting: shards missed a fire time and should make up for it.
	CodeMisfireWaiting Code = "MISFIRE_WAITING"
	// CodeItemBeyond: more shards exist than are configured.
	CodeItemBeyond Code = "ITEM_BEYOND"
	// CodeMonitorOff: monitorExecution is off, so we can't see which shards run.
	CodeMonitorOff Code = "MONITOR_OFF"
	// CodeTimeZoneIgnored: the time zone is invalid, so agents silently use GMT.
	CodeTimeZoneIgnored Code = "TIME_ZONE_IGNORED"
	// CodeZoneUnknownToJava: the property schedule.zone sets the zone, but Java agents fire by
	// another zone.
	CodeZoneUnknownToJava Code = "ZONE_UNKNOWN_TO_JAVA"
	// CodeZonesDiffer: the job has no time zone, and its agents use different ones.
	CodeZonesDiffer Code = "ZONES_DIFFER"
	// CodeClockDiffers: an agent's clock differs from ZooKeeper's by a minute or more.
	CodeClockDiffers Code = "CLOCK_DIFFERS"
	// CodeFiredEarly: an agent with a clock that is or was ahead has run fire times before they were due.
	CodeFiredEarly Code = "FIRED_EARLY"
	// CodeForeignNode: nodes have names that no agent would choose.
	CodeForeignNode Code = "FOREIGN_NODE"
	// CodeNumberOutOfBounds: a number is out of bounds, but the job runs.
	CodeNumberOutOfBounds Code = "NUMBER_OUT_OF_BOUNDS"
	// CodeRunPropertyWrong: a property about requested runs is invalid, and its default is used.
	CodeRunPropertyWrong Code = "RUN_PROPERTY_WRONG"
	// CodeRunWaits: a requested run is due, but no handler is running for it.
	CodeRunWaits Code = "RUN_WAITS"
	// CodeFailing: a shard of the last run failed or was lost. Package explain finds this code and
	// the six below in the history, because they aren't in the registry.
	CodeFailing Code = "FAILING"
	// CodeLate: a fire time passed without a run.
	CodeLate Code = "LATE"
	// CodeDropped: a fire time passed during a run, or while no instance served the job. It's lost,
	// because misfire is off.
	CodeDropped Code = "DROPPED"
	// CodeShardsMissed: some enabled shards take no part in the job's runs.
	CodeShardsMissed Code = "SHARDS_MISSED"
	// CodeUnstable: the last run succeeded, and at least 2 of the last 10 failed.
	CodeUnstable Code = "UNSTABLE"
	// CodeNotRecorded: a fire time passed, and there's no record of whether the job ran.
	CodeNotRecorded Code = "NOT_RECORDED"
	// CodeHistoryAway: the history of runs can't be read.
	CodeHistoryAway Code = "HISTORY_AWAY"
	// CodeInstanceLost: an instance was lost and hasn't come back. This isn't in the registry
	// either; the console remembers it.
	CodeInstanceLost Code = "INSTANCE_LOST"
	// CodeCrashes: several instances were lost within minutes. The console remembers this as well.
	CodeCrashes Code = "CRASHES"
	// CodeOneInstance: failover is on, but only one instance may run shards.
	CodeOneInstance Code = "ONE_INSTANCE"
	// CodeClockChecked: agents compare their clocks with ZooKeeper's.
	CodeClockChecked Code = "CLOCK_CHECKED"
)

// Effect is the part of a job that can't run because of a finding.
type Effect string

const (
	// EffectJob: the job can't run at all.
	EffectJob Effect = "JOB"
	// EffectShards: the shards in Items can't run.
	EffectShards Effect = "ITEMS"
	// EffectServer: a server or one of its instances takes no part. Other instances run its shards,
	// or a finding with EffectShards lists them.
	EffectServer Effect = "SERVER"
	// EffectNothing: the job can run. The finding explains something else about its state.
	EffectNothing Effect = "NOTHING"
)

// HoldsUp reports whether the job or some of its shards can't run.
func (e Effect) HoldsUp() bool { return e == EffectJob || e == EffectShards }

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

// Finding is a reason why a job didn't run or won't run, or a fact that explains its state.
type Finding struct {
	Code   Code
	Effect Effect
	// Sentence is for the operator. Advice is the action that should help; empty if there is none.
	Sentence, Advice string
	// Node is the path of the node that shows it, and Value its data. Value is empty if the node is
	// absent or empty, and for a whole configuration, which may contain passwords.
	Node, Value string
	// Field is the key in the configuration; empty if the finding isn't about a single key.
	Field string
	// Since is when it began, by ZooKeeper's clock; zero if unknown.
	Since time.Time
	// Obstacle is the agent's own code, for CodeAgentObstacle: EXECUTOR_UNKNOWN, LISTENER_UNKNOWN,
	// ERROR_HANDLER_UNKNOWN, STRATEGY_UNKNOWN, ASSIGNING, CONTROL, FORBIDDEN, BROKEN, NOT_BEGUN,
	// HANDLER_HANGS, LISTENER_HANGS, LISTENER_FAILS, ERROR_HANDLER_HANGS, NO_PLACE, DEBUG, or a
	// code from a later version. Value is the agent's own message.
	Obstacle string
	// Server and Instance have the problem; empty if the finding isn't about one of them.
	Server, Instance string
	// Items are the affected shards in ascending order. They share Value and Instance. Node and
	// Since are from the shard that has waited longest.
	Items []int
	// Hold is the hold, for CodeHeld.
	Hold jobrun.Hold
	// Run is the id of the waiting run, for CodeRunWaits, and Wait is the reason.
	Run  string
	Wait jobrun.Wait
	// More is the number of findings that this finding sums up; zero if it's a single finding.
	More int
}

// OfHistory reports whether the finding comes from the history of runs; see package explain.
func (f Finding) OfHistory() bool {
	switch f.Code {
	case CodeFailing, CodeLate, CodeDropped, CodeShardsMissed, CodeUnstable, CodeNotRecorded, CodeHistoryAway, CodeCrashes:
		return true
	}
	return false
}

// Explanation explains why a job didn't run or won't run.
type Explanation struct {
	Job string
	// At is the time of the explanation, by the clock of this process.
	At time.Time
	// Findings are sorted by importance: by effect, code, server, instance and shard. If the job
	// has no obstacle, all of its findings have EffectNothing. There are at most 50 with the same
	// code and effect, and then one more that sums up the rest.
	Findings []Finding
	// Checks are the rules that hold, sorted by code. If a rule can't be checked, it's neither here
	// nor in Findings. For example, shards can't be checked without a configuration.
	Checks []Check
	// Cron is the schedule; empty if the job runs only when triggered.
	Cron string
	// NextFire is the next scheduled fire time, in the job's zone, even if the job can't run then.
	// It's zero if there is none or if it's unknown.
	NextFire time.Time
	// Zone is the configured zone of the schedule, or else the common zone of all agents.
	// ZoneAssumed is set if there's neither. Then each agent uses its own zone, and NextFire uses
	// the zone of this process.
	Zone        string
	ZoneAssumed bool
}

// Obstacle reports whether a finding holds up the job or some of its shards.
func (e *Explanation) Obstacle() bool {
	return len(e.Findings) > 0 && e.Findings[0].Effect.HoldsUp()
}

// Blocked reports whether a finding holds up the whole job.
func (e *Explanation) Blocked() bool {
	return len(e.Findings) > 0 && e.Findings[0].Effect == EffectJob
}

// Explain finds the obstacles of a job in the registry, by the rules that agents follow: Go agents
// and ElasticJob 3.0.x and 2.1.x. Package explain combines them with the history of the job's runs.
// Only causes are listed, not their consequences. For example, if a job has no instances, we don't
// also report that its shards have no live owner.
//
// The error wraps ErrJobNotFound if the node doesn't exist. If only the configuration is missing,
// that's explained.
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
	if e.done.exists && r.memory == nil { // A run was requested, and we may ask ZooKeeper.
		// If ZooKeeper doesn't answer, continue, because the rest may be from the cache.
		d.oldest, d.waits, err = runs.Store{Client: r.client, Tree: r.ns.Job(name), Now: r.now}.First(ctx)
		if err = zk.Ignore(err, zk.ErrUnavailable); err != nil {
			return nil, wrap(op, err)
		}
	}
	d.judge()
	return d.out, nil
}

// maxFindings bounds the findings with the same code and effect that are listed one by one. A job
// may have a hundred thousand shards, each with an owner that has left.
const maxFindings = 50

// summed keeps the first maxFindings findings of each code and effect and sums up the rest. The
// findings must be sorted.
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

// fieldOf returns the key in the configuration that an error is about; empty if there's none.
func fieldOf(err error) string {
	if syntax := (*javayaml.SyntaxError)(nil); errors.As(err, &syntax) {
		return syntax.Field
	}
	return ""
}
