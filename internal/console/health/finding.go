package health

import (
	"cmp"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// The package statistics says its findings in English, with every detail. In another
// language they are found by their code and values.

// found is a finding to be worded.
type found struct{ statistics.Finding }

// shards names the shards of a finding.
func (f found) shards(l i18n.Lang) string {
	return l.ExplainShards(len(f.Items), l.List(jobtree.ItemNames(f.Items)))
}

// cause is the error at the end of the English sentence.
func (f found) cause(i18n.Lang) string {
	_, cause, _ := strings.Cut(f.Sentence, ": ")
	return cause
}

// wording is how a finding is found, and the advice; nil for no advice.
type wording struct{ sentence, advice func(i18n.Lang, found) string }

func (f found) field(i18n.Lang) string    { return f.Field }
func (f found) instance(i18n.Lang) string { return f.Instance }
func (f found) where(i18n.Lang) string    { return cmp.Or(f.Instance, f.Server) }
func (f found) server(i18n.Lang) string   { return f.Server }
func (f found) since(i18n.Lang) string    { return clock(f.Since) }
func (f found) value(i18n.Lang) string    { return f.Value }

type lang = i18n.Lang

// plain, withOne and withTwo are the wordings of findings whose sentences name so many parts.
func plain(sentence, advice func(lang) string) wording {
	w := wording{sentence: func(l i18n.Lang, _ found) string { return sentence(l) }}
	if advice != nil {
		w.advice = func(l i18n.Lang, _ found) string { return advice(l) }
	}
	return w
}

func withOne(a func(found, lang) string, sentence func(lang, string) string, advice func(lang) string) wording {
	w := plain(nil, advice)
	w.sentence = func(l i18n.Lang, f found) string { return sentence(l, a(f, l)) }
	return w
}

func withTwo(
	a, b func(found, lang) string, sentence func(_ lang, a, b string) string, advice func(lang) string,
) wording {
	w := plain(nil, advice)
	w.sentence = func(l i18n.Lang, f found) string { return sentence(l, a(f, l), b(f, l)) }
	return w
}

var findingWords = map[statistics.Code]wording{
	statistics.CodeConfigForbidden: plain(lang.HealthIsForbidden, lang.ExplainFixForbidden),
	statistics.CodeConfigAbsent:    plain(lang.ExplainIsConfigAbsent, lang.ExplainFixConfigAbsent),
	statistics.CodeConfigUnreadable: withOne(found.cause,
		lang.ExplainIsConfigUnreadable, lang.ExplainFixConfigUnreadable),
	statistics.CodeConfigUnusable: {
		func(l i18n.Lang, f found) string { return l.ExplainIsConfigUnusable(f.Field, f.cause(l)) },
		func(l i18n.Lang, f found) string { return l.ExplainFixConfigUnusable(f.Field) },
	},
	statistics.CodeConfigKeyUnknown: withOne(found.field,
		lang.ExplainIsConfigKeyUnknown, lang.ExplainFixConfigKeyUnknown),
	statistics.CodeConfigOtherRelease: withOne(found.field,
		lang.ExplainIsConfigOtherRelease, lang.ExplainFixConfigOtherRelease),
	statistics.CodeCronNeverAgain: {neverAgain, neverAgainAdvice},
	statistics.CodeScheduleEnded: withOne(found.value,
		lang.ExplainIsScheduleEnded, lang.ExplainFixScheduleEnded),
	statistics.CodeScheduleNotBegun:  withOne(found.value, lang.ExplainIsScheduleNotBegun, nil),
	statistics.CodeDayExcluded:       withOne(found.value, lang.ExplainIsDayExcluded, nil),
	statistics.CodeNoInstance:        {noInstance, noInstanceAdvice},
	statistics.CodeJobDisabled:       plain(lang.ExplainIsJobDisabled, lang.ExplainFixJobDisabled),
	statistics.CodeHeld:              {heldSentence, plain(nil, lang.ExplainFixHeld).advice},
	statistics.CodeNoEnabledInstance: plain(lang.ExplainIsNoEnabledInstance, lang.ExplainFixNoEnabledInstance),
	statistics.CodeServerDisabled: withTwo(found.server, found.instance,
		lang.ExplainIsServerDisabled, lang.ExplainFixServerDisabled),
	statistics.CodeServerAbsent: withTwo(found.instance, found.server,
		lang.ExplainIsServerAbsent, lang.ExplainFixServerAbsent),
	statistics.CodeInstanceUnreadable: withOne(found.instance,
		lang.ExplainIsInstanceUnreadable, lang.ExplainFixInstanceUnreadable),
	statistics.CodeNoLeader:   plain(lang.ExplainIsNoLeader, lang.ExplainFixNoLeader),
	statistics.CodeLeaderGone: withOne(found.instance, lang.ExplainIsLeaderGone, lang.ExplainFixLeaderGone),
	statistics.CodeReshardingAnnounced: withOne(found.since,
		lang.ExplainIsReshardingAnnounced, lang.ExplainFixReshardingAnnounced),
	statistics.CodeReshardingProcessing: withOne(found.since,
		lang.ExplainIsReshardingProcessing, lang.ExplainFixReshardingProcessing),
	statistics.CodeNothingDealt:     plain(lang.ExplainIsNothingAssigned, lang.ExplainFixNothingAssigned),
	statistics.CodeItemWithoutOwner: withOne(found.shards, lang.ExplainIsItemWithoutOwner, lang.ExplainFixItemWithoutOwner),
	statistics.CodeItemOwnerGone: withTwo(found.shards, found.instance,
		lang.ExplainIsItemOwnerGone, lang.ExplainFixReshard),
	statistics.CodeItemOwnerDisabled: withTwo(found.shards, found.instance,
		lang.ExplainIsItemOwnerDisabled, lang.ExplainFixReshard),
	statistics.CodeItemDisabled: withOne(found.shards, lang.ExplainIsItemDisabled, lang.ExplainFixItemDisabled),
	statistics.CodeRunningForged: {
		func(l i18n.Lang, f found) string { return l.ExplainIsRunningForged(f.shards(l)) },
		func(l i18n.Lang, f found) string { return l.ExplainFixRunningForged(f.Node) },
	},
	statistics.CodeRunningStale: withTwo(found.shards, found.instance,
		lang.ExplainIsRunningStale, lang.ExplainFixRunningStale),
	statistics.CodeFailoverStale: withTwo(found.shards, found.instance,
		lang.ExplainIsFailoverStale, lang.ExplainFixFailoverStale),
	statistics.CodeFailoverTaken: {
		func(l i18n.Lang, f found) string { return l.ExplainIsFailoverTaken(f.shards(l), f.Instance) },
		func(l i18n.Lang, f found) string { return l.ExplainFixFailoverTaken(f.Instance) },
	},
	statistics.CodeFailoverOffered: withOne(found.shards,
		lang.ExplainIsFailoverOffered, lang.ExplainFixFailoverOffered),
	statistics.CodeFailing: withOne(found.shards, lang.ExplainIsFailing, lang.ExplainDoFailing),
	statistics.CodeLate: {
		func(l i18n.Lang, f found) string {
			if len(f.Items) > 0 {
				return l.ExplainIsLateShards(f.shards(l))
			}
			return l.ExplainIsLate()
		},
		func(l i18n.Lang, f found) string {
			if f.Instance != "" {
				return l.ExplainDoLateIdle()
			}
			return l.ExplainDoLate()
		},
	},
	statistics.CodeDropped: {dropped, droppedAdvice},
	statistics.CodeBarrierWaits: withTwo(found.shards, found.value,
		lang.ExplainIsBarrierWaits, lang.ExplainFixBarrierWaits),
	statistics.CodeClockDiffers: withTwo(found.instance, found.value, lang.ExplainIsClockDiffers, lang.ExplainFixClockDiffers),
	statistics.CodeFiredEarly: {
		func(l i18n.Lang, f found) string { return l.ExplainIsFiredEarly(f.Value) },
		func(l i18n.Lang, f found) string { return l.ExplainFixFiredEarly(f.Value) },
	},
	statistics.CodeZonesDiffer:  withOne(found.value, lang.ExplainIsZonesDiffer, lang.ExplainFixZonesDiffer),
	statistics.CodeShardsMissed: withOne(found.shards, lang.ExplainIsMissed, lang.ExplainDoMissed),
	statistics.CodeUnstable:     plain(lang.ExplainIsUnstable, lang.ExplainDoUnstable),
	statistics.CodeNotRecorded:  plain(lang.ExplainIsNotRecorded, lang.ExplainDoNotRecorded),
	statistics.CodeHistoryAway:  plain(lang.HealthIsAway, lang.ExplainDoAway),
	statistics.CodeRunWaits: {
		func(l i18n.Lang, f found) string { return l.ExplainIsRunWaits(shortID(f.Run), Waits(l, f.Wait)) },
		nil,
	},
	statistics.CodeOverrun: {overrun, plain(nil, lang.ExplainFixOverrun).advice},
	statistics.CodeTriggerWaiting: withOne(found.instance,
		lang.ExplainIsTriggerWaiting, lang.ExplainFixTriggerWaiting),
	statistics.CodeTriggerOrphaned: withOne(found.instance,
		lang.ExplainIsTriggerOrphaned, lang.ExplainFixTriggerOrphaned),
	statistics.CodeJobRefused: withTwo(found.instance, found.value,
		lang.ExplainIsJobRefused, lang.ExplainFixJobRefused),
	statistics.CodeAgentObstacle: {
		func(l i18n.Lang, f found) string { return obstacleWordsOf(f).sentence(l, f) },
		func(l i18n.Lang, f found) string { return obstacleWordsOf(f).advice(l, f) },
	},
	statistics.CodeRunning:        withTwo(found.shards, found.instance, lang.ExplainIsRunning, lang.ExplainDoRunning),
	statistics.CodeMisfireWaiting: {misfireWaits, nil},
	statistics.CodeItemBeyond:     withOne(found.shards, lang.ExplainIsItemBeyond, nil),
	statistics.CodeMonitorOff:     plain(lang.ExplainIsMonitorOff, nil),
	statistics.CodeTimeZoneIgnored: withOne(found.value,
		lang.ExplainIsTimeZoneIgnored, lang.ExplainFixTimeZoneIgnored),
	statistics.CodeZoneUnknownToJava: plain(lang.ExplainIsZoneUnknownToJava, lang.ExplainFixZoneUnknownToJava),
	statistics.CodeInstanceGhost: withOne(found.instance,
		lang.ExplainIsInstanceGhost, lang.ExplainFixInstanceGhost),
	statistics.CodeHoldUnheard: plain(lang.ExplainIsHoldUnheard, lang.ExplainFixHoldUnheard),
	statistics.CodeForeignNode: plain(lang.ExplainIsForeignNode, lang.ExplainFixForeignNode),
	statistics.CodeNumberOutOfBounds: {
		func(l i18n.Lang, f found) string { return l.ExplainIsNumberOutOfBounds(f.Field, f.Value) },
		func(l i18n.Lang, f found) string { return l.ExplainFixNumberOutOfBounds(f.Field) },
	},
	statistics.CodeRunPropertyWrong: {
		func(l i18n.Lang, f found) string { return l.ExplainIsRunPropertyWrong(f.Field, f.Value) },
		func(l i18n.Lang, f found) string { return l.ExplainFixRunPropertyWrong(f.Field) },
	},
	statistics.CodeInstanceLost: {
		func(l i18n.Lang, f found) string { return Lost(l, f.Finding) },
		plain(nil, lang.ExplainFixInstanceLost).advice,
	},
	statistics.CodeCrashes:      plain(lang.ExplainIsCrashes, lang.ExplainFixCrashes),
	statistics.CodeOneInstance:  plain(lang.HealthIsOneInstance, lang.ExplainFixOneInstance),
	statistics.CodeClockChecked: withOne(found.value, lang.ExplainIsClockChecked, lang.ExplainFixClockChecked),
}

// obstacleWords word what agents announce, by the code of the obstacle.
var obstacleWords = map[string]wording{
	"EXECUTOR_UNKNOWN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacle, lang.ExplainFixObstacleExecutor),
	"LISTENER_UNKNOWN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacle, lang.ExplainFixObstacleListener),
	"ERROR_HANDLER_UNKNOWN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacle, lang.ExplainFixObstacleErrorHandler),
	"STRATEGY_UNKNOWN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleAssigning, lang.ExplainFixObstacleStrategy),
	"ASSIGNING": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleAssigning, lang.ExplainFixObstacleAssigning),
	"CONTROL": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleControl, lang.ExplainFixObstacleAssigning),
	"FORBIDDEN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleForbidden, lang.ExplainFixObstacleForbidden),
	"BROKEN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleBroken, lang.ExplainFixObstacleBroken),
	"NOT_BEGUN": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleNotBegun, lang.ExplainFixObstacleNotBegun),
	"HANDLER_HANGS": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleHandlerHangs, lang.ExplainFixObstacleHandlerHangs),
	"LISTENER_HANGS": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleHangs, lang.ExplainFixObstacleListenerHangs),
	"LISTENER_FAILS": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleListenerFails, lang.ExplainFixObstacleListenerFails),
	"ERROR_HANDLER_HANGS": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleHangs, lang.ExplainFixObstacleErrorHandlerHangs),
	"NO_PLACE": withTwo(found.instance, found.value,
		lang.ExplainIsObstacleNoPlace, lang.ExplainFixObstacleNoPlace),
	"DEBUG": withOne(found.instance, lang.ExplainIsObstacleDebug, lang.ExplainFixObstacleDebug),
}

// obstacleWordsOf returns the wording of an obstacle, known or of a later version.
func obstacleWordsOf(f found) wording {
	if words, known := obstacleWords[f.Obstacle]; known {
		return words
	}
	return withTwo(found.instance, found.value, lang.ExplainIsObstacle, lang.ExplainFixObstacleNotBegun)
}

// Words returns a finding's sentence and advice in the reader's language.
func Words(l i18n.Lang, f statistics.Finding) (sentence, advice string) {
	words, known := findingWords[f.Code]
	switch {
	case l == i18n.English || !known:
		return f.Sentence, f.Advice
	case f.More > 0:
		return l.ExplainMore(f.More), l.ExplainDoMore()
	case f.Advice == statistics.DealFirst:
		advice = l.ExplainDoMore()
	case f.Advice != "" && words.advice != nil:
		advice = words.advice(l, found{f})
	}
	return words.sentence(l, found{f}), advice
}

// WordsOf is [Words] for a finding of the job. The finding that decides about the state by the
// history has the sentence of the health.
func (h *Health) WordsOf(l i18n.Lang, f statistics.Finding) (sentence, advice string) {
	sentence, advice = Words(l, f)
	if f.OfHistory() && h.Finding != nil && h.Finding.Code == f.Code {
		sentence = h.Sentence
	}
	return sentence, advice
}

// Lost is the sentence of a finding about a lost instance.
func Lost(l i18n.Lang, f statistics.Finding) string {
	if f.Value == string(members.Unknown) {
		return l.ExplainIsJavaLost(f.Instance, clock(f.Since))
	}
	return l.ExplainIsInstanceLost(f.Instance, clock(f.Since))
}

// ShutDown is the sentence of a finding about a job without an instance that was shut down by a user.
func ShutDown(l i18n.Lang, f statistics.Finding) string {
	if f.Server != "" {
		return l.ExplainIsShutDownOn(f.Server, clock(f.Since), f.Value)
	}
	return l.ExplainIsShutDown(clock(f.Since), f.Value)
}

func neverAgain(l i18n.Lang, f found) string {
	if f.Field != "cron" {
		return l.ExplainIsAllExcluded(f.Value)
	}
	return l.ExplainIsCronNeverAgain(f.Value)
}

func neverAgainAdvice(l i18n.Lang, f found) string {
	if f.Field != "cron" {
		return l.ExplainFixAllExcluded()
	}
	return l.ExplainFixCronNeverAgain()
}

func noInstance(l i18n.Lang, f found) string {
	if f.Value != "" {
		return ShutDown(l, f.Finding)
	}
	return l.ExplainIsNoInstance()
}

func noInstanceAdvice(l i18n.Lang, f found) string {
	if f.Value != "" {
		return l.ExplainFixShutDown()
	}
	return l.ExplainFixNoInstance()
}

func misfireWaits(l i18n.Lang, f found) string {
	if f.Field != "" { // The owner waits at the barrier of a listener.
		return l.ExplainIsMisfireBarrier(f.shards(l), f.Value)
	}
	return l.ExplainIsMisfireWaiting(f.shards(l))
}

// Holds is what a hold keeps from running.
func Holds(l i18n.Lang, what jobrun.Held) string {
	switch what {
	case jobrun.HeldSchedule:
		return l.HoldSaysSchedule()
	case jobrun.HeldRequests:
		return l.HoldSaysRequests()
	}
	return l.HoldSaysAll()
}

// heldSentence is the sentence of a finding about a hold.
func heldSentence(l i18n.Lang, f found) string {
	what := Holds(l, f.Hold.What)
	if f.Effect == statistics.EffectNothing && f.Hold.What == jobrun.HeldAll {
		what = Holds(l, jobrun.HeldRequests) // It has no schedule.
	}
	java := strings.Contains(f.Sentence, "Java agents")
	if java && f.Effect == statistics.EffectNothing {
		what = "" // All its agents are Java's.
	}
	text := l.ExplainIsHeld(f.Hold.By, what)
	if f.Hold.Reason != "" {
		text = l.ExplainIsHeldWhy(f.Hold.By, strings.TrimRight(f.Hold.Reason, "."), what)
	}
	if java {
		text = strings.TrimSpace(text) + " " + l.ExplainIsHeldJava()
	}
	return text
}

// Waits is why a run hasn't begun, or no handler works on it.
func Waits(l i18n.Lang, w jobrun.Wait) string {
	who := strings.Join(w.Who, ", ")
	switch w.Code {
	case jobrun.WaitTime:
		return l.RequestWaitsTime()
	case jobrun.WaitExpired:
		return l.RequestWaitsExpired()
	case jobrun.WaitHeld:
		return l.RequestWaitsHeld()
	case jobrun.WaitConfig:
		return l.RequestWaitsConfig(who)
	case jobrun.WaitNoProcess:
		return l.RequestWaitsNoProcess()
	case jobrun.WaitNotGo:
		return l.RequestWaitsNotGo(who)
	case jobrun.WaitDisabled:
		return l.RequestWaitsDisabled(who)
	case jobrun.WaitDebug:
		return l.RequestWaitsDebug(who)
	case jobrun.WaitRun:
		return l.RequestWaitsRun(shortID(w.Run))
	case jobrun.WaitQueue:
		return l.RequestWaitsQueue(w.N)
	case jobrun.WaitBusy:
		return l.RequestWaitsBusy(w.N, who)
	case jobrun.WaitPlaces:
		return l.RequestWaitsPlaces(who)
	case jobrun.WaitNoLeader:
		return l.RequestWaitsNoLeader()
	case jobrun.WaitShardsOff:
		return l.RequestWaitsShardsOff(who)
	case jobrun.WaitNoOwner:
		return l.RequestWaitsNoOwner(who)
	case jobrun.WaitResharding:
		return l.RequestWaitsResharding()
	case jobrun.WaitObstacle:
		return l.RequestWaitsObstacle(who)
	case jobrun.WaitNode:
		return l.RequestWaitsNode(w.Node)
	case jobrun.WaitAgent:
		return l.RequestWaitsAgent()
	}
	return w.Sentence
}

func shortID(id string) string { return id[strings.LastIndexByte(id, '-')+1:] }

// overrun names where shards run over a fire time, unless only the history shows that they run.
func overrun(l i18n.Lang, f found) string {
	if f.Node == explain.RunsNode {
		return l.ExplainIsOverrunRows(f.shards(l))
	}
	return l.ExplainIsOverrun(f.shards(l), f.where(l))
}

// dropped and droppedAdvice are about a fire time that is lost: no instance served the job then, or a run was on.
func dropped(l i18n.Lang, f found) string {
	if f.Node == explain.SeenNode {
		return l.ExplainIsUnserved()
	}
	if len(f.Items) > 0 {
		return l.ExplainIsDroppedBy(f.shards(l))
	}
	return l.ExplainIsDropped()
}

func droppedAdvice(l i18n.Lang, f found) string {
	if f.Node == explain.SeenNode {
		return l.ExplainFixUnserved()
	}
	return l.ExplainFixDropped()
}
