package fleetsim_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// observer records the actual changes of the tree, no matter what the agents believe.
type observer struct {
	world *world

	mu       sync.Mutex
	sessions map[int64]*process
	jobs     map[string]*watchedJob
}

// watchedJob is the current state of a job's tree, as far as histories need it.
type watchedJob struct {
	history   *judge.JobHistory
	settings  judge.Settings
	markers   map[int]*judge.Marker
	flags     int // current resharding flags
	unsettled []*judge.Change
	assigned  []string // owners written since the flags were set
	disabled  map[string]bool
	live      map[string]bool
	owners    map[int]string
	offers    map[int]int64 // transaction of the newest failover offer of a shard
	claims    map[int]bool  // shards that were claimed for a failover
}

func observe(w *world) *observer {
	o := &observer{world: w, sessions: make(map[int64]*process), jobs: make(map[string]*watchedJob)}
	for _, j := range w.plan.jobs {
		h := &judge.JobHistory{Name: j.job.Name, Longest: j.longest, Deaf: j.deaf, MaxSkew: j.job.MaxTimeDiff, Items: make(map[int][]judge.Span), Owners: make(map[int][]judge.Owner), Misfires: make(map[int][]judge.Span)}
		h.Meeting = j.deadline
		if r := w.plan.requests; r != nil && r.job == j {
			h.Requests = r.judged()
		}
		w.history.Jobs[j.job.Name] = h
		o.jobs[j.job.Name] = &watchedJob{history: h, markers: make(map[int]*judge.Marker), disabled: make(map[string]bool), offers: make(map[int]int64), claims: make(map[int]bool), live: make(map[string]bool), owners: make(map[int]string)}
	}
	w.srv.SetObserver(o.change)
	return o
}

func (o *observer) session(id int64, p *process) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sessions[id] = p
}

func (o *observer) owner(id int64) *process {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sessions[id]
}

func (o *observer) name(id int64) string {
	if p := o.sessions[id]; p != nil {
		return p.name
	}
	return fmt.Sprintf("0x%x", id)
}

func (o *observer) settings(job string) judge.Settings {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.jobs[job].settings
}

// change runs under the server's lock.
func (o *observer) change(c zkfake.Change) {
	rest, ok := strings.CutPrefix(c.Path, namespace().Root()+"/")
	if !ok {
		return
	}
	name, path, _ := strings.Cut(rest, "/")
	o.mu.Lock()
	defer o.mu.Unlock()
	j := o.jobs[name]
	if j == nil {
		return
	}
	parts := strings.Split(path, "/")
	switch {
	case path == "config" && c.Type != wire.NodeDeleted:
		o.configured(j, c)
	case parts[0] == "instances" && len(parts) == 2 && jobtree.ValidateInstanceID(parts[1]) != nil:
		o.tell(name, c, fmt.Sprintf("junk %q", parts[1]))
	case parts[0] == "instances" && len(parts) == 2:
		o.membership(j, parts[1], c)
	case parts[0] == "servers" && len(parts) == 2:
		disabled := c.Type != wire.NodeDeleted && string(c.Data) == jobtree.ServerDisabled
		if j.disabled[path] && !disabled && o.sessions[c.Session] != nil {
			o.world.history.Overrule(time.Now(), name, o.name(c.Session), parts[1])
		}
		j.disabled[path] = disabled
		if o.sessions[c.Session] == nil || j.settings.Turns {
			j.history.Switches = append(j.history.Switches, time.Now())
			o.tell(name, c, "server "+parts[1]+" "+string(c.Data))
		}
		o.switched(j)
	case path == "leader/election/instance":
		o.tell(name, c, "leader "+string(c.Data))
	case parts[0] == "leader" && len(parts) == 3 && parts[1] == "sharding":
		o.flagged(j, parts[2], c)
	case strings.HasPrefix(path, "leader/failover/items/"):
		if n, ok := jobtree.ParseItem(parts[3]); ok && c.Type == wire.NodeCreated {
			j.offers[n] = c.Zxid
		}
		o.tell(name, c, "failover offer of shard "+parts[3])
	case parts[0] == "extension":
		if path == "extension/held" {
			o.held(j, c)
		}
		if j.history.Requests != nil {
			o.requested(j, strings.TrimPrefix(path, "extension/"), c)
		}
	case parts[0] == "sharding" && len(parts) > 1:
		if n, ok := jobtree.ParseItem(parts[1]); ok {
			o.shard(j, n, parts[2:], c)
		}
	}
}

func (o *observer) tell(job string, c zkfake.Change, what string) {
	o.world.history.Note(time.Now(), job, "tree", fmt.Sprintf("%s: %v by %s", what, c.Type, o.name(c.Session)))
}

func (o *observer) configured(j *watchedJob, c zkfake.Change) {
	config, err := jobconfig.Decode(c.Data)
	if err != nil {
		o.world.fail("the stored configuration: %v", err)
		return
	}
	s := &j.settings
	j.history.Writes = append(j.history.Writes, time.Now())
	s.Items, s.Monitor, s.Misfire, s.Failover = config.Shards, config.MonitorExecution, config.Misfire, config.Failover
	s.Turns = config.Shards == 1 && config.StrategyType == sharding.NameSingleShardingBalance
	s.Period = 0
	limits, _ := runs.SettingsOf(config)
	s.Timeout = limits.Timeout
	for period, cron := range crons {
		if cron == config.Cron {
			s.Period = period
		}
	}
	if o.world.plan.hours {
		o.scheduled(s, config)
	}
	j.snapshot()
	o.tell(config.Name, c, fmt.Sprintf("config %+v", *s))
}

// requested records a change of a requested run's node.
func (o *observer) requested(j *watchedJob, path string, c zkfake.Change) {
	if path != "held" && !strings.HasPrefix(path, "runs/") {
		return
	}
	change := judge.RunChange{At: time.Now(), Zxid: c.Zxid, Path: path, Deleted: c.Type == wire.NodeDeleted, Data: string(c.Data)}
	j.history.Requests.Changes = append(j.history.Requests.Changes, change)
	if path != "runs/bell" {
		o.tell(j.history.Name, c, change.String())
	}
}

func (j *watchedJob) snapshot() {
	s := j.settings
	s.From, s.Off, s.HeldOnly = time.Now(), slices.Clone(s.Off), false
	j.history.Settings = append(j.history.Settings, s)
}

func (o *observer) switched(j *watchedJob) {
	var closed []string
	for path, off := range j.disabled {
		if address, ok := strings.CutPrefix(path, "servers/"); ok && off {
			closed = append(closed, address)
		}
	}
	slices.Sort(closed)
	if !slices.Equal(closed, j.settings.Closed) {
		j.settings.Servers, j.settings.Closed = len(closed), closed
		j.snapshot()
	}
}

// scheduled records the schedule of a job with periods of more than seconds.
func (o *observer) scheduled(s *judge.Settings, config *jobconfig.Config) {
	if config.Cron == "" {
		if s.Schedule, s.Unusable = nil, config.Usable() != nil; s.Unusable {
			s.Items = 0
		}
		return
	}
	schedule, err := judge.NewSchedule(config.Name, config.Cron, config.TimeZone, config.Props)
	if s.Schedule, s.Unusable = schedule, err != nil || config.Usable() != nil; s.Unusable {
		s.Items = 0
	}
	if err != nil {
		o.world.fail("the stored configuration: %v", err)
		return
	}
	s.Period = schedule.Gap
}

func (o *observer) membership(j *watchedJob, id string, c zkfake.Change) {
	if c.Type == wire.NodeDataChanged {
		return
	}
	o.lived(j, id, c)
	change := &judge.Change{Job: j.history.Name, At: time.Now(), Instance: id, Joined: c.Type == wire.NodeCreated}
	if change.Joined {
		if spans := j.history.Deserted; len(j.live) == 0 && len(spans) > 0 {
			spans[len(spans)-1].To = change.At
		}
		j.live[id] = true
	} else {
		if delete(j.live, id); len(j.live) == 0 {
			j.history.Deserted = append(j.history.Deserted, judge.Span{From: change.At})
		}
	}
	j.history.Members = append(j.history.Members, change.At)
	owned := slices.Contains(slices.Collect(maps.Values(j.owners)), id)
	disabled := j.disabled["servers/"+jobtree.InstanceIP(id)] // for example, because the configuration is disabled
	if owned && !change.Joined || change.Joined && !disabled && len(j.live) <= j.settings.Items {
		o.world.history.Changes = append(o.world.history.Changes, change)
		j.unsettled = append(j.unsettled, change)
	}
	o.tell(j.history.Name, c, "instance "+id)
}

// lived records the time in which an instance was registered.
func (o *observer) lived(j *watchedJob, id string, c zkfake.Change) {
	if c.Type == wire.NodeCreated {
		life := &judge.Life{Instance: id, Address: jobtree.InstanceIP(id), Process: o.name(c.Session), Span: judge.Span{From: time.Now()}}
		j.history.Lives = append(j.history.Lives, life)
		return
	}
	for _, life := range slices.Backward(j.history.Lives) {
		if life.Instance == id && life.To.IsZero() {
			life.To = time.Now()
			return
		}
	}
}

func (o *observer) flagged(j *watchedJob, flag string, c zkfake.Change) {
	switch c.Type {
	case wire.NodeCreated:
		if j.flags++; j.flags == 1 {
			j.assigned = nil
			j.history.Resharding = append(j.history.Resharding, judge.Span{From: time.Now()})
		}
		o.tell(j.history.Name, c, flag)
	case wire.NodeDeleted:
		if j.flags--; j.flags > 0 {
			return
		}
		if spans := j.history.Resharding; len(spans) > 0 {
			spans[len(spans)-1].To = time.Now()
		}
		slices.Sort(j.assigned)
		o.tell(j.history.Name, c, "assigned "+strings.Join(j.assigned, " "))
		for _, change := range j.unsettled {
			change.Settled = time.Now()
		}
		j.unsettled = nil
	}
}

func (o *observer) shard(j *watchedJob, n int, parts []string, c zkfake.Change) {
	h, now := j.history, time.Now()
	switch {
	case len(parts) == 0 && c.Type == wire.NodeCreated:
		h.Items[n] = append(h.Items[n], judge.Span{From: now})
	case len(parts) == 0 && c.Type == wire.NodeDeleted:
		if spans := h.Items[n]; len(spans) > 0 {
			spans[len(spans)-1].To = now
		}
	case len(parts) == 0:
	case parts[0] == "instance" && c.Type != wire.NodeDeleted:
		j.owners[n] = string(c.Data)
		h.Owners[n] = append(h.Owners[n], judge.Owner{Instance: string(c.Data), From: now})
		j.assigned = append(j.assigned, strconv.Itoa(n)+"="+string(c.Data))
	case c.Type == wire.NodeDataChanged:
	case parts[0] == "disabled":
		s := &j.settings
		s.Off = slices.DeleteFunc(slices.Clone(s.Off), func(off int) bool { return off == n })
		if c.Type == wire.NodeCreated {
			s.Off = append(s.Off, n)
		}
		j.snapshot()
		o.tell(h.Name, c, fmt.Sprintf("shard %d disabled", n))
	case parts[0] == "running":
		o.marker(j, n, c)
	case parts[0] == "failover", parts[0] == "misfire":
		if parts[0] == "misfire" {
			o.misfire(h, n, c)
		} else {
			j.claims[n] = c.Type == wire.NodeCreated
		}
		o.tell(h.Name, c, fmt.Sprintf("shard %d %s %s", n, parts[0], c.Data))
	}
}

func (o *observer) misfire(h *judge.JobHistory, n int, c zkfake.Change) {
	if c.Type == wire.NodeCreated {
		h.Misfires[n] = append(h.Misfires[n], judge.Span{From: time.Now()})
	} else if spans := h.Misfires[n]; len(spans) > 0 {
		spans[len(spans)-1].To = time.Now()
	}
}

func (o *observer) marker(j *watchedJob, n int, c zkfake.Change) {
	if c.Type == wire.NodeCreated {
		m := &judge.Marker{Job: j.history.Name, Item: n, Instance: string(c.Data), Session: c.Session, From: time.Now(), Claimed: j.claims[n]}
		j.markers[n] = m
		o.world.history.Markers = append(o.world.history.Markers, m)
		return
	}
	if m := j.markers[n]; m != nil {
		m.To, m.RemovedBy = time.Now(), c.Session
		if c.Ended {
			m.RemovedBy = 0 // It vanished with its session.
		}
		m.Offered = j.offers[n] == c.Zxid
		delete(j.markers, n)
		if m.RemovedBy != m.Session {
			o.tell(j.history.Name, c, fmt.Sprintf("shard %d running marker of %s", n, m.Instance))
		}
	}
}

func (w *world) snapshot() {
	for name := range w.history.Jobs {
		root := namespace().Job(name).Root()
		s := judge.Snapshot{Job: name, At: time.Now()}
		for _, n := range w.srv.Dump(root) {
			s.Nodes = append(s.Nodes, judge.Node{Path: strings.TrimPrefix(n.Path, root), Data: string(n.Data), Owner: n.Stat.EphemeralOwner, Created: time.UnixMilli(n.Stat.Ctime)})
		}
		w.history.Snapshots = append(w.history.Snapshots, s)
	}
	w.tree.mu.Lock()
	defer w.tree.mu.Unlock()
	for name, j := range w.tree.jobs {
		for path, off := range j.disabled {
			w.history.Disabled[name+"/"+path] = off
		}
	}
}
