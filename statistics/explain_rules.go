package statistics

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// diagnosis makes an Explanation from evidence.
type diagnosis struct {
	*evidence
	out *Explanation
	now time.Time

	parsed    *schedules
	schedule  *quartz.Expression // nil if the job has none or it can't be parsed
	zone      *time.Location
	live      map[string]bool // registered instances
	available map[string]bool // live instances that may get shards
	// serving has the servers of these instances, with the time at which the first of them registered.
	serving  map[string]time.Time
	unnamed  map[string]bool // live instances with unreadable nodes; they run the shards they have
	sessions map[int64]string
	idle     map[int]bool // shards that don't run, despite their running markers
	// meeting has the instances that wait at a listener's barrier and run nothing else. The value
	// is the end of the wait, for a sentence.
	meeting map[string]string
	oldest  runs.Status // the requested run that has waited longest, if waits is set
	waits   bool
	until   time.Time // the earliest time of changesAt; zero means never
}

var codeOrder = func() map[Code]int {
	order := make(map[Code]int)
	for i, code := range []Code{
		CodeConfigForbidden, CodeConfigAbsent, CodeConfigUnreadable, CodeConfigUnusable, CodeConfigKeyUnknown, CodeConfigOtherRelease, CodeCronNeverAgain, CodeScheduleEnded, CodeJobRefused, CodeAgentObstacle, CodeNoInstance, CodeJobDisabled,
		CodeNoEnabledInstance, CodeHeld, CodeServerDisabled, CodeServerAbsent, CodeInstanceUnreadable, CodeInstanceGhost, CodeNoLeader, CodeLeaderGone,
		CodeReshardingAnnounced, CodeReshardingProcessing, CodeNothingDealt, CodeItemWithoutOwner, CodeItemOwnerGone,
		CodeItemOwnerDisabled, CodeBarrierWaits, CodeItemDisabled, CodeRunningStale, CodeRunningForged, CodeFailoverStale, CodeFailoverTaken, CodeFailoverOffered,
		CodeFailing, CodeLate, CodeDropped, CodeShardsMissed, CodeUnstable, CodeNotRecorded, CodeHistoryAway, CodeCrashes, CodeInstanceLost, CodeRunWaits, CodeOverrun, CodeTriggerWaiting, CodeTriggerOrphaned, CodeRunning, CodeMisfireWaiting, CodeItemBeyond, CodeScheduleNotBegun, CodeDayExcluded, CodeOneInstance, CodeMonitorOff,
		CodeTimeZoneIgnored, CodeZonesDiffer, CodeZoneUnknownToJava, CodeClockDiffers, CodeFiredEarly, CodeForeignNode, CodeHoldUnheard, CodeNumberOutOfBounds, CodeRunPropertyWrong, CodeClockChecked,
	} {
		order[code] = i
	}
	return order
}()

func (d *diagnosis) found(f Finding, n node) {
	if f.Node = n.path; f.Value == "" && n.path != d.config.path {
		f.Value = n.data
	}
	// A sentence may quote an owner, a value and an address, so allow it the length of three.
	f.Sentence = jobtree.Clip(f.Sentence, 3*jobtree.MaxShown)
	f.Value, f.Server, f.Instance = jobtree.Shown(f.Value), jobtree.Shown(f.Server), jobtree.Shown(f.Instance)
	d.out.Findings = append(d.out.Findings, f)
}

func (r *Reader) diagnosis(e *evidence) *diagnosis {
	now := r.now()
	return &diagnosis{evidence: e, out: &Explanation{Job: e.job.Name(), At: now}, now: now, parsed: r.parsed, idle: make(map[int]bool), meeting: make(map[string]string)}
}

// judge applies all rules. For a list, it only applies the rules that find obstacles.
func (d *diagnosis) judge() {
	defer d.conclude()
	if d.forbidden {
		d.found(Finding{
			Code: CodeConfigForbidden, Effect: EffectNothing,
			Sentence: fmt.Sprintf("ZooKeeper refuses these credentials: %v. The state of the job is unknown here.", d.configErr),
			Advice:   "Connect with credentials that may read the job, or correct the ACL of its nodes.",
		}, d.config)
		return
	}
	if !d.config.exists {
		d.found(Finding{
			Code: CodeConfigAbsent, Effect: EffectJob,
			Sentence: "The job has no configuration: it was removed, or never written.",
			Advice:   "Start an agent that declares the job, which writes it; or remove what is left of the job.",
		}, d.config)
		return
	}
	if d.judgeConfig() {
		d.judgeSchedule()
		if d.depth == forDetail {
			d.judgeRunProps()
		}
	}
	d.judgeInstances()
	d.judgeObstacles()
	d.judgeHold()
	if d.depth == forDetail {
		d.judgeWait()
		d.judgeForeign()
	}
	d.judgeKeys()
	if d.decoded == nil || d.configErr != nil {
		return // Without a configuration we don't know the expected shards.
	}
	if len(d.available) > 0 {
		d.judgeAssignment()
		d.judgeItems()
	}
	if len(d.living()) == 1 && d.decoded.Failover && d.decoded.MonitorExecution {
		d.found(Finding{
			Code: CodeOneInstance, Effect: EffectNothing,
			Sentence: "One instance serves the job: if it's lost, no other one takes its shards over.",
			Advice:   "Start another process that contains the job.",
		}, node{path: d.job.Instances()})
	}
	d.judgeMarks()
	if d.depth == forDetail {
		d.judgeSettings()
	}
}

// judgeInstances finds the instances that may run shards, and adds findings about the others.
func (d *diagnosis) judgeInstances() {
	d.live, d.available, d.unnamed, d.sessions = make(map[string]bool), make(map[string]bool), make(map[string]bool), make(map[int64]string)
	d.serving = make(map[string]time.Time)
	servers := make(map[string]node, len(d.servers))
	enabled := 0
	for i, ip := range d.serverIPs {
		servers[ip] = d.servers[i]
		if jobtree.ServerIsEnabled([]byte(d.servers[i].data), d.generation()) {
			enabled++
		}
	}
	lookup := func(ip string) ([]byte, bool) {
		server, registered := servers[ip]
		return []byte(server.data), registered
	}
	allDisabled := len(servers) > 0 && enabled == 0
	if len(d.instanceIDs) == 0 && len(d.refusedIDs) == 0 {
		f := Finding{
			Code: CodeNoInstance, Effect: EffectJob,
			Sentence: "No process serves the job: none has registered, or all have left.",
			Advice:   "Start a process that contains the job, in this namespace.",
		}
		if d.generation() == jobconfig.Generation2x {
			f.Sentence += " The stored job is one of ElasticJob 2.1, which agents of 3.0 and those written in Go refuse to serve."
			f.Advice = "Start a process of ElasticJob 2.1 that contains the job. Or remove the stored job, and start a process that declares it."
		}
		d.found(f, node{path: d.job.Instances()})
	}
	if allDisabled {
		d.jobDisabled()
	}
	for i, id := range d.instanceIDs {
		instance := d.instances[i]
		d.live[id] = true
		d.judgeClock(id, instance)
		if instance.ephemeral() {
			d.sessions[instance.stat.EphemeralOwner] = id
		} else {
			d.ghost(id, instance)
		}
		info, standing, err := jobtree.JudgeInstance(id, []byte(instance.data), d.generation(), lookup)
		ip := info.ServerIP
		switch standing {
		case jobtree.Unreadable:
			d.unreadable(id, instance, err)
			d.unnamed[id] = true
		case jobtree.ServerAbsent:
			d.found(Finding{
				Code: CodeServerAbsent, Effect: EffectServer, Server: ip, Instance: id, Since: instance.began(),
				Sentence: fmt.Sprintf("%s gets no shards: its server %s is not registered.", id, ip),
				Advice:   "Restart the process there; it registers its server when it starts.",
			}, node{path: d.job.Server(ip)})
		case jobtree.Serves:
			if at, known := d.serving[ip]; !known || instance.began().Before(at) {
				d.serving[ip] = instance.began()
			}
			if d.available[info.ID] = true; info.ID != id {
				d.unreadable(id, instance, errors.New("it names "+info.ID))
			}
		case jobtree.ServerOff:
			if allDisabled {
				break // There's already a finding about the whole job.
			}
			d.found(Finding{
				Code: CodeServerDisabled, Effect: EffectServer, Server: ip, Instance: id, Since: servers[ip].stat.Mtime,
				Sentence: fmt.Sprintf("Server %s is %s, so %s gets no shards.", ip, disabledAs(servers[ip].data), id),
				Advice:   "Enable the server.",
			}, servers[ip])
		}
	}
	if len(d.instanceIDs) > 0 && len(d.available) == 0 && !allDisabled {
		f := Finding{
			Code: CodeNoEnabledInstance, Effect: EffectJob,
			Sentence: "No instance of the job may run shards.",
			Advice:   "Enable a server that has an instance." + d.comeDisabled(),
		}
		if others := d.unowned(); d.decoded != nil && d.configErr == nil && len(others) < d.decoded.Shards {
			f.Effect, f.Items = EffectShards, others
			f.Sentence = "No instance of the job gets shards; those with shards run them."
			if len(others) == 0 {
				f.Effect = EffectNothing
			}
		}
		d.found(f, node{path: d.job.Instances()})
	}
}

// farApart is the smallest clock difference that we report. It can't be smaller, because a request
// may take some seconds.
const farApart = time.Minute

// ahead returns how far an agent's clock was ahead of ZooKeeper's when it registered; 0 if they
// were close.
func (e *evidence) ahead(id string) time.Duration {
	clock, at := e.agents[id].Clock, slices.Index(e.instanceIDs, id)
	if clock.IsZero() || at < 0 {
		return 0
	}
	ahead := clock.Sub(e.instances[at].began()).Round(time.Second)
	if ahead.Abs() < farApart {
		return 0
	}
	return ahead
}

// judgeClock adds a finding if an agent's clock was far from ZooKeeper's when it registered.
func (d *diagnosis) judgeClock(id string, instance node) {
	ahead := d.ahead(id)
	if ahead == 0 {
		return
	}
	side, value := "ahead of", "+"+ahead.String()
	if ahead < 0 {
		side, value = "behind", ahead.String()
	}
	d.found(Finding{
		Code: CodeClockDiffers, Effect: EffectNothing, Instance: id, Server: jobtree.InstanceIP(id), Since: instance.began(), Value: value,
		Sentence: fmt.Sprintf("When %s registered, its clock was %s %s ZooKeeper's. It fires by its own clock.", id, ahead.Abs(), side),
		Advice:   "Set the clock of that machine, or of ZooKeeper's, and restart the process.",
	}, node{path: d.job.Agent(id)})
}

// ghost adds the finding that an instance's node has no session. Agents still give it shards,
// because they think it's alive.
func (d *diagnosis) ghost(id string, instance node) {
	f := Finding{
		Code: CodeInstanceGhost, Effect: EffectServer, Instance: id, Server: jobtree.InstanceIP(id), Since: instance.began(),
		Sentence: fmt.Sprintf("No session holds the node of %s, so no process is behind it. Agents give it shards, which don't run.", id),
		Advice:   d.orDeleted(instance, ""),
	}
	if f.Items = d.ownedBy(id); len(f.Items) > 0 {
		f.Effect = EffectShards
	}
	d.found(f, instance)
}

// jobDisabled adds the finding that no server is enabled. It began when the last server changed.
func (d *diagnosis) jobDisabled() {
	last := d.servers[0]
	for _, server := range d.servers {
		if !server.stat.Mtime.Before(last.stat.Mtime) {
			last = server
		}
	}
	f := Finding{
		Code: CodeJobDisabled, Effect: EffectJob, Since: last.stat.Mtime,
		Sentence: fmt.Sprintf("The job is disabled: of its %s none is enabled.", count(len(d.servers), "server")),
		Advice:   "Enable the job." + d.comeDisabled(),
	}
	d.found(f, last)
}

// comeDisabled is the end of an advice if new servers register as disabled.
func (d *diagnosis) comeDisabled() string {
	if d.decoded == nil || !d.decoded.Disabled {
		return ""
	}
	return " Servers that start later come disabled, because the configuration has disabled: true."
}

// disabledAs formats a server's data for a sentence.
func disabledAs(data string) string {
	if data == jobtree.ServerDisabled {
		return "disabled"
	}
	return fmt.Sprintf("not enabled but %q", data)
}

// unreadable adds the finding that an instance's node can't be read, so leaders skip it.
func (d *diagnosis) unreadable(id string, instance node, why error) {
	d.found(Finding{
		Code: CodeInstanceUnreadable, Effect: EffectServer, Instance: id, Server: jobtree.InstanceIP(id), Since: instance.stat.Mtime,
		Sentence: fmt.Sprintf("The node of %s does not name its instance (%s), so it gets no shards.", id, why),
		Advice:   "Restart that process, which writes the node again.",
	}, instance)
}

// judgeAssignment adds findings about the leader and about resharding.
func (d *diagnosis) judgeAssignment() {
	flagged := d.necessary.exists || d.processing.exists
	owned := slices.ContainsFunc(d.items, func(i itemEvidence) bool { return i.instance.data != "" })
	reason := d.reshardReason()
	effect, waiting := EffectNothing, []int(nil) // Running shards don't need a leader.
	dead := d.unowned()
	switch {
	case flagged, !owned:
		effect = EffectJob
	case reason != "" && len(dead) > 0:
		effect, waiting = EffectShards, dead // Shards with a live owner still run.
	}
	needed := ""
	if reason != "" {
		needed = " The shards have to be assigned again: " + reason + "."
	}
	switch leader := d.leader.data; {
	case leader == "":
		d.found(Finding{
			Code: CodeNoLeader, Effect: effect, Items: waiting,
			Sentence: nobodyLeads[effect == EffectJob] + d.inLine() + needed,
			Advice:   d.orDeleted(d.leader, d.orDeleted(d.latch, "An enabled instance is elected within a moment. If this stays, the process that is first in line is frozen: stop it.")),
		}, d.leader)
	case !d.live[leader]:
		d.found(Finding{
			Code: CodeLeaderGone, Effect: effect, Items: waiting, Instance: leader, Since: d.leader.began(),
			Sentence: fmt.Sprintf("The leader is %s, which is not registered. No other leader is elected while its node exists.", leader) + needed,
			Advice:   d.orDeleted(d.leader, "The node goes with that process's session. If it was shut down from a console, stop the process."),
		}, d.leader)
	case !d.leader.ephemeral():
		d.found(Finding{
			Code: CodeLeaderGone, Effect: EffectNothing, Instance: leader, Since: d.leader.began(),
			Sentence: fmt.Sprintf("%s leads by a node that no session holds: no leader is elected when it goes.", leader),
			Advice:   d.orDeleted(d.leader, ""),
		}, d.leader)
	}
	switch {
	case d.processing.exists && !d.processing.ephemeral():
		d.resharding(CodeReshardingProcessing, d.processing, "The node of a resharding is there, but no process holds it, and agents written in Go wait for it")
	case d.processing.exists:
		d.resharding(CodeReshardingProcessing, d.processing, "The shards are being assigned again"+by(d.sessions[d.processing.stat.EphemeralOwner]))
	case d.reshardedAtFire():
		d.found(Finding{
			Code: CodeReshardingAnnounced, Effect: EffectNothing, Since: d.necessary.began(), Instance: d.leader.data,
			Sentence: fmt.Sprintf("%s, an agent of Java's, reshards the job when it fires, and then runs it; announced %s.", d.leader.data, since(d.necessary.began())),
			Advice:   "Trigger the job to have it now.",
		}, d.necessary)
	case d.necessary.exists:
		d.resharding(CodeReshardingAnnounced, d.necessary, "The shards have to be assigned again before anything runs")
	case !owned:
		d.found(Finding{
			Code: CodeNothingDealt, Effect: EffectJob,
			Sentence: "No shard has an owner: nothing was assigned yet.",
			Advice:   "The leader reshards when the job fires for the first time, one written in Go at once. Trigger the job if it stays. If that changes nothing, the leader's process hangs: restart it.",
		}, node{path: d.job.Sharding()})
	}
}

// nobodyLeads has the sentence for a job without a leader. The key is true if the whole job waits
// for one.
var nobodyLeads = map[bool]string{
	false: "There is no leader. Instances that have shards run them, but no shards are assigned.",
	true:  "There is no leader to assign the shards, and the job waits for that.",
}

// inLine returns a sentence about the first latch node and its instance.
func (d *diagnosis) inLine() string {
	if !d.latch.exists {
		return ""
	}
	whose := "of a process that isn't an instance of the job"
	if id := d.sessions[d.latch.stat.EphemeralOwner]; id != "" {
		whose = "of " + id
	}
	return fmt.Sprintf(" First in line since %s is %s, %s.", since(d.latch.began()), d.job.Below(d.latch.path), whose)
}

// reshardReason returns why the leader must assign the shards again, as in its log; empty if we see
// no reason in the tree.
func (d *diagnosis) reshardReason() string {
	return d.shardingState(d.decoded, slices.Sorted(maps.Keys(d.available))).Reason()
}

// fireGrace is how long a Java leader may still be resharding after a fire time. It allows for
// clocks that differ a little.
const fireGrace = 5 * time.Second

// reshardedAtFire reports whether an announced resharding holds nothing up: a Java leader reshards
// at the next fire time, and then all instances run their shards. It returns false if the leader
// must wait for running shards, or has already let a fire time pass.
func (d *diagnosis) reshardedAtFire() bool {
	leader := d.leader.data
	if !d.necessary.exists || d.processing.exists || !d.available[leader] || !d.javas(leader) {
		return false
	}
	for _, item := range d.items {
		if _, running := d.runner(item); running {
			return false
		}
	}
	if d.schedule == nil {
		return true
	}
	fires, ok := d.schedule.Next(d.necessary.began(), d.zone)
	if !ok {
		return true
	}
	d.changesAt(fires.Add(fireGrace))
	return fires.After(d.now.Add(-fireGrace))
}

func by(id string) string {
	if id == "" {
		return ""
	}
	return " by " + id
}

// resharding adds the finding that a resharding flag is set, with the running shards that the
// leader waits for.
func (d *diagnosis) resharding(code Code, flag node, sentence string) {
	f := Finding{
		Code: code, Effect: EffectJob, Since: d.necessary.began(), Instance: d.sessions[d.processing.stat.EphemeralOwner],
		Advice: "A leader written in Go does it at once, one of Java's when the job fires; trigger the job to have it now. If that changes nothing, the leader's process hangs: restart it.",
	}
	if !d.necessary.exists {
		f.Since = d.processing.began()
	}
	sentence += ", announced " + since(f.Since)
	if reason := d.reshardReason(); reason != "" {
		sentence += ", because " + reason
	}
	var waits []string
	remedy := ""
	for _, item := range d.items {
		if runner, ok := d.runner(item); ok {
			if remedy == "" {
				remedy = d.ifMarkerStays(runner, item.running, item.number)
			}
			if item.nameless() {
				remedy = " No agent made " + item.running.path + ": delete it."
			}
			f.Items = append(f.Items, item.number)
			waits = append(waits, fmt.Sprintf("shard %d of %s", item.number, orNobody(runner)))
		}
	}
	if len(waits) > 0 {
		sentence += "; that waits until these running markers go: " + list(waits)
		f.Advice = "They go when the runs end. Stop a process whose shard never ends." + remedy
	}
	if code == CodeReshardingProcessing {
		f.Advice = d.orDeleted(flag, f.Advice)
		if !flag.ephemeral() && !d.necessary.exists && len(d.javaAgents()) == len(d.instanceIDs) {
			f.Effect = EffectNothing // Java agents only check this flag if a resharding is announced.
		}
	}
	f.Sentence = sentence + "."
	d.found(f, flag)
}

// orDeleted returns advice, unless the node has no session. Then the node must be deleted by hand.
func (d *diagnosis) orDeleted(n node, advice string) string {
	if !n.exists || n.ephemeral() {
		return advice
	}
	return fmt.Sprintf("No session holds this node, so it stays whatever is restarted. Delete it (deleteall %s); agents create it again when they need it.", n.path)
}

// conclude sorts the findings and adds the rules that hold.
func (d *diagnosis) conclude() {
	d.promote()
	d.dealFirst()
	slices.SortStableFunc(d.out.Findings, Finding.Compare)
	d.check()
	d.out.Findings = summed(d.out.Findings)
}

// DealFirst is the advice if an earlier finding is the cause.
const DealFirst = "Deal with those before it, and look again."

// noneLeads are the findings with which no agent assigns shards.
var noneLeads = []Code{CodeConfigUnreadable, CodeConfigUnusable, CodeNoLeader, CodeLeaderGone}

// dealFirst replaces the advice about shards that wait for a leader, if the leader can't assign
// them, or waits for running markers.
func (d *diagnosis) dealFirst() {
	stuck := slices.ContainsFunc(d.out.Findings, func(f Finding) bool {
		return f.Effect.HoldsUp() && (slices.Contains(noneLeads, f.Code) || f.Code == CodeAgentObstacle && f.Instance == d.leader.data)
	})
	waits := slices.ContainsFunc(d.out.Findings, func(f Finding) bool {
		return (f.Code == CodeReshardingAnnounced || f.Code == CodeReshardingProcessing) && len(f.Items) > 0
	})
	for i := range d.out.Findings {
		f, first := &d.out.Findings[i], false
		switch f.Code {
		case CodeReshardingAnnounced, CodeReshardingProcessing:
			first = stuck
		case CodeNothingDealt, CodeItemWithoutOwner, CodeItemOwnerGone, CodeItemOwnerDisabled:
			first = stuck || waits
		}
		if first && !d.decoded.StaticSharding {
			f.Advice = DealFirst
		}
	}
}

// promote changes EffectShards to EffectJob if the findings together name every shard.
func (d *diagnosis) promote() {
	if d.decoded == nil || d.configErr != nil {
		return
	}
	held := make(map[int]bool)
	for _, f := range d.out.Findings {
		for _, item := range f.Items {
			if f.Effect == EffectShards && item < d.decoded.Shards {
				held[item] = true
			}
		}
	}
	if len(held) < d.decoded.Shards {
		return
	}
	for i := range d.out.Findings {
		if f := &d.out.Findings[i]; f.Effect == EffectShards {
			f.Effect = EffectJob
		}
	}
}

// Compare orders findings by effect, code, server, instance and shard.
func (f Finding) Compare(g Finding) int {
	return cmp.Or(
		cmp.Compare(f.Effect.rank(), g.Effect.rank()), cmp.Compare(codeOrder[f.Code], codeOrder[g.Code]),
		compareIPs(f.Server, g.Server), compareIDs(f.Instance, g.Instance), slices.Compare(f.Items, g.Items),
	)
}

// changesAt notes a future time at which the findings change even if the registry doesn't.
func (d *diagnosis) changesAt(t time.Time) {
	if t.After(d.now) && (d.until.IsZero() || t.Before(d.until)) {
		d.until = t
	}
}

// since formats a time for a sentence.
func since(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// list joins the first few parts and counts the rest.
func list(parts []string) string {
	const most = 5
	if len(parts) > most {
		parts = append(parts[:most:most], fmt.Sprintf("%d more", len(parts)-most))
	}
	return strings.Join(parts, ", ")
}
