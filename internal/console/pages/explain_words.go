package pages

import (
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
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
func (f said) cause(i18n.Lang) string {
	_, cause, _ := strings.Cut(f.Sentence, ": ")
	return cause
}

// wording is how a finding is said, and the advice; nil for no advice.
type wording struct{ sentence, advice func(i18n.Lang, said) string }

func (f said) field(i18n.Lang) string    { return f.Field }
func (f said) instance(i18n.Lang) string { return f.Instance }
func (f said) server(i18n.Lang) string   { return f.Server }
func (f said) since(i18n.Lang) string    { return view.DateTime(f.Since).Text }
func (f said) value(i18n.Lang) string    { return f.Value }

type lang = i18n.Lang

// plain, withOne and withTwo are the wordings of findings whose sentences name so many parts.
func plain(sentence, advice func(lang) string) wording {
	w := wording{sentence: func(l i18n.Lang, _ said) string { return sentence(l) }}
	if advice != nil {
		w.advice = func(l i18n.Lang, _ said) string { return advice(l) }
	}
	return w
}

func withOne(a func(said, lang) string, sentence func(lang, string) string, advice func(lang) string) wording {
	w := plain(nil, advice)
	w.sentence = func(l i18n.Lang, f said) string { return sentence(l, a(f, l)) }
	return w
}

func withTwo(
	a, b func(said, lang) string, sentence func(_ lang, a, b string) string, advice func(lang) string,
) wording {
	w := plain(nil, advice)
	w.sentence = func(l i18n.Lang, f said) string { return sentence(l, a(f, l), b(f, l)) }
	return w
}

var findingWords = map[statistics.Code]wording{
	statistics.CodeConfigForbidden: plain(lang.HealthIsForbidden, lang.ExplainFixForbidden),
	statistics.CodeConfigAbsent:    plain(lang.ExplainIsConfigAbsent, lang.ExplainFixConfigAbsent),
	statistics.CodeConfigUnreadable: withOne(said.cause,
		lang.ExplainIsConfigUnreadable, lang.ExplainFixConfigUnreadable),
	statistics.CodeConfigUnusable: {
		func(l i18n.Lang, f said) string { return l.ExplainIsConfigUnusable(f.Field, f.cause(l)) },
		func(l i18n.Lang, f said) string { return l.ExplainFixConfigUnusable(f.Field) },
	},
	statistics.CodeConfigKeyUnknown: withOne(said.field,
		lang.ExplainIsConfigKeyUnknown, lang.ExplainFixConfigKeyUnknown),
	statistics.CodeConfigOtherRelease: withOne(said.field,
		lang.ExplainIsConfigOtherRelease, lang.ExplainFixConfigOtherRelease),
	statistics.CodeCronNeverAgain: withOne(said.value,
		lang.ExplainIsCronNeverAgain, lang.ExplainFixCronNeverAgain),
	statistics.CodeScheduleEnded: withOne(said.value,
		lang.ExplainIsScheduleEnded, lang.ExplainFixScheduleEnded),
	statistics.CodeScheduleNotBegun:  withOne(said.value, lang.ExplainIsScheduleNotBegun, nil),
	statistics.CodeDayExcluded:       withOne(said.value, lang.ExplainIsDayExcluded, nil),
	statistics.CodeNoInstance:        plain(lang.ExplainIsNoInstance, lang.ExplainFixNoInstance),
	statistics.CodeJobDisabled:       plain(lang.ExplainIsJobDisabled, lang.ExplainFixJobDisabled),
	statistics.CodeHeld:              {heldSentence, plain(nil, lang.ExplainFixHeld).advice},
	statistics.CodeNoEnabledInstance: plain(lang.ExplainIsNoEnabledInstance, lang.ExplainFixNoEnabledInstance),
	statistics.CodeServerDisabled: withTwo(said.server, said.instance,
		lang.ExplainIsServerDisabled, lang.ExplainFixServerDisabled),
	statistics.CodeServerAbsent: withTwo(said.instance, said.server,
		lang.ExplainIsServerAbsent, lang.ExplainFixServerAbsent),
	statistics.CodeInstanceUnreadable: withOne(said.instance,
		lang.ExplainIsInstanceUnreadable, lang.ExplainFixInstanceUnreadable),
	statistics.CodeNoLeader:   plain(lang.ExplainIsNoLeader, lang.ExplainFixNoLeader),
	statistics.CodeLeaderGone: withOne(said.instance, lang.ExplainIsLeaderGone, lang.ExplainFixLeaderGone),
	statistics.CodeReshardingAnnounced: withOne(said.since,
		lang.ExplainIsReshardingAnnounced, lang.ExplainFixReshardingAnnounced),
	statistics.CodeReshardingProcessing: withOne(said.since,
		lang.ExplainIsReshardingProcessing, lang.ExplainFixReshardingProcessing),
	statistics.CodeNothingDealt:     plain(lang.ExplainIsNothingAssigned, lang.ExplainFixNothingAssigned),
	statistics.CodeItemWithoutOwner: withOne(said.shards, lang.ExplainIsItemWithoutOwner, lang.ExplainFixReshard),
	statistics.CodeItemOwnerGone: withTwo(said.shards, said.instance,
		lang.ExplainIsItemOwnerGone, lang.ExplainFixReshard),
	statistics.CodeItemOwnerDisabled: withTwo(said.shards, said.instance,
		lang.ExplainIsItemOwnerDisabled, lang.ExplainFixReshard),
	statistics.CodeItemDisabled: withOne(said.shards, lang.ExplainIsItemDisabled, lang.ExplainFixItemDisabled),
	statistics.CodeRunningForged: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunningForged(f.shards(l), f.Instance) },
		func(l i18n.Lang, f said) string { return l.ExplainFixRunningForged(f.Node) },
	},
	statistics.CodeRunningStale: withTwo(said.shards, said.instance,
		lang.ExplainIsRunningStale, lang.ExplainFixRunningStale),
	statistics.CodeFailoverStale: withTwo(said.shards, said.instance,
		lang.ExplainIsFailoverStale, lang.ExplainFixFailoverStale),
	statistics.CodeFailoverTaken: {
		func(l i18n.Lang, f said) string { return l.ExplainIsFailoverTaken(f.shards(l), f.Instance) },
		func(l i18n.Lang, f said) string { return l.ExplainFixFailoverTaken(f.Instance) },
	},
	statistics.CodeFailoverOffered: withOne(said.shards,
		lang.ExplainIsFailoverOffered, lang.ExplainFixFailoverOffered),
	statistics.CodeFailing: withOne(said.shards, lang.ExplainIsFailing, lang.ExplainDoFailing),
	statistics.CodeLate: {
		func(l i18n.Lang, _ said) string { return l.ExplainIsLate() },
		func(l i18n.Lang, f said) string {
			if f.Instance != "" {
				return l.ExplainDoLateIdle()
			}
			return l.ExplainDoLate()
		},
	},
	statistics.CodeDropped: plain(lang.ExplainIsDropped, lang.ExplainFixDropped),
	statistics.CodeBarrierWaits: withTwo(said.shards, said.value,
		lang.ExplainIsBarrierWaits, lang.ExplainFixBarrierWaits),
	statistics.CodeZonesDiffer:  withOne(said.value, lang.ExplainIsZonesDiffer, lang.ExplainFixZonesDiffer),
	statistics.CodeShardsMissed: withOne(said.shards, lang.ExplainIsMissed, lang.ExplainDoMissed),
	statistics.CodeUnstable:     plain(lang.ExplainIsUnstable, lang.ExplainDoUnstable),
	statistics.CodeNotRecorded:  plain(lang.ExplainIsNotRecorded, lang.ExplainDoNotRecorded),
	statistics.CodeHistoryAway:  plain(lang.HealthIsAway, lang.ExplainDoAway),
	statistics.CodeRunWaits: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunWaits(shortID(f.Run), waitsFor(l, f.Wait)) },
		nil,
	},
	statistics.CodeOverrun: withTwo(said.shards, said.instance, lang.ExplainIsOverrun, lang.ExplainFixOverrun),
	statistics.CodeTriggerWaiting: withOne(said.instance,
		lang.ExplainIsTriggerWaiting, lang.ExplainFixTriggerWaiting),
	statistics.CodeTriggerOrphaned: withOne(said.instance,
		lang.ExplainIsTriggerOrphaned, lang.ExplainFixTriggerOrphaned),
	statistics.CodeJobRefused: withTwo(said.instance, said.value,
		lang.ExplainIsJobRefused, lang.ExplainFixJobRefused),
	statistics.CodeAgentObstacle: {
		func(l i18n.Lang, f said) string { return obstacleWordsOf(f).sentence(l, f) },
		func(l i18n.Lang, f said) string { return obstacleWordsOf(f).advice(l, f) },
	},
	statistics.CodeRunning:        withTwo(said.shards, said.instance, lang.ExplainIsRunning, lang.ExplainDoRunning),
	statistics.CodeMisfireWaiting: withOne(said.shards, lang.ExplainIsMisfireWaiting, nil),
	statistics.CodeItemBeyond:     withOne(said.shards, lang.ExplainIsItemBeyond, nil),
	statistics.CodeMonitorOff:     plain(lang.ExplainIsMonitorOff, nil),
	statistics.CodeTimeZoneIgnored: withOne(said.value,
		lang.ExplainIsTimeZoneIgnored, lang.ExplainFixTimeZoneIgnored),
	statistics.CodeZoneUnknownToJava: plain(lang.ExplainIsZoneUnknownToJava, lang.ExplainFixZoneUnknownToJava),
	statistics.CodeInstanceGhost: withOne(said.instance,
		lang.ExplainIsInstanceGhost, lang.ExplainFixInstanceGhost),
	statistics.CodeHoldUnheard: plain(lang.ExplainIsHoldUnheard, lang.ExplainFixHoldUnheard),
	statistics.CodeForeignNode: plain(lang.ExplainIsForeignNode, lang.ExplainFixForeignNode),
	statistics.CodeNumberOutOfBounds: {
		func(l i18n.Lang, f said) string { return l.ExplainIsNumberOutOfBounds(f.Field, f.Value) },
		func(l i18n.Lang, f said) string { return l.ExplainFixNumberOutOfBounds(f.Field) },
	},
	statistics.CodeRunPropertyWrong: {
		func(l i18n.Lang, f said) string { return l.ExplainIsRunPropertyWrong(f.Field, f.Value) },
		func(l i18n.Lang, f said) string { return l.ExplainFixRunPropertyWrong(f.Field) },
	},
	statistics.CodeInstanceLost: {
		func(l i18n.Lang, f said) string { return console.LostSentence(l, f.Finding) },
		plain(nil, lang.ExplainFixInstanceLost).advice,
	},
	statistics.CodeOneInstance:  plain(lang.HealthIsOneInstance, lang.ExplainFixOneInstance),
	statistics.CodeClockChecked: withOne(said.value, lang.ExplainIsClockChecked, lang.ExplainFixClockChecked),
}

// obstacleWords word what agents announce, by the code of the obstacle.
var obstacleWords = map[string]wording{
	"EXECUTOR_UNKNOWN": withTwo(said.instance, said.value,
		lang.ExplainIsObstacle, lang.ExplainFixObstacleExecutor),
	"LISTENER_UNKNOWN": withTwo(said.instance, said.value,
		lang.ExplainIsObstacle, lang.ExplainFixObstacleListener),
	"ERROR_HANDLER_UNKNOWN": withTwo(said.instance, said.value,
		lang.ExplainIsObstacle, lang.ExplainFixObstacleErrorHandler),
	"STRATEGY_UNKNOWN": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleAssigning, lang.ExplainFixObstacleStrategy),
	"ASSIGNING": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleAssigning, lang.ExplainFixObstacleAssigning),
	"CONTROL": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleControl, lang.ExplainFixObstacleAssigning),
	"FORBIDDEN": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleForbidden, lang.ExplainFixObstacleForbidden),
	"NOT_BEGUN": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleNotBegun, lang.ExplainFixObstacleNotBegun),
	"LISTENER_HANGS": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleHangs, lang.ExplainFixObstacleListenerHangs),
	"ERROR_HANDLER_HANGS": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleHangs, lang.ExplainFixObstacleErrorHandlerHangs),
	"NO_PLACE": withTwo(said.instance, said.value,
		lang.ExplainIsObstacleNoPlace, lang.ExplainFixObstacleNoPlace),
	"DEBUG": withOne(said.instance, lang.ExplainIsObstacleDebug, lang.ExplainFixObstacleDebug),
}

// obstacleWordsOf returns the wording of an obstacle, known or of a later version.
func obstacleWordsOf(f said) wording {
	if words, known := obstacleWords[f.Obstacle]; known {
		return words
	}
	return withTwo(said.instance, said.value, lang.ExplainIsObstacle, lang.ExplainFixObstacleNotBegun)
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
