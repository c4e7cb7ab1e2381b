package jobtree

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Held exists while the job's schedule, its requests by programs, or both are on hold. Java agents
// don't know it.
func (j Job) Held() string { return j.path("/extension/held") }

// Hold is the data of [Job.Held]. Its zero value holds nothing.
type Hold struct {
	What   jobrun.Held `json:"what"`
	By     string      `json:"by"`
	At     int64       `json:"at"` // milliseconds
	Reason string      `json:"reason,omitempty"`
}

func (h Hold) Encode() ([]byte, error) { return json.Marshal(h) }

// DecodeHold reads the node's data. Unreadable data holds everything, because a node means that
// something should not run.
func DecodeHold(data []byte) Hold {
	var h Hold
	if err := json.Unmarshal(data, &h); err != nil || !slices.Contains([]jobrun.Held{jobrun.HeldSchedule, jobrun.HeldRequests, jobrun.HeldAll}, h.What) {
		h.What = jobrun.HeldAll
	}
	return h
}

// Released has the times of the job's last release, from the data of [Job.RunsDone]: of any hold,
// and of a hold of its schedule. A time is zero if it's unset or unreadable.
type Released struct {
	Last     time.Time
	Schedule time.Time
}

func DecodeReleased(data []byte) Released {
	last, schedule, _ := strings.Cut(string(data), " ")
	return Released{ParseMoment(last), ParseMoment(schedule)}
}

// Encode returns the data of [Job.RunsDone].
func (r Released) Encode() []byte {
	data := strconv.AppendInt(nil, r.Last.UnixMilli(), 10)
	if !r.Schedule.IsZero() {
		data = strconv.AppendInt(append(data, ' '), r.Schedule.UnixMilli(), 10)
	}
	return data
}

// Shown returns the hold for people, with safe and bounded texts.
func (h Hold) Shown() jobrun.Hold {
	shown := jobrun.Hold{What: h.What, At: Moment(h.At), By: Shown(strings.ToValidUTF8(h.By, "\uFFFD")), Reason: Shown(strings.ToValidUTF8(h.Reason, "\uFFFD"))}
	if shown.By == "" {
		shown.By = "somebody"
	}
	return shown
}

// Schedule reports whether fire times pass without a run.
func (h Hold) Schedule() bool { return h.What.Schedule() }

// Requests reports whether runs that no person requested don't begin.
func (h Hold) Requests() bool { return h.What == jobrun.HeldRequests || h.What == jobrun.HeldAll }
