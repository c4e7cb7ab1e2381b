package statistics

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// group collects shards that share a finding.
type group struct {
	finding Finding
	node    node // the node of the shard that has waited longest
}

// groups are the groups in order of their first shard.
type groups struct {
	shards int // the configured number; agents run no shards beyond it
	list   []*group
	by     map[groupKey]*group
}

type groupKey struct {
	code               Code
	effect             Effect
	instance, sentence string
}

// add adds a shard to the group with the finding's code, effect, instance and sentence.
func (g *groups) add(f Finding, n node, item int) {
	if item >= g.shards {
		f.Effect = EffectNothing
	}
	key := groupKey{f.Code, f.Effect, f.Instance, f.Sentence}
	if known := g.by[key]; known != nil {
		known.finding.Items = append(known.finding.Items, item)
		if !f.Since.IsZero() && f.Since.Before(known.finding.Since) {
			known.finding.Since, known.node = f.Since, n
		}
		return
	}
	f.Items = []int{item}
	if g.by == nil {
		g.by = make(map[groupKey]*group)
	}
	g.by[key] = &group{f, n}
	g.list = append(g.list, g.by[key])
}

// flush adds the groups' findings. Their sentences contain %s for the shards.
func (d *diagnosis) flush(g groups) {
	for _, each := range g.list {
		f := each.finding
		f.Sentence = fmt.Sprintf(f.Sentence, phrase(f.Items))
		d.found(f, each.node)
	}
}

// phrase names shards in a sentence: "Shard 3", "Shards 0, 1, 2".
func phrase(items []int) string {
	if len(items) == 1 {
		return "Shard " + strconv.Itoa(items[0])
	}
	return "Shards " + list(jobtree.ItemNames(items))
}

// judgeItems adds findings about shards without an owner that can run them. It's only called if
// some instance can run shards.
func (d *diagnosis) judgeItems() {
	flagged := d.necessary.exists || d.processing.exists
	owned := slices.ContainsFunc(d.items, func(i itemEvidence) bool { return i.instance.data != "" })
	effect := EffectShards
	if d.reshardedAtFire() {
		effect = EffectNothing // The shards get new owners before anything runs.
	}
	g := groups{shards: d.decoded.Shards}
	at := 0
	for n := range jobtree.ShardCount(d.decoded.Shards) {
		var item itemEvidence
		exists := at < len(d.items) && d.items[at].number == n
		if exists {
			item = d.items[at]
			at++
		} else {
			item.instance.path = d.job.Item(n)
		}
		switch owner := item.instance.data; {
		case owner == "" && (flagged || !owned):
			// There's already a finding about the whole job.
		case owner == "":
			g.add(Finding{
				Code: CodeItemWithoutOwner, Effect: effect,
				Sentence: "%s: without an owner, so it doesn't run. An agent written in Go that reads the assignment while a shard has no owner runs nothing of the job.",
				Advice:   d.ownerAdvice(),
			}, item.instance, n)
		case !d.live[owner]:
			g.add(Finding{
				Code: CodeItemOwnerGone, Effect: effect, Instance: owner, Server: jobtree.InstanceIP(owner),
				Sentence: "%s: the owner is " + escape(owner) + ", which is not there.",
				Advice:   d.reshardAdvice(),
			}, item.instance, n)
		case !d.available[owner] && !d.unnamed[owner]:
			g.add(Finding{
				Code: CodeItemOwnerDisabled, Effect: effect, Instance: owner, Server: jobtree.InstanceIP(owner),
				Sentence: "%s: the owner is " + escape(owner) + ", which may not run anything.",
				Advice:   d.reshardAdvice(),
			}, item.instance, n)
		}
	}
	d.flush(g)
}

// ownerAdvice returns the advice for a shard without an owner. We can't count on the leader to
// notice at once, because agents don't watch the owners of other instances' shards.
func (d *diagnosis) ownerAdvice() string {
	switch every := d.decoded.ReconcileMinutes; {
	case d.decoded.StaticSharding:
		return d.reshardAdvice()
	case every > 0:
		return fmt.Sprintf("The leader looks for such shards every %d minutes (reconcileIntervalMinutes) and when an instance comes or leaves. To have it at once, restart an instance.", every)
	}
	return "The leader looks for such shards when an instance comes or leaves: restart one."
}

// reshardAdvice returns the advice for shards that should move to live instances.
func (d *diagnosis) reshardAdvice() string {
	if d.decoded.StaticSharding {
		return "staticSharding is on, so the leader leaves the shards where they are: start the owner with the same instance id, " +
			"enable its server, or turn staticSharding off until each shard has an owner."
	}
	return "The leader reshards, one written in Go at once, one of Java's when the job fires; trigger the job if it stays. If that changes nothing, the leader's process hangs: restart it."
}

// escape escapes text from the tree for use in a format string.
func escape(s string) string { return strings.ReplaceAll(s, "%", "%%") }

func (d *diagnosis) judgeMarks() {
	g := groups{shards: d.decoded.Shards}
	allOff := len(d.switchedOff()) == d.decoded.Shards
	d.judgeBarrier(&g, d.started, "at the start of the run")
	d.judgeBarrier(&g, d.completed, "at the end of the run")
	for _, item := range d.items {
		n := item.number
		if n >= d.decoded.Shards {
			g.add(Finding{
				Code: CodeItemBeyond, Effect: EffectNothing,
				Sentence: "%s: beyond shardingTotalCount " + strconv.Itoa(d.decoded.Shards) + "; goes at the next resharding.",
			}, node{path: d.job.Item(n)}, n)
		}
		if item.disabled.exists {
			f := Finding{
				Code: CodeItemDisabled, Effect: EffectShards, Since: item.disabled.began(),
				Sentence: "%s: switched off by an operator.",
				Advice:   "Enable the shard.",
			}
			if allOff {
				f.Effect, f.Sentence = EffectJob, "%s: switched off by an operator, one by one, so no run starts."
				f.Advice = "Enable shards."
			}
			g.add(f, item.disabled, n)
		}
		d.judgeRun(&g, item)
		d.judgeFailover(&g, item)
		if item.misfire.exists && !d.makesUpNow(item) {
			f := Finding{
				Code: CodeMisfireWaiting, Effect: EffectNothing, Since: item.misfire.began(),
				Sentence: "%s: a fire time isn't completed; " + d.madeUp(item, item.instance.data, "when the owner is free"),
			}
			if d.meeting[item.instance.data] != "" {
				f.Field, f.Value = "jobListenerTypes", list(d.decoded.ListenerTypes)
			}
			g.add(f, item.misfire, n)
		}
	}
	d.judgeOffers(&g)
	d.flush(g)
	d.judgeTriggers()
}

// makesUpNow reports whether the shard is already making up for its missed fire time: the current
// run began after the fire time was missed, and Go agents make up for it in that run. We compare
// Mzxid because agents never write to these markers again, and because the cache doesn't keep
// Czxid.
func (d *diagnosis) makesUpNow(item itemEvidence) bool {
	runner, running := d.runner(item)
	return running && !d.javas(runner) && item.running.stat.Mzxid > item.misfire.stat.Mzxid
}

// madeUp returns the rest of a sentence about a missed fire time: whether and when the shard will
// make up for it.
func (d *diagnosis) madeUp(item itemEvidence, id, when string) string {
	switch {
	case !d.live[id]:
		return "the instance runs nothing after it."
	case d.beyond(item):
		return "nothing is made up for, because the configuration has fewer shards."
	case !d.decoded.Misfire:
		return "it is lost, because misfire is off."
	case item.disabled.exists:
		return "nothing is made up for while the shard is switched off."
	case d.javas(id):
		return "it should be made up for once, after the next run, as agents of Java's do."
	case d.held.exists && jobtree.DecodeHold([]byte(d.held.data)).Schedule():
		return "it is not made up for while the job is held."
	case !d.available[id]:
		return "it is not made up for, because that instance may not run shards now."
	}
	switch d.obstacleOf(id) {
	case jobtree.ObstacleNotBegun, jobtree.ObstacleExecutorUnknown, jobtree.ObstacleListenerUnknown, jobtree.ObstacleErrorHandlerUnknown:
		return "the owner tries to make up for it, and the obstacle that it announces keeps it from that."
	case jobtree.ObstacleDebug, jobtree.ObstacleForbidden, jobtree.ObstacleBroken:
		return "it is not made up for while the obstacle that the owner announces lasts."
	}
	if wait := d.meeting[id]; wait != "" {
		when = "when " + escape(wait)
	}
	edited := d.config.stat.Mzxid > max(item.running.stat.Mzxid, item.misfire.stat.Mzxid)
	if edited || id != item.instance.data {
		when += ", unless the schedule was edited or the shard moved since"
	}
	return "it should be made up for once, " + when + "."
}

// switchedOff returns the disabled shards within the configured number.
func (d *diagnosis) switchedOff() map[int]bool {
	off := make(map[int]bool)
	for _, item := range d.items {
		if !d.beyond(item) && item.disabled.exists {
			off[item.number] = true
		}
	}
	return off
}

func (d *diagnosis) judgeRun(g *groups, item itemEvidence) {
	runner, running := d.runner(item)
	if !running {
		return
	}
	marker := item.running
	if item.nameless() {
		d.idle[item.number] = true
		g.add(Finding{
			Code: CodeRunningForged, Effect: EffectShards, Since: marker.began(),
			Sentence: "%s: marked as running, but the marker names no instance, so no agent made it. Nothing runs there, and the shard is left out while the marker exists.",
			Advice:   "Delete the node (delete " + marker.path + ").",
		}, marker, item.number)
		return
	}
	if !d.live[runner] && !marker.ephemeral() {
		g.add(Finding{
			Code: CodeRunningStale, Effect: EffectShards, Instance: runner, Server: jobtree.InstanceIP(runner), Since: marker.began(),
			Sentence: "%s: marked as running by " + escape(orNobody(runner)) + ", which is not there. No other instance runs it while the marker exists.",
			Advice:   "A leader written in Go clears the marker when it reshards. If it stays, make sure that the process has ended and delete the node.",
		}, marker, item.number)
		return
	}
	if d.forged(item, runner) {
		d.idle[item.number] = true
		f := Finding{
			Code: CodeRunningForged, Effect: EffectShards, Instance: runner, Server: jobtree.InstanceIP(runner), Since: marker.began(),
			Sentence: "%s: marked as running by " + escape(runner) + ", which can't have made this marker. Nothing runs there, and the owner leaves the shard out while the marker exists.",
			Advice:   "Delete the node (delete " + marker.path + ").",
		}
		if runner == item.instance.data {
			f.Effect, f.Sentence = EffectNothing, "%s: marked as running by "+escape(runner)+", which can't have made this marker. It removes it before the next run."
		}
		g.add(f, marker, item.number)
	}
	if d.idle[item.number] {
		return
	}
	f := Finding{
		Code: CodeRunning, Effect: EffectNothing, Instance: runner, Server: jobtree.InstanceIP(runner), Since: marker.began(),
		Sentence: "%s: marked as running on " + escape(orNobody(runner)) + ".",
		Advice:   "Until the run ends, the instance drops triggers" + d.requestsDuringRun() + ".",
	}
	if !d.live[runner] {
		f.Sentence = "%s: marked as running on " + escape(orNobody(runner)) + ", which has left the registry but is still connected."
	}
	g.add(f, marker, item.number)
	if d.schedule == nil {
		return
	}
	// Clocks differ a little, and an agent writes the marker just after the fire time. That fire
	// time doesn't count as passed during the run.
	passed, ok := d.schedule.Next(marker.began().Add(time.Second), d.zone)
	if !ok || passed.After(d.now) {
		d.changesAt(passed)
		return
	}
	f.Code, f.Effect = CodeOverrun, EffectNothing
	f.Sentence = "%s: still marked as running on " + escape(orNobody(runner)) + " at the fire time " + passed.Format("2006-01-02 15:04:05 -07:00") + "; " + d.madeUp(item, runner, "when the run ends")
	f.Advice = "If its handler hangs, restart the process. Otherwise let the job fire less often than it takes, or divide it into more shards." + d.ifMarkerStays(runner, marker, item.number)
	g.add(f, marker, item.number)
}

// requestsDuringRun returns the end of the sentence about a running shard: what happens to requested
// runs until it ends.
func (d *diagnosis) requestsDuringRun() string {
	settings, _ := runs.SettingsOf(d.decoded)
	one := settings.Assign == jobrun.AssignOne
	switch {
	case settings.Overlap == jobrun.OverlapCancel:
		return ""
	case settings.Overlap == jobrun.OverlapSkip && one:
		return ", and requested runs wait or are skipped if no other shard is free"
	case settings.Overlap == jobrun.OverlapSkip:
		return ", and requested runs are skipped"
	}
	text := ", and requested runs wait for the shards that run"
	if one {
		text = ", and requested runs wait if no other shard is free"
	}
	if settings.Overlap == jobrun.OverlapOne {
		text += ", or are skipped if another one waits already"
	}
	return text
}

// forged reports whether a running marker names a Go agent that can't have written it. A Go agent
// writes the marker in a transaction that requires the shard to be its own or taken over. The
// marker belongs to the agent's session unless the job has failover.
func (d *diagnosis) forged(item itemEvidence, runner string) bool {
	marker, owner := item.running, item.instance
	if !d.live[runner] || d.javas(runner) || marker.data == "" {
		return false
	}
	if session := d.instances[slices.Index(d.instanceIDs, runner)].stat.EphemeralOwner; marker.ephemeral() {
		if marker.stat.EphemeralOwner != session {
			return true
		}
	} else if !d.decoded.Failover && marker.stat.Mzxid > d.config.stat.Mzxid {
		return true
	}
	taken := item.failover.data == runner || item.failovering.data == runner
	return owner.data != runner && !taken && !sharding.Rotates(d.decoded.Shards, d.decoded.StrategyType) && marker.stat.Mzxid > owner.stat.Mzxid
}

// ifMarkerStays returns the advice if a marker remains although the shard doesn't run. The release
// after 3.0.5 leaves the marker of a failed shard until its process ends, so the shard never runs
// again, and a resharding waits forever. To us that looks like a long run.
func (d *diagnosis) ifMarkerStays(runner string, marker node, item int) string {
	if !d.javas(runner) {
		return ""
	}
	return fmt.Sprintf(" If nothing runs there, %s is a Java agent that has left the marker of a shard that failed: make sure of it in that process, then delete it (delete %s, or DELETE /api/jobs/%s/sharding/%d/running?instance=%s).",
		runner, marker.path, url.PathEscape(d.job.Name()), item, url.QueryEscape(runner))
}

func orNobody(id string) string {
	if id == "" {
		return "an unknown instance"
	}
	return id
}

func (d *diagnosis) judgeFailover(g *groups, item itemEvidence) {
	marker := item.failover
	if !marker.exists {
		marker = item.failovering
	}
	taker := marker.data
	switch {
	case !marker.exists:
	case !d.live[taker]:
		f := Finding{
			Code: CodeFailoverStale, Effect: EffectNothing, Instance: taker, Server: jobtree.InstanceIP(taker), Since: marker.began(),
			Sentence: "%s: failed over to " + escape(orNobody(taker)) + ", which is not there.",
			Advice:   "Agents remove the marker when they notice the crash. If it stays, delete the node.",
		}
		if item.failover.exists {
			f.Effect, f.Sentence = EffectShards, f.Sentence+" The owner leaves the shard to the taker."
		}
		g.add(f, marker, item.number)
	case item.failover.exists && !item.running.exists && d.decoded.MonitorExecution:
		g.add(Finding{
			Code: CodeFailoverTaken, Effect: EffectShards, Instance: taker, Server: jobtree.InstanceIP(taker), Since: marker.began(),
			Sentence: "%s: failed over to " + escape(taker) + ", which does not run it yet; the owner leaves it out.",
			Advice:   d.orDeleted(marker, "This lasts a moment. If it stays, restart "+taker+"."),
		}, marker, item.number)
	}
}

func (d *diagnosis) judgeOffers(g *groups) {
	for _, offer := range d.offers {
		f := Finding{
			Code: CodeFailoverOffered, Effect: EffectShards, Since: offer.began(),
			Sentence: "%s: interrupted by a crash and offered to others; no instance has taken it yet.",
			Advice:   "An instance takes it when its run has ended. If it stays, look into the log of the instances, or trigger the job.",
		}
		switch {
		case !d.takesOffers():
			f.Effect, f.Sentence = EffectNothing, "%s: offered for failover, and no instance may take it: none is there, or failover or monitorExecution is off. The owner runs it at the next fire time."
			f.Advice = "The node is left over: delete it."
		case len(d.available) == 0:
			f.Sentence = "%s: interrupted by a crash and offered to others; no enabled instance is there to take it."
			f.Advice = "Start a process that contains the job, or enable a server."
		}
		g.add(f, offer.node, offer.item)
	}
}

// judgeBarrier adds findings about shards that wait at a listener's barrier. It opens when all
// shards of the job have arrived, so a shard that can't run holds up the others.
func (d *diagnosis) judgeBarrier(g *groups, waiting []itemNode, where string) {
	if len(waiting) == 0 {
		return
	}
	came := make(map[int]bool)
	for _, n := range waiting {
		came[n.item] = true
	}
	var missing, off []string
	owners, disabled := d.assigned(), d.switchedOff()
	for n, owner := range owners {
		switch {
		case came[n]:
		case disabled[n]:
			off = append(off, fmt.Sprintf("shard %d, switched off", n))
		case !d.live[owner]:
			off = append(off, fmt.Sprintf("shard %d without a live owner", n))
		default:
			missing = append(missing, fmt.Sprintf("shard %d of %s", n, owner))
		}
	}
	for _, n := range waiting {
		f := Finding{
			Code: CodeBarrierWaits, Effect: EffectNothing, Since: n.began(), Value: list(slices.Concat(off, missing)),
		}
		if len(off) > 0 {
			f.Effect = EffectShards
			f.Advice = "Give each shard a live owner and enable it, or take the listener out of the configuration. The wait ends after the time limit of the listener, which is 10 minutes by default."
		}
		f.Sentence = "%s: waiting for the others " + where + ", at the barrier of a listener: " + escape(f.Value) + "."
		at := -1
		if n.item < d.decoded.Shards {
			at = slices.Index(d.instanceIDs, owners[n.item])
		}
		// If the instance is newer, an earlier instance has left the node.
		if f.Value != "" && at >= 0 && d.instances[at].stat.Mzxid <= n.stat.Mzxid {
			g.add(f, n.node, n.item)
			d.meeting[owners[n.item]] = fmt.Sprintf("the wait at the barrier of a listener (%s) ends, %s: %s", list(d.decoded.ListenerTypes), where, f.Value)
		}
	}
}

// assigned returns the owner of each configured shard; empty if it has none.
func (d *diagnosis) assigned() []string {
	n := jobtree.ShardCount(d.decoded.Shards)
	return d.owners(n)[:n]
}

func (d *diagnosis) judgeTriggers() {
	waiting := func(id string, n node, at time.Time) {
		d.found(Finding{
			Code: CodeTriggerWaiting, Effect: EffectServer, Instance: id, Server: jobtree.InstanceIP(id), Since: at,
			Sentence: fmt.Sprintf("%s was triggered and has not taken the trigger.", id),
			Advice:   "It is taken within a moment. If it stays, the process is frozen or does not watch: restart it.",
		}, n)
	}
	if d.generation() == jobconfig.Generation2x {
		for i, id := range d.instanceIDs {
			if n := d.instances[i]; n.data == jobtree.LegacyTrigger {
				waiting(id, n, n.stat.Mtime)
			}
		}
		return
	}
	for i, id := range d.triggerIDs {
		n := d.triggers[i]
		if d.live[id] {
			waiting(id, n, n.began())
			continue
		}
		d.found(Finding{
			Code: CodeTriggerOrphaned, Effect: EffectNothing, Instance: id, Server: jobtree.InstanceIP(id), Since: n.began(),
			Sentence: fmt.Sprintf("%s was triggered and has left; no instance that is there carries the trigger out.", id),
			Advice:   "Trigger the job again: that replaces the order.",
		}, n)
	}
}
