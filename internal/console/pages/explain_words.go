package pages

import (
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// The package statistics says its findings in English, with every detail. In another
// language they are said by their code and values.

// said is a finding to be said.
type said struct{ statistics.Finding }

// shards names the shards of a finding.
func (f said) shards(l i18n.Lang) string {
	names := make([]string, len(f.Items))
	for i, n := range f.Items {
		names[i] = strconv.Itoa(n)
	}
	return l.ExplainShards(len(names), l.List(names))
}

// cause is the error at the end of the English sentence.
func (f said) cause() string {
	_, cause, _ := strings.Cut(f.Sentence, ": ")
	return cause
}

// wording is how a finding is said, and the advice; nil for no advice.
type wording struct{ sentence, advice func(i18n.Lang, said) string }

var findingWords = map[statistics.Code]wording{
	statistics.CodeConfigForbidden: {
		func(l i18n.Lang, _ said) string { return l.HealthIsForbidden() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixForbidden() },
	},
	statistics.CodeConfigAbsent: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsConfigAbsent() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixConfigAbsent() },
	},
	statistics.CodeConfigUnreadable: {
		func(l i18n.Lang, f said) string { return l.ExplainIsConfigUnreadable(f.cause()) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixConfigUnreadable() },
	},
	statistics.CodeConfigUnusable: {
		func(l i18n.Lang, f said) string { return l.ExplainIsConfigUnusable(f.Field, f.cause()) },
		func(l i18n.Lang, f said) string { return l.ExplainFixConfigUnusable(f.Field) },
	},
	statistics.CodeConfigKeyUnknown: {
		func(l i18n.Lang, f said) string { return l.ExplainIsConfigKeyUnknown(f.Field) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixConfigKeyUnknown() },
	},
	statistics.CodeConfigOtherRelease: {
		func(l i18n.Lang, f said) string { return l.ExplainIsConfigOtherRelease(f.Field) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixConfigOtherRelease() },
	},
	statistics.CodeCronNeverAgain: {
		func(l i18n.Lang, f said) string { return l.ExplainIsCronNeverAgain(f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixCronNeverAgain() },
	},
	statistics.CodeScheduleEnded: {
		func(l i18n.Lang, f said) string { return l.ExplainIsScheduleEnded(f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixScheduleEnded() },
	},
	statistics.CodeScheduleNotBegun: {
		func(l i18n.Lang, f said) string { return l.ExplainIsScheduleNotBegun(f.Value) }, nil,
	},
	statistics.CodeDayExcluded: {
		func(l i18n.Lang, f said) string { return l.ExplainIsDayExcluded(f.Value) }, nil,
	},
	statistics.CodeNoInstance: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsNoInstance() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixNoInstance() },
	},
	statistics.CodeJobDisabled: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsJobDisabled() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixJobDisabled() },
	},
	statistics.CodeHeld: {
		heldSentence,
		func(l i18n.Lang, _ said) string { return l.ExplainFixHeld() },
	},
	statistics.CodeNoEnabledInstance: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsNoEnabledInstance() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixNoEnabledInstance() },
	},
	statistics.CodeServerDisabled: {
		func(l i18n.Lang, f said) string { return l.ExplainIsServerDisabled(f.Server, f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixServerDisabled() },
	},
	statistics.CodeServerAbsent: {
		func(l i18n.Lang, f said) string { return l.ExplainIsServerAbsent(f.Instance, f.Server) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixServerAbsent() },
	},
	statistics.CodeInstanceUnreadable: {
		func(l i18n.Lang, f said) string { return l.ExplainIsInstanceUnreadable(f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixInstanceUnreadable() },
	},
	statistics.CodeNoLeader: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsNoLeader() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixNoLeader() },
	},
	statistics.CodeLeaderGone: {
		func(l i18n.Lang, f said) string { return l.ExplainIsLeaderGone(f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixLeaderGone() },
	},
	statistics.CodeReshardingAnnounced: {
		func(l i18n.Lang, f said) string { return l.ExplainIsReshardingAnnounced(view.DateTime(f.Since).Text) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixReshardingAnnounced() },
	},
	statistics.CodeReshardingProcessing: {
		func(l i18n.Lang, f said) string { return l.ExplainIsReshardingProcessing(view.DateTime(f.Since).Text) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixReshardingProcessing() },
	},
	statistics.CodeNothingDealt: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsNothingAssigned() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixNothingAssigned() },
	},
	statistics.CodeItemWithoutOwner: {
		func(l i18n.Lang, f said) string { return l.ExplainIsItemWithoutOwner(f.shards(l)) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixReshard() },
	},
	statistics.CodeItemOwnerGone: {
		func(l i18n.Lang, f said) string { return l.ExplainIsItemOwnerGone(f.shards(l), f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixReshard() },
	},
	statistics.CodeItemOwnerDisabled: {
		func(l i18n.Lang, f said) string { return l.ExplainIsItemOwnerDisabled(f.shards(l), f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixReshard() },
	},
	statistics.CodeItemDisabled: {
		func(l i18n.Lang, f said) string { return l.ExplainIsItemDisabled(f.shards(l)) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixItemDisabled() },
	},
	statistics.CodeRunningForged: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunningForged(f.shards(l), f.Instance) },
		func(l i18n.Lang, f said) string { return l.ExplainFixRunningForged(f.Node) },
	},
	statistics.CodeRunningStale: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunningStale(f.shards(l), f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixRunningStale() },
	},
	statistics.CodeFailoverStale: {
		func(l i18n.Lang, f said) string { return l.ExplainIsFailoverStale(f.shards(l), f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixFailoverStale() },
	},
	statistics.CodeFailoverTaken: {
		func(l i18n.Lang, f said) string { return l.ExplainIsFailoverTaken(f.shards(l), f.Instance) },
		func(l i18n.Lang, f said) string { return l.ExplainFixFailoverTaken(f.Instance) },
	},
	statistics.CodeFailoverOffered: {
		func(l i18n.Lang, f said) string { return l.ExplainIsFailoverOffered(f.shards(l)) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixFailoverOffered() },
	},
	statistics.CodeFailing: {
		func(l i18n.Lang, f said) string { return l.ExplainIsFailing(f.shards(l)) },
		func(l i18n.Lang, _ said) string { return l.ExplainDoFailing() },
	},
	statistics.CodeLate: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsLate() },
		func(l i18n.Lang, f said) string {
			if f.Instance != "" {
				return l.ExplainDoLateIdle()
			}
			return l.ExplainDoLate()
		},
	},
	statistics.CodeDropped: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsDropped() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixDropped() },
	},
	statistics.CodeBarrierWaits: {
		func(l i18n.Lang, f said) string { return l.ExplainIsBarrierWaits(f.shards(l), f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixBarrierWaits() },
	},
	statistics.CodeZonesDiffer: {
		func(l i18n.Lang, f said) string { return l.ExplainIsZonesDiffer(f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixZonesDiffer() },
	},
	statistics.CodeShardsMissed: {
		func(l i18n.Lang, f said) string { return l.ExplainIsMissed(f.shards(l)) },
		func(l i18n.Lang, _ said) string { return l.ExplainDoMissed() },
	},
	statistics.CodeUnstable: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsUnstable() },
		func(l i18n.Lang, _ said) string { return l.ExplainDoUnstable() },
	},
	statistics.CodeNotRecorded: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsNotRecorded() },
		func(l i18n.Lang, _ said) string { return l.ExplainDoNotRecorded() },
	},
	statistics.CodeHistoryAway: {
		func(l i18n.Lang, _ said) string { return l.HealthIsAway() },
		func(l i18n.Lang, _ said) string { return l.ExplainDoAway() },
	},
	statistics.CodeRunWaits: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunWaits(shortID(f.Run), waitsFor(l, f.Wait)) },
		nil,
	},
	statistics.CodeOverrun: {
		func(l i18n.Lang, f said) string { return l.ExplainIsOverrun(f.shards(l), f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixOverrun() },
	},
	statistics.CodeTriggerWaiting: {
		func(l i18n.Lang, f said) string { return l.ExplainIsTriggerWaiting(f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixTriggerWaiting() },
	},
	statistics.CodeTriggerOrphaned: {
		func(l i18n.Lang, f said) string { return l.ExplainIsTriggerOrphaned(f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixTriggerOrphaned() },
	},
	statistics.CodeJobRefused: {
		func(l i18n.Lang, f said) string { return l.ExplainIsJobRefused(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixJobRefused() },
	},
	statistics.CodeAgentObstacle: {
		func(l i18n.Lang, f said) string { return obstacleWordsOf(f).sentence(l, f) },
		func(l i18n.Lang, f said) string { return obstacleWordsOf(f).advice(l, f) },
	},
	statistics.CodeRunning: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunning(f.shards(l), f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainDoRunning() },
	},
	statistics.CodeMisfireWaiting: {
		func(l i18n.Lang, f said) string { return l.ExplainIsMisfireWaiting(f.shards(l)) },
		nil,
	},
	statistics.CodeItemBeyond: {
		func(l i18n.Lang, f said) string { return l.ExplainIsItemBeyond(f.shards(l)) },
		nil,
	},
	statistics.CodeMonitorOff: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsMonitorOff() },
		nil,
	},
	statistics.CodeTimeZoneIgnored: {
		func(l i18n.Lang, f said) string { return l.ExplainIsTimeZoneIgnored(f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixTimeZoneIgnored() },
	},
	statistics.CodeZoneUnknownToJava: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsZoneUnknownToJava() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixZoneUnknownToJava() },
	},
	statistics.CodeInstanceGhost: {
		func(l i18n.Lang, f said) string { return l.ExplainIsInstanceGhost(f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixInstanceGhost() },
	},
	statistics.CodeHoldUnheard: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsHoldUnheard() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixHoldUnheard() },
	},
	statistics.CodeForeignNode: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsForeignNode() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixForeignNode() },
	},
	statistics.CodeNumberOutOfBounds: {
		func(l i18n.Lang, f said) string { return l.ExplainIsNumberOutOfBounds(f.Field, f.Value) },
		func(l i18n.Lang, f said) string { return l.ExplainFixNumberOutOfBounds(f.Field) },
	},
	statistics.CodeRunPropertyWrong: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunPropertyWrong(f.Field, f.Value) },
		func(l i18n.Lang, f said) string { return l.ExplainFixRunPropertyWrong(f.Field) },
	},
	statistics.CodeInstanceLost: {
		func(l i18n.Lang, f said) string {
			if f.Value == string(members.Unknown) {
				return l.ExplainIsJavaLost(f.Instance, view.DateTime(f.Since).Text)
			}
			return l.ExplainIsInstanceLost(f.Instance, view.DateTime(f.Since).Text)
		},
		func(l i18n.Lang, _ said) string { return l.ExplainFixInstanceLost() },
	},
	statistics.CodeOneInstance: {
		func(l i18n.Lang, _ said) string { return l.HealthIsOneInstance() },
		func(l i18n.Lang, _ said) string { return l.ExplainFixOneInstance() },
	},
	statistics.CodeClockChecked: {
		func(l i18n.Lang, f said) string { return l.ExplainIsClockChecked(f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixClockChecked() },
	},
}

// obstacleWords word what agents announce, by the code of the obstacle.
var obstacleWords = map[string]wording{
	"EXECUTOR_UNKNOWN":      {hinders, func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleExecutor() }},
	"LISTENER_UNKNOWN":      {hinders, func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleListener() }},
	"ERROR_HANDLER_UNKNOWN": {hinders, func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleErrorHandler() }},
	"STRATEGY_UNKNOWN": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleAssigning(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleStrategy() },
	},
	"ASSIGNING": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleAssigning(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleAssigning() },
	},
	"CONTROL": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleControl(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleAssigning() },
	},
	"FORBIDDEN": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleForbidden(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleForbidden() },
	},
	"NOT_BEGUN": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleNotBegun(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleNotBegun() },
	},
	"LISTENER_HANGS": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleHangs(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleListenerHangs() },
	},
	"ERROR_HANDLER_HANGS": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleHangs(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleErrorHandlerHangs() },
	},
	"NO_PLACE": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleNoPlace(f.Instance, f.Value) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleNoPlace() },
	},
	"DEBUG": {
		func(l i18n.Lang, f said) string { return l.ExplainIsObstacleDebug(f.Instance) },
		func(l i18n.Lang, _ said) string { return l.ExplainFixObstacleDebug() },
	},
}

func hinders(l i18n.Lang, f said) string { return l.ExplainIsObstacle(f.Instance, f.Value) }

// obstacleWordsOf returns the wording of an obstacle, known or of a later version.
func obstacleWordsOf(f said) wording {
	if words, known := obstacleWords[f.Obstacle]; known {
		return words
	}
	return wording{hinders, obstacleWords["NOT_BEGUN"].advice}
}

// findingIn returns a finding's sentence and advice in the reader's language. A finding of the
// history that decides about the state has the sentence of the job's health.
func findingIn(l i18n.Lang, f statistics.Finding, h *health.Health) (sentence, advice string) {
	if f.OfHistory() && h.Finding != nil && h.Finding.Code == f.Code {
		defer func() { sentence = h.Sentence }()
	}
	words, known := findingWords[f.Code]
	switch {
	case l == i18n.English || !known:
		return f.Sentence, f.Advice
	case f.More > 0:
		return l.ExplainMore(f.More), l.ExplainDoMore()
	case f.Advice == statistics.DealFirst:
		advice = l.ExplainDoMore()
	case f.Advice != "" && words.advice != nil:
		advice = words.advice(l, said{f})
	}
	return words.sentence(l, said{f}), advice
}

// summaryIn is the answer of an explanation in one sentence or two.
func summaryIn(l i18n.Lang, why console.Explained) string {
	if why.Finding != nil && why.Finding.OfHistory() {
		return why.Health.Sentence
	}
	if l == i18n.English {
		return why.Summary
	}
	first := ""
	if len(why.Findings) > 0 {
		first, _ = findingIn(l, why.Findings[0], &why.Health)
	}
	switch why.Part() {
	case explain.All:
		return l.ExplainSumBlocked(first)
	case explain.Some:
		return l.ExplainSumPart(first)
	}
	if why.State == explain.Failing || why.State == explain.Unknown {
		return first
	}
	for _, f := range why.Findings {
		if f.Code == statistics.CodeConfigOtherRelease {
			sentence, _ := findingIn(l, f, &why.Health)
			return l.ExplainSumDoubt(sentence)
		}
	}
	for _, f := range why.Findings {
		if f.Code == statistics.CodeRunWaits {
			sentence, _ := findingIn(l, f, &why.Health)
			return sentence
		}
	}
	if why.Why.NextFire.IsZero() {
		return l.ExplainSumTrigger()
	}
	return l.ExplainSumNext(why.Why.NextFire.Format("2006-01-02 15:04:05 MST"))
}
