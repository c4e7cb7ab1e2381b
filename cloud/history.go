package cloud

import (
	"slices"
	"time"
)

const (
	// HistoryAtLeast is how long a run is kept after its fire time and its launch. A scheduler that
	// was frozen must still find the run's name in use, long after its leadership ended.
	HistoryAtLeast = 15 * time.Minute
	// HistorySucceeded and HistoryFailed are how many ended runs of a job are kept.
	HistorySucceeded = 3
	HistoryFailed    = 10
)

// Trim returns the runs that an engine may forget: ended ones, except the newest of each kind, and none before
// [HistoryAtLeast]. A scheduler first stores their rows and the cursor. The run of a DAEMON job isn't included.
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
