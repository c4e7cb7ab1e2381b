package past

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// actionKind is the part of a job that an action stops or starts.
type actionKind int

// The kinds, in the order of the answer.
const (
	onJob       actionKind = iota // the job, on every server
	onHold                        // its schedule
	onInstances                   // its instances, or those on a server
	onServer                      // one server
	onShard                       // one shard
	onTrigger                     // a run at once
)

// part is a part of the job that an action stops or starts.
type part struct {
	kind actionKind
	of   string // the server or shard; "" for the job
}

// action is the effect of a record on a part of the job.
type action struct {
	part
	starts bool
	sure   bool // it was carried out for this job
	record *settings.Record
}

func (a action) words(l i18n.Lang) string {
	at, who := stamp(a.record.At), cmp.Or(a.record.User, "–")
	switch {
	case a.kind == onHold:
		return l.PastHeld(at, who)
	case a.kind == onInstances && a.of != "":
		return l.PastStoppedOn(a.of, at, who)
	case a.kind == onInstances:
		return l.PastStopped(at, who)
	case a.kind == onServer:
		return l.PastServerOff(a.of, at, who)
	case a.kind == onShard:
		return l.PastShardOff(a.of, at, who)
	case a.kind == onTrigger:
		return l.PastTriggered(at, who)
	}
	return l.PastDisabled(at, who)
}

// verbs lists the actions that stop, start or trigger a job, by the last words of their routes.
var verbs = map[string]struct {
	kind   actionKind
	starts bool
}{
	"disable": {onJob, false}, "enable": {onJob, true}, "enable at a time": {onJob, true},
	"hold": {onHold, false}, "release": {onHold, true}, "shutdown": {onInstances, false},
	"trigger": {onTrigger, true}, "rerun": {onTrigger, true},
}

// actionsOf returns the effects of a record on the parts of the job.
func actionsOf(r *settings.Record, in *Input) (list []action) {
	method, route, _ := strings.Cut(r.Action, " ")
	if r.Outcome != "done" && r.Outcome != settings.OutcomeBegun || strings.Contains(route, "/cloud/") ||
		strings.Contains(r.Detail, " preview=true done=") || strings.HasPrefix(r.Detail, "what=requests ") {
		return nil
	}
	verb := route[strings.LastIndex(route, "/")+1:]
	opposite, shards := method == "DELETE", strings.Contains(route, "/shards/")
	switch verb {
	case "bulk", "undo":
		_, order, found := strings.Cut(r.Detail, "order="+verb+" ")
		switch {
		case found:
			opposite = verb == "undo"
		case r.Outcome == settings.OutcomeBegun:
			order = "disable" // or any other
		default: // Shards are switched back by the order that switches them.
			order, shards = strings.TrimPrefix(r.Detail, "order="), true
		}
		verb, _, _ = strings.Cut(order, " ")
	case "at a time":
		verb = r.Action
	}
	does, known := verbs[verb]
	if !known {
		return nil
	}
	_, refused, _ := strings.Cut(r.Detail+" ", " refused=")
	a := action{part: part{kind: does.kind}, starts: does.starts != opposite, record: r,
		sure: r.Outcome == "done" && (refused == "" || strings.HasPrefix(refused, "0 "))}
	about := func(of string, found bool) []action {
		if !found {
			return nil
		}
		a.of = of
		return []action{a}
	}
	// Records that were only begun have the parameters of the route as their target.
	switch job := in.Job.Name; {
	case strings.Contains(route, "/sharding/:item/"):
		if a.kind = onShard; strings.HasPrefix(r.Target, "shard ") {
			return about(strings.CutSuffix(r.Target[len("shard "):], " of "+job))
		}
		return about(strings.CutPrefix(r.Target, job+" "))
	case strings.Contains(route, "/servers/:ip/"):
		if a.kind == onJob {
			a.kind = onServer
		}
		ip := strings.TrimPrefix(r.Target, "server ")
		if strings.Contains(route, "/:job/") {
			if on, found := strings.CutPrefix(r.Target, job+" on "); found {
				return about(on, true)
			}
			return about(strings.CutSuffix(r.Target, " "+job))
		}
		return about(ip, slices.Contains(in.Servers, ip))
	case !names(r.Target, job) && (a.kind != onTrigger || !strings.HasPrefix(r.Target, job+" at ")):
		return nil
	case shards:
		a.kind = onShard
		_, items, _ := strings.Cut(r.Detail, " shards=")
		items, _, _ = strings.Cut(items, " ")
		for item := range strings.SplitSeq(items, ",") {
			_, err := strconv.ParseUint(item, 10, 31)
			list = append(list, about(item, err == nil)...)
		}
		return list
	}
	return []action{a}
}

// concerns reports whether a record is about the job: its target is the job, the job with a
// server or a shard, several jobs, or one of the job's servers.
func concerns(in *Input, r *settings.Record) bool {
	job := in.Job.Name
	return names(r.Target, job) || strings.HasPrefix(r.Target, job+" ") || strings.HasSuffix(r.Target, " "+job) ||
		slices.Contains(in.Servers, strings.TrimPrefix(r.Target, "server "))
}

// names reports whether a target is the job, or several jobs and the job is among them.
func names(target, job string) bool { return slices.Contains(strings.Split(target, ", "), job) }

// stopsAt returns the stops that applied at an instant, and in doubt what may have applied. For each
// part, the newest action before the instant counts. The records must be ordered with the newest first.
func stopsAt(l i18n.Lang, in *Input, at time.Time) (stops []action, doubts []string) {
	decided := make(map[part]bool)
	enabled, partly, near := false, false, false // the job was enabled since; a server of it; within the skew
	for i := range in.Records {
		r := &in.Records[i]
		for _, a := range actionsOf(r, in) {
			soon := r.At.Sub(at).Abs() <= in.skew()
			if a.kind == onTrigger || r.At.After(at) && !soon || decided[a.part] || enabled && a.kind == onServer {
				continue
			}
			if near = near || soon; r.At.After(at) {
				continue
			}
			if !a.sure || a.kind == onJob && !a.starts && partly {
				if doubts = append(doubts, l.PastPerhaps(stamp(r.At), cmp.Or(r.User, "–"))); !a.starts {
					continue
				}
			}
			decided[a.part] = true
			enabled = enabled || a.starts && a.kind == onJob
			partly = partly || a.starts && a.kind == onServer
			if !a.starts && !in.cameSince(a, at) {
				stops = append(stops, a)
			}
		}
	}
	if near || editedNear(in) || cameOrLeft(in, at) {
		doubts = append(doubts, l.PastClocks(in.minutes()))
	}
	slices.SortStableFunc(stops, func(a, b action) int { return cmp.Compare(a.kind, b.kind) })
	return stops, doubts
}

// cameSince reports whether instances were stopped by an action, and one came before an instant.
func (in *Input) cameSince(a action, at time.Time) bool {
	return a.kind == onInstances && slices.ContainsFunc(in.Events, func(e members.Event) bool {
		return e.Kind == members.Joined && e.At.After(a.record.At) && !e.At.After(at) && (a.of == "" || e.IP() == a.of)
	})
}

// ShutdownOf returns the newest shutdown on record of a job without an instance, and the server that it was
// about, if it was about one; nil if none is on record, or if an instance came since.
func ShutdownOf(in Input) (r *settings.Record, server string) {
	in.Records = slices.DeleteFunc(slices.Clone(in.Records), func(r settings.Record) bool { return !concerns(&in, &r) })
	for i := range in.Records {
		for _, a := range actionsOf(&in.Records[i], &in) {
			if a.kind == onInstances && a.sure && in.lastStopped(a) {
				return a.record, a.of
			}
		}
	}
	return nil, ""
}

// lastStopped reports whether an action, on all instances of a job or on a server, stopped the last ones.
func (in *Input) lastStopped(a action) bool {
	last := slices.IndexFunc(in.Events, func(e members.Event) bool { return e.Kind == members.Joined || e.Kind == members.Left })
	switch {
	case last >= 0 && slices.ContainsFunc(in.Events, func(e members.Event) bool { return e.Kind == members.Joined && e.At.After(a.record.At) }):
		return false
	case a.of == "":
		return true
	case last >= 0:
		return in.Events[last].IP() == a.of
	}
	return len(in.Servers) == 1
}

// removalOf returns the newest removal of the job on record before its configuration was created; nil for none.
func removalOf(in *Input) *settings.Record {
	for i := range in.Records {
		r := &in.Records[i]
		one := r.Action == "DELETE /api/jobs/config/:job" || r.Action == "POST /jobs/:job/remove"
		many := strings.HasSuffix(r.Action, "/bulk") && strings.Contains(r.Detail, "order=bulk remove preview=false") && strings.Contains(r.Detail+" ", " refused=0 ")
		if (one || many) && names(r.Target, in.Job.Name) && r.Outcome == "done" && !r.At.After(in.Job.Created.Add(in.skew())) {
			return r
		}
	}
	return nil
}

// triggerNear returns a trigger on record about an instant, or nil.
func triggerNear(in *Input, at time.Time, near time.Duration) *action {
	for i := range in.Records {
		for _, a := range actionsOf(&in.Records[i], in) {
			if a.kind == onTrigger && a.record.At.Sub(at).Abs() <= near {
				return &a
			}
		}
	}
	return nil
}

// backfillOf returns a backfill on record that includes a fire time, or nil.
func backfillOf(in *Input, fire time.Time) *settings.Record {
	for i, r := range in.Records {
		if r.Target != in.Job.Name || r.Outcome != "done" || !strings.HasSuffix(r.Action, "/jobs/:job/backfill") {
			continue
		}
		bound := func(key string) time.Time {
			_, text, _ := strings.Cut(" "+r.Detail, " "+key+"=")
			text, _, _ = strings.Cut(text, " ")
			t, _ := time.Parse(time.RFC3339, text)
			return t
		}
		if from := bound("from"); !from.IsZero() && !fire.Before(from) && !fire.After(bound("to")) {
			return &in.Records[i]
		}
	}
	return nil
}
