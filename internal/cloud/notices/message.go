package notices

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
)

// Limits of a message: shards, and bytes of each shard's cause.
const (
	shardsOfText     = 10
	causeOfText      = 200
	shardsOfDocument = 100
	causeOfDocument  = 1000
	mostMessage      = 500
)

// document is the JSON for a WEBHOOK, with the names of the REST interface.
type document struct {
	Event        string        `json:"event"` // run_failed
	JobName      string        `json:"jobName"`
	AppName      string        `json:"appName"`
	Run          string        `json:"run"`
	Origin       string        `json:"origin"`
	FireTime     string        `json:"fireTime"`
	StartTime    string        `json:"startTime,omitempty"`
	CompleteTime string        `json:"completeTime"`
	Message      string        `json:"message,omitempty"`
	TaskCount    int           `json:"taskCount"`
	Failed       int           `json:"failedCount"`
	FailedShards []failedShard `json:"failedShards"` // the first hundred
	Link         string        `json:"link,omitempty"`
}

// failedShard is the last attempt at a shard.
type failedShard struct {
	Shard   int    `json:"shardingItem"`
	Attempt int    `json:"attempt"`
	State   string `json:"state"`
	Node    string `json:"node,omitempty"`
	Cause   string `json:"cause,omitempty"`
}

func (n *Notifier) message(job cloud.Job, run cloud.RunStatus, failed []cloud.Task) notify.Message {
	moment := func(at time.Time) string {
		if at.IsZero() {
			return ""
		}
		return at.In(n.zone(job)).Format(time.RFC3339)
	}
	d := document{
		Event: "run_failed", JobName: run.JobName, AppName: run.AppName, Run: run.Name, Origin: string(run.Origin),
		FireTime: moment(run.Fire), StartTime: moment(run.Started), CompleteTime: moment(run.Ended),
		Message: cause(run.Message, mostMessage), TaskCount: run.Count, Failed: len(failed), FailedShards: []failedShard{}, Link: n.link(run.Name),
	}
	for _, t := range failed[:min(len(failed), shardsOfDocument)] {
		d.FailedShards = append(d.FailedShards, failedShard{t.Shard, t.Attempt, string(t.State), t.Node, cause(t.Message, causeOfDocument)})
	}
	return notify.Message{Text: d.text(), Document: d}
}

// text returns the document for people. The most important parts come first, because chats cut long texts.
func (d document) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("Job '%s' failed: run %s", d.JobName, d.Run)
	fired := "Fire time"
	if d.Origin == string(cloud.OriginManual) {
		fired = "Requested at"
	}
	line("%s: %s", fired, d.FireTime)
	line("Ended: %s", d.CompleteTime)
	line("Application: %s", d.AppName)
	if d.Link != "" {
		line("%s", d.Link)
	}
	if d.Message != "" {
		line("%s", d.Message)
	}
	line("Failed shards: %d of %d", d.Failed, d.TaskCount)
	for _, s := range d.FailedShards[:min(len(d.FailedShards), shardsOfText)] {
		where := fmt.Sprintf("attempt %d", s.Attempt)
		if s.Node != "" {
			where += " on " + s.Node
		}
		line("- shard %d, %s, %s: %s", s.Shard, where, s.State, mask.Clip(s.Cause, causeOfText))
	}
	if more := d.Failed - shardsOfText; more > 0 {
		line("- and %d more", more)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// link returns the address of the run's page, if the console's address is known.
func (n *Notifier) link(run string) string {
	if n.Address == "" {
		return ""
	}
	return strings.TrimSuffix(n.Address, "/") + "/cloud/runs/" + url.PathEscape(run)
}

func (n *Notifier) zone(job cloud.Job) *time.Location {
	if job.TimeZone != "" {
		if zone, err := cloud.LoadZone(job.TimeZone); err == nil {
			return zone
		}
	}
	return n.Zone
}

// cause masks and shortens the message of an engine or a program, because readers need no login.
func cause(text string, most int) string {
	return mask.Clip(mask.Text(strings.ToValidUTF8(text, "\ufffd")), most)
}
