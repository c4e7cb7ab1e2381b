package health

import (
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// Health is how a job is, in the reader's language.
type Health struct {
	explain.Judgement
	// Reason is at most five words; empty if there is nothing to say.
	Reason string
	// Sentence says the same in full.
	Sentence string
	// Cause is why the last run failed, and it may contain secrets. Fingerprint is the same
	// for all jobs that fail for the same reason. Both are empty unless the job's runs fail.
	Cause, Fingerprint string
	// Items are the shards that failed, were lost or don't run, and Where is
	// the address at which the first of them ran.
	Items []int
	Where string
}

// Judge judges a job and words the result.
func Judge(l i18n.Lang, e explain.Evidence) Health {
	h := Health{Judgement: explain.Judge(e)}
	if f := h.Finding; f != nil {
		h.Items, h.Where, h.Fingerprint = f.Items, f.Server, h.Judgement.Fingerprint()
		if h.Fingerprint != "" {
			h.Cause = e.Runs.Cause
		}
	}
	h.Reason, h.Sentence = said{l, &h, e.Job}.words()
	return h
}

// said is a judgement with the language for its words.
type said struct {
	l i18n.Lang
	*Health
	j *statistics.Job
}

// words are the reason and the sentence.
func (s said) words() (reason, sentence string) {
	l, j, d := s.l, s.j, s.Runs
	switch s.State {
	case explain.Reading:
		return l.HealthWhyReading(), l.HealthIsReading()
	case explain.Unreadable:
		return s.unreadable()
	case explain.Disabled:
		if s.Finding != nil && s.Finding.Code == statistics.CodeItemDisabled {
			return l.HealthWhyItemsOff(j.DisabledItems), l.HealthIsAllItemsOff()
		}
		return "", l.HealthIsDisabled()
	case explain.Down:
		if s.Finding != nil && s.Finding.Code == statistics.CodeNoEnabledInstance {
			return l.HealthWhyNoneEnabled(), l.HealthIsNoneEnabled(j.Instances)
		}
		return l.HealthWhyDown(), l.HealthIsDown()
	case explain.Held:
		return l.HealthWhyHeld(), l.HealthIsHeld(j.Held.By)
	case explain.Ended:
		return l.HealthWhyEnded(), l.HealthIsEnded()
	case explain.Blocked:
		return s.blocked()
	case explain.Failing:
		if s.Fingerprint == "" {
			n := max(1, len(s.Items))
			return l.HealthWhyLost(n), l.HealthIsLost(n)
		}
		return reasonOf(l, d), sentenceOf(l, d)
	case explain.Late:
		switch {
		case s.Resharding:
			return l.HealthWhyLateResharding(), l.HealthIsLateResharding(clock(s.Due))
		case s.Finding.Code == statistics.CodeDropped:
			if s.Passed {
				return l.HealthWhyDropped(), l.HealthIsUnserved(clock(s.Due))
			}
			return l.HealthWhyDropped(), l.HealthIsDropped(clock(s.Due))
		}
		reason, sentence := l.HealthWhyLate(), l.HealthIsLate(clock(s.Due))
		if len(s.Items) > 0 {
			sentence = l.HealthIsLateShards(clock(s.Due), phrase(l, s.Items))
		}
		if !s.Proven {
			reason, sentence = notRecorded(l, d), l.HealthIsLateByRows(clock(s.Due))
		}
		if len(s.Idle) > 0 {
			sentence += l.HealthIdle(l.List(s.Idle))
		}
		return reason, sentence
	case explain.Resharding:
		reason := l.HealthWhyReassigned()
		switch {
		case j.UnassignedShards > 0 && j.UnassignedShards < j.Shards:
			reason = l.HealthWhyUnassigned(j.UnassignedShards)
		case j.UnassignedShards > 0:
			reason = l.HealthWhyResharding()
		}
		return reason, l.HealthIsResharding(s.finding())
	case explain.Partial:
		return s.partial()
	case explain.Unstable:
		if s.Finding.Code == statistics.CodeCrashes {
			return l.HealthWhyCrashes(d.Crashes), l.HealthIsCrashes(d.Crashes, clock(d.CrashesSince))
		}
		return l.HealthWhyUnstable(d.Failures, d.LastRuns()), l.HealthIsUnstable(d.Failures, d.LastRuns())
	case explain.Unknown:
		return s.unknown()
	case explain.Running:
		if s.ByHistory {
			return l.HealthWhyRunningByHistory(s.Left, max(j.Shards, s.Left)), l.HealthIsRunningByHistory(s.Left)
		}
		return l.HealthWhyRunning(s.Left, max(j.Shards, s.Left)), l.HealthIsRunning(s.Left)
	}
	switch {
	case j.Held.What != "" && j.Held.What != jobrun.HeldSchedule:
		return l.HealthWhyHeldRequests(), l.HealthIsHeldRequests(j.Held.By)
	case j.OneInstance:
		return l.HealthWhyOneInstance(), l.HealthIsOneInstance()
	case j.DisabledServers > 0:
		return l.HealthWhyServersOff(j.DisabledServers), l.HealthIsServersOff(j.DisabledServers)
	case s.NeverRan && j.Cron == "":
		return l.HealthWhyNotRecorded(), l.HealthIsNeverTriggered()
	case s.NeverRan:
		return l.HealthWhyNotRecorded(), l.HealthIsNever()
	}
	return "", l.HealthIsHealthy()
}

func (s said) unreadable() (reason, sentence string) {
	why := s.j.ConfigError
	if s.Finding != nil && s.Finding.Code == statistics.CodeConfigAbsent {
		return s.l.HealthWhyAbsent(), s.l.ExplainIsConfigAbsent()
	}
	if f := s.Finding; f != nil && why == "" {
		_, why, _ = strings.Cut(f.Sentence, ": ")
	}
	return words(part(why), reasonWords), s.l.HealthIsUnreadable(part(why))
}

func (s said) blocked() (reason, sentence string) {
	f := s.Finding
	switch f.Code {
	case statistics.CodeNoLeader, statistics.CodeLeaderGone:
		reason = s.l.HealthWhyNoLeader()
	case statistics.CodeJobRefused:
		reason = s.l.HealthWhyRefused()
	default:
		reason = s.l.HealthWhyBlocked()
	}
	return reason, s.l.HealthIsBlocked(s.finding())
}

func (s said) partial() (reason, sentence string) {
	f := s.Finding
	switch f.Code {
	case statistics.CodeItemDisabled:
		return s.l.HealthWhyItemsOff(len(f.Items)), s.l.HealthIsItemsOff(len(f.Items))
	case statistics.CodeDropped:
		return s.l.HealthWhyDropped(), s.l.HealthIsDroppedBy(clock(s.Due), phrase(s.l, f.Items))
	case statistics.CodeShardsMissed:
		return s.l.HealthWhyMissed(len(f.Items)), s.l.HealthIsMissed(clock(s.Since), phrase(s.l, f.Items))
	}
	return s.l.HealthWhyPartial(), s.l.HealthIsPartial(s.finding())
}

func (s said) unknown() (reason, sentence string) {
	switch s.Finding.Code {
	case statistics.CodeConfigForbidden:
		return s.l.HealthWhyForbidden(), s.l.HealthIsForbidden()
	case statistics.CodeHistoryAway:
		return s.l.HealthWhyAway(), s.l.HealthIsAway()
	case statistics.CodeOverrun:
		return s.l.HealthWhyMayRun(), s.l.HealthIsOverrun(phrase(s.l, s.Finding.Items), clock(s.Due))
	}
	if !s.Unended.IsZero() {
		return s.l.HealthWhyUnended(), s.l.HealthIsUnended(clock(s.Unended))
	}
	if len(s.Items) > 0 {
		return s.l.HealthWhyShardsNotRecorded(), s.l.HealthIsUnrecorded(phrase(s.l, s.Items))
	}
	if ran := s.Runs.RanLast(s.j); !ran.IsZero() && !ran.Before(s.Due) {
		return notRecorded(s.l, s.Runs), s.l.HealthIsRanUnrecorded(clock(ran))
	}
	if s.Passed {
		return notRecorded(s.l, s.Runs), s.l.HealthIsPassed(clock(s.Due), clock(s.j.ReadySince))
	}
	return notRecorded(s.l, s.Runs), s.l.HealthIsNotRecorded(clock(s.Due))
}

// notRecorded is the reason if the run of the newest fire time isn't on record.
func notRecorded(l i18n.Lang, d *explain.Digest) string {
	if d.LastStart.IsZero() {
		return l.HealthWhyNotRecorded()
	}
	return l.HealthWhyDueNotRecorded()
}

// reasonWords is how many words a reason has at most.
const reasonWords = 5

// words are the first n words of a text.
func words(text string, n int) string {
	list := strings.Fields(text)
	return strings.Join(list[:min(n, len(list))], " ")
}

// part is a text inside a sentence.
func part(text string) string { return strings.TrimRight(text, ".。 ") }

// finding is the sentence of the finding that decides, as a part of another sentence.
func (s said) finding() string {
	sentence, _ := Words(s.l, *s.Finding)
	return part(sentence)
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// RunsText is how many runs in a row failed: "4 runs", "20+ runs".
func RunsText(l i18n.Lang, d *explain.Digest) string {
	if d.AtLeast {
		return l.HealthRunsAtLeast(d.Runs)
	}
	if d.Runs == 1 {
		return l.HealthRun()
	}
	return l.HealthRuns(d.Runs)
}

// reasonOf is "4 runs · mail 503": the number of runs, and up to three words.
func reasonOf(l i18n.Lang, d *explain.Digest) string {
	what := l.HealthLost()
	if len(d.Failed) > 0 {
		what = explain.Short(d.Cause)
	}
	if what == "" {
		return RunsText(l, d)
	}
	return l.HealthWhyFailing(RunsText(l, d), what)
}

// sentenceOf names the shards that failed and the reason.
func sentenceOf(l i18n.Lang, d *explain.Digest) string {
	failed, lost := l.HealthPartFailed(phrase(l, d.Failed)), l.HealthPartLost(phrase(l, d.Lost), len(d.Lost))
	what := failed
	switch {
	case len(d.Failed) == 0:
		what = lost
	case len(d.Lost) > 0:
		what = l.HealthBoth(failed, lost)
	case len(d.Failed) == 1 && d.Where != "":
		what = l.HealthFailedOn(phrase(l, d.Failed), d.Where)
	}
	text := l.HealthLastRun(what)
	if d.Runs > 1 {
		text = l.HealthLastRuns(RunsText(l, d), what)
	}
	if cause := part(d.Cause); cause != "" {
		return l.HealthBecause(text, cause)
	}
	return l.HealthEnds(text)
}

// phrase names shards: "shard 3", "shards 0, 1, 2 and 5 more".
func phrase(l i18n.Lang, items []int) string {
	const most = 5
	names := jobtree.ItemNames(items[:min(most, len(items))])
	switch {
	case len(items) == 1:
		return l.HealthShard(names[0])
	case len(items) > most:
		return l.HealthShardsMore(l.List(names), len(items)-most)
	}
	return l.HealthShards(l.List(names))
}
