package runs

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// The properties of a job that control its runs.
const (
	PropAssign  = "run.deal"
	PropOverlap = "run.overlap"
	PropLost    = "run.lost"
	PropExpiry  = "run.expiry"
	PropKeep    = "run.keep"
	PropRetries = "run.retries"
	PropBackoff = "run.backoff"
	PropMost    = "run.backoff.max"
	PropTimeout = "run.timeout"
	PropPause   = "run.pause.after"
	PropLog     = "run.log"
)

type Settings struct {
	Assign    jobrun.Assign
	Overlap   jobrun.Overlap
	LostFails bool          // a shard fails if its instance dies, and isn't run again
	Expiry    time.Duration // negative: never
	Keep      int           // number of ended runs that stay in the registry
	Retries   int           // attempts after the first
	Backoff   time.Duration // before the second attempt; doubles with each further one
	MostWait  time.Duration // longest wait
	Timeout   time.Duration // of one attempt; 0 if none is stored
	Pause     int           // failures in a row until the job is held; 0 for never
	NoLog     bool          // the handlers' log lines aren't stored
}

const (
	defaultExpiry = 7 * 24 * time.Hour
	leastExpiry   = time.Second
	mostExpiry    = 365 * 24 * time.Hour
	defaultKeep   = 100
	mostKeep      = 1000
	mostRetries   = 100
	mostBackoff   = 24 * time.Hour
	mostTimeout   = jobconfig.MaxTimeoutMillis * time.Millisecond
	mostPause     = 1000
)

// SettingsOf reads the properties of a job. An invalid one is ignored and reported in problems, as
// a *jobconfig.FieldError.
func SettingsOf(c *jobconfig.Config) (s Settings, problems []error) {
	s = Settings{Assign: jobrun.AssignEach, Overlap: jobrun.OverlapQueue, Expiry: defaultExpiry, Keep: defaultKeep}
	problem := func(key, want, text string) {
		problems = append(problems, &jobconfig.FieldError{Field: "props." + key, Value: c.Props[key], Want: want, Text: text})
	}
	refuse := func(key, want string) {
		problem(key, want, fmt.Sprintf("%s: %q is not allowed; want %s", key, jobtree.Shown(c.Props[key]), want))
	}
	switch value := jobrun.Assign(c.Props[PropAssign]); value {
	case "", jobrun.AssignEach:
	case jobrun.AssignOne:
		s.Assign = value
		switch {
		case c.Cron != "":
			problem(PropAssign, "each, or a job without cron", PropAssign+": one needs a job without cron")
		case !c.MonitorExecution:
			problem(PropAssign, "each, or a job with monitorExecution", PropAssign+": one needs monitorExecution, which is off")
		}
	default:
		refuse(PropAssign, "each or one")
	}
	switch value := jobrun.Overlap(c.Props[PropOverlap]); value {
	case "":
	case jobrun.OverlapQueue, jobrun.OverlapOne, jobrun.OverlapSkip, jobrun.OverlapCancel:
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
	switch c.Props[PropLog] {
	case "", "on":
	case logOff:
		s.NoLog = true
	default:
		refuse(PropLog, "on or off")
	}
	s.Expiry = span(c.Props, PropExpiry, leastExpiry, mostExpiry, defaultExpiry, refuse, "1s to 8760h, or -1 for never")
	if strings.TrimSpace(c.Props[PropExpiry]) == "-1" {
		s.Expiry = -1
	}
	s.Backoff = span(c.Props, PropBackoff, 0, mostBackoff, 0, refuse, "0s to 24h")
	s.MostWait = span(c.Props, PropMost, 0, mostBackoff, defaultMostWait, refuse, "0s to 24h")
	s.Timeout = span(c.Props, PropTimeout, 0, mostTimeout, 0, refuse, "0s to "+mostTimeout.String())
	s.Keep = count(c.Props, PropKeep, mostKeep, defaultKeep, refuse)
	s.Retries = count(c.Props, PropRetries, mostRetries, 0, refuse)
	s.Pause = count(c.Props, PropPause, mostPause, 0, refuse)
	return s, problems
}

const logOff = "off"

// KeepsLog reports whether the log lines of a job's handlers are stored. Unlike [SettingsOf] it's
// cheap enough for every execution.
func KeepsLog(c *jobconfig.Config) bool { return c.Props[PropLog] != logOff }

// span reads a duration property. It returns otherwise if the property is absent or invalid.
func span(props map[string]string, key string, least, most, otherwise time.Duration, refuse func(key, want string), want string) time.Duration {
	value := strings.TrimSpace(props[key])
	if value == "" || value == "-1" && key == PropExpiry {
		return otherwise
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < least || d > most {
		refuse(key, "a duration from "+want)
		return otherwise
	}
	return d
}

// count reads a property that is a whole number, 0 or more.
func count(props map[string]string, key string, most, otherwise int, refuse func(key, want string)) int {
	value := strings.TrimSpace(props[key])
	if value == "" {
		return otherwise
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > most {
		refuse(key, "a whole number from 0 to "+strconv.Itoa(most))
		return otherwise
	}
	return n
}
