package runs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Overlap says what becomes of a run whose time comes while another one is under way.
type Overlap string

// The ways.
const (
	OverlapQueue  Overlap = "queue"  // it waits; one after the other
	OverlapOne    Overlap = "one"    // one may wait, further ones are skipped
	OverlapSkip   Overlap = "skip"   // it is skipped
	OverlapCancel Overlap = "cancel" // the one under way is cancelled, and this one follows
)

// The properties of a job that say how its runs are made.
const (
	PropAssign  = "run.deal"
	PropOverlap = "run.overlap"
	PropLost    = "run.lost"
	PropExpiry  = "run.expiry"
	PropKeep    = "run.keep"
)

// Settings are how the runs of a job are made.
type Settings struct {
	Assign    string // jobtree.RunEach or RunOne
	Overlap   Overlap
	LostFails bool          // a shard whose instance died fails, and is not run again
	Expiry    time.Duration // negative: never
	Keep      int           // runs that have ended and stay in the registry
}

const (
	defaultExpiry = 7 * 24 * time.Hour
	leastExpiry   = time.Second
	mostExpiry    = 365 * 24 * time.Hour
	defaultKeep   = 100
	mostKeep      = 1000
)

// SettingsOf reads the properties of a job. One that is wrong counts as absent, and is
// among the problems.
func SettingsOf(c *jobconfig.Config) (s Settings, problems []error) {
	s = Settings{Assign: jobtree.RunEach, Overlap: OverlapQueue, Expiry: defaultExpiry, Keep: defaultKeep}
	refuse := func(key, want string) {
		problems = append(problems, fmt.Errorf("%s: %q is not allowed; want %s", key, jobtree.Shown(c.Props[key]), want))
	}
	switch value := c.Props[PropAssign]; value {
	case "", jobtree.RunEach:
	case jobtree.RunOne:
		s.Assign = value
		switch {
		case c.Cron != "":
			problems = append(problems, fmt.Errorf("%s: one needs a job without cron", PropAssign))
		case !c.MonitorExecution:
			problems = append(problems, fmt.Errorf("%s: one needs monitorExecution, which is off", PropAssign))
		}
	default:
		refuse(PropAssign, "each or one")
	}
	switch value := Overlap(c.Props[PropOverlap]); value {
	case "":
	case OverlapQueue, OverlapOne, OverlapSkip, OverlapCancel:
		s.Overlap = value
	default:
		refuse(PropOverlap, "queue, one, skip or cancel")
	}
	switch c.Props[PropLost] {
	case "", "again":
	case "fail":
		s.LostFails = true
	default:
		refuse(PropLost, "again or fail")
	}
	switch value := strings.TrimSpace(c.Props[PropExpiry]); value {
	case "":
	case "-1":
		s.Expiry = -1
	default:
		if d, err := time.ParseDuration(value); err == nil && d >= leastExpiry && d <= mostExpiry {
			s.Expiry = d
		} else {
			refuse(PropExpiry, "a duration from 1s to 8760h, or -1 for never")
		}
	}
	if value := c.Props[PropKeep]; value != "" {
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n <= mostKeep {
			s.Keep = n
		} else {
			refuse(PropKeep, "a whole number from 0 to 1000")
		}
	}
	return s, problems
}
