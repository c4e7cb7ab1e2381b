package past

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// stopKind is the thing that an action stopped.
type stopKind int

// The kinds, in the order of the answer.
const (
	stopJob    stopKind = iota // the job was disabled, on every server
	stopHold                   // its schedule was held
	stopEnd                    // its instances were stopped, or it was removed
	stopServer                 // one server was disabled or removed
	stopShard                  // one shard was disabled
)

// stop is a recorded action that kept a job, or a part of it, from running.
type stop struct {
	kind   stopKind
	of     string // the server or shard; "" for the job
	record *settings.Record
}

func (s stop) words(l i18n.Lang) string {
	at, who := stamp(s.record.At), cmp.Or(s.record.User, "–")
	switch s.kind {
	case stopHold:
		return l.PastHeld(at, who)
	case stopEnd:
		return l.PastStopped(at, who)
	case stopServer:
		return l.PastServerOff(s.of, at, who)
	case stopShard:
		return l.PastShardOff(s.of, at, who)
	}
	return l.PastDisabled(at, who)
}

// actsOn lists the things that actions stop and start, by the ends of their routes.
var actsOn = []struct {
	end    string
	kind   stopKind
	starts bool
}{
	{"/sharding/:item/disable", stopShard, false}, {"/sharding/:item/enable", stopShard, true},
	{"/shards/disable", stopShard, false}, {"/shards/enable", stopShard, true},
	{"/servers/:ip/disable", stopServer, false}, {"/servers/:ip/enable", stopServer, true},
	{"/servers/:ip/jobs/:job/disable", stopServer, false}, {"/servers/:ip/jobs/:job/enable", stopServer, true},
	{"/servers/:ip/jobs/:job", stopServer, false}, {"/servers/:ip/jobs/:job/remove", stopServer, false},
	{"/servers/:ip/shutdown", stopServer, false}, {"/servers/:ip/jobs/:job/shutdown", stopServer, false},
	{"/hold", stopHold, false}, {"/release", stopHold, true},
	{"/disable", stopJob, false}, {"/enable", stopJob, true}, {"enable at a time", stopJob, true},
	{"/shutdown", stopEnd, false}, {"/remove", stopEnd, false},
}

// actOf returns the effect of an action. The verb of an action on several jobs is in the
// record's detail.
func actOf(r *settings.Record) (kind stopKind, starts, known bool) {
	method, route, _ := strings.Cut(r.Action, " ")
	if _, verb, bulk := strings.Cut(r.Detail, "order=bulk "); bulk {
		verb, _, _ = strings.Cut(verb, " ")
		route = "/" + verb
	}
	for _, act := range actsOn {
		if r.Action == act.end || strings.HasSuffix(route, act.end) {
			return act.kind, act.starts != (method == "DELETE" && strings.HasSuffix(act.end, "/disable")), true
		}
	}
	return kind, false, false
}

// stopsAt returns the stops that applied at an instant. For each thing, the newest action before
// the instant counts. The records must be ordered with the newest first.
func stopsAt(records []settings.Record, job string, at time.Time) (list []stop) {
	type thing struct {
		kind stopKind
		of   string
	}
	decided := make(map[thing]bool)
	enabled := false // the whole job was enabled since, and with it each of its servers
	for i := range records {
		r := &records[i]
		if r.At.After(at) || r.Outcome != "done" || strings.Contains(r.Detail, "preview=true") {
			continue
		}
		kind, starts, known := actOf(r)
		if !known {
			continue
		}
		of := ""
		if kind == stopServer || kind == stopShard {
			of = strings.TrimSpace(strings.Replace(" "+r.Target+" ", " "+job+" ", " ", 1))
		}
		key := thing{kind, of}
		if decided[key] || enabled && kind == stopServer {
			continue
		}
		decided[key] = true
		if starts {
			enabled = enabled || kind == stopJob
			continue
		}
		list = append(list, stop{kind: kind, of: of, record: r})
	}
	slices.SortStableFunc(list, func(a, b stop) int { return cmp.Compare(a.kind, b.kind) })
	return list
}

// edited returns the newest record of a change of the configuration after an instant, or nil.
func edited(records []settings.Record, at time.Time) *settings.Record {
	for i := range records {
		r := &records[i]
		if r.At.After(at) && r.Outcome == "done" && (strings.HasSuffix(r.Action, "/jobs/config") || strings.HasSuffix(r.Action, "/:job/config")) {
			return r
		}
	}
	return nil
}
