package cloud

import (
	"slices"
	"time"
)

const (
	// HistoryAtLeast is how long a run is kept at least, counted from its fire time and
	// from its launch. A scheduler that was frozen and goes on must find the name of a run
	// in use, long after its leadership ended.
	HistoryAtLeast = 15 * time.Minute
	// HistorySucceeded and HistoryFailed are how many runs of a job are kept.
	HistorySucceeded = 3
	HistoryFailed    = 10
)

// Trim says which runs of a job an engine may forget: those that have ended, the newest
// ones of each kind left out, and none before [HistoryAtLeast]. A scheduler stores their
// rows and the cursor before it does so. The run of a DAEMON job is no part of a history.
func Trim(runs []RunStatus, now time.Time) []string {
	ended := slices.DeleteFunc(slices.Clone(runs), func(r RunStatus) bool { return !r.State.Ended() || r.Origin == OriginDaemon })
	slices.SortFunc(ended, func(a, b RunStatus) int { return b.Ended.Compare(a.Ended) })
	left := map[bool]int{true: HistorySucceeded, false: HistoryFailed}
	var names []string
	for _, r := range ended {
		if well := r.State == RunSucceeded; left[well] > 0 {
			left[well]--
			continue
		}
		if now.Sub(r.Fire) > HistoryAtLeast && now.Sub(r.Created) > HistoryAtLeast {
			names = append(names, r.Name)
		}
	}
	return names
}
