package jobtree

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Held is present while the job is held: its schedule, or requests made by programs, or
// both, stand still. Java's agents do not know it.
func (j Job) Held() string { return j.path("/extension/held") }

// What of a job is held.
const (
	HoldSchedule = "schedule" // fire times pass
	HoldRequests = "requests" // requested runs that no person asked for do not begin
	HoldAll      = "all"
)

// Hold is the data of [Job.Held]. Its zero value holds nothing.
type Hold struct {
	What   string `json:"what"`
	By     string `json:"by"`
	At     int64  `json:"at"` // milliseconds
	Reason string `json:"reason,omitempty"`
}

// Encode returns the node's data.
func (h Hold) Encode() ([]byte, error) { return json.Marshal(h) }

// DecodeHold reads the node's data. What cannot be read holds all: somebody has made
// the node because something is not to run.
func DecodeHold(data []byte) Hold {
	var h Hold
	if err := json.Unmarshal(data, &h); err != nil || !slices.Contains([]string{HoldSchedule, HoldRequests, HoldAll}, h.What) {
		h.What = HoldAll
	}
	return h
}

// Released is when the job was released, as the data of [Job.RunsDone] says it: last of
// whatever was held, and last of a hold of its schedule. A time is zero if it never was, or
// the node says something else.
type Released struct {
	Last     time.Time
	Schedule time.Time
}

// DecodeReleased reads the data of [Job.RunsDone].
func DecodeReleased(data []byte) Released {
	last, schedule, _ := strings.Cut(string(data), " ")
	return Released{releasedAt(last), releasedAt(schedule)}
}

func releasedAt(text string) time.Time {
	ms, _ := strconv.ParseInt(text, 10, 64) // It is 0 for another text, or at a bound.
	return Moment(ms)
}

// Encode returns the data of [Job.RunsDone].
func (r Released) Encode() []byte {
	data := strconv.AppendInt(nil, r.Last.UnixMilli(), 10)
	if !r.Schedule.IsZero() {
		data = strconv.AppendInt(append(data, ' '), r.Schedule.UnixMilli(), 10)
	}
	return data
}

// Shown is the hold for people, whatever somebody has written into the node.
func (h Hold) Shown() jobrun.Hold {
	shown := jobrun.Hold{What: h.What, At: Moment(h.At), By: Shown(strings.ToValidUTF8(h.By, "\uFFFD")), Reason: Shown(strings.ToValidUTF8(h.Reason, "\uFFFD"))}
	if shown.By == "" {
		shown.By = "somebody"
	}
	return shown
}

// Schedule reports whether fire times pass.
func (h Hold) Schedule() bool { return h.What == HoldSchedule || h.What == HoldAll }

// Requests reports whether runs that no person asked for do not begin.
func (h Hold) Requests() bool { return h.What == HoldRequests || h.What == HoldAll }
