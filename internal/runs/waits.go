package runs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// mostNamed is the highest number of processes listed in a reason.
const mostNamed = 10

// Explained is Get, plus the reason why a waiting run hasn't begun, or why no handler works on a run
// that was opened.
func (s Store) Explained(ctx context.Context, id string) (Status, error) {
	status, err := s.Get(ctx, id)
	idle := err == nil && status.idle()
	if err == nil && !idle {
		idle, err = s.abandoned(ctx, status)
	}
	if idle {
		return s.explainIdle(ctx, status)
	}
	if err != nil || status.State != jobrun.Queued && status.State != jobrun.Scheduled {
		return status, err
	}
	if err = s.explainWaiting(ctx, &status); status.Wait.Run == id {
		return s.Get(ctx, id) // It has begun since.
	}
	return status, err
}

// idle reports whether a run was opened and no instance works on it, although shards wait.
func (s Status) idle() bool {
	return s.record != nil && s.record.Cancelled == nil && len(s.record.Claims) == 0 && len(s.record.Waiting) > 0
}

// abandoned reports whether all instances that work on a run have lost their sessions.
func (s Store) abandoned(ctx context.Context, status Status) (bool, error) {
	if status.record == nil || status.record.Cancelled != nil || len(status.record.Claims) == 0 {
		return false, nil
	}
	for _, claim := range status.record.Claims {
		stat, _, err := s.Client.Exists(ctx, s.Tree.Instance(claim.Instance))
		if err != nil || stat.EphemeralOwner != 0 {
			return false, err
		}
	}
	return true, nil
}

// explainIdle adds the reason why no instance works on a run. If its record has changed since, the
// reason may be out of date, so there's none.
func (s Store) explainIdle(ctx context.Context, status Status) (Status, error) {
	wait, err := s.whyIdle(ctx, *status.record, status.path)
	if err != nil {
		return status, err
	}
	now, err := s.Get(ctx, status.ID)
	if err == nil && wait != nil && now.record != nil && now.version == status.version && now.record.Life == status.record.Life {
		now.Wait = *wait
	}
	return now, err
}

// explainWaiting adds the reason why a waiting run hasn't begun. It's the run itself if it has begun since.
func (s Store) explainWaiting(ctx context.Context, status *Status) error {
	wait, err := s.why(ctx, *status.request, status.path)
	if wait != nil {
		status.Wait = *wait
	}
	return err
}

// First returns the first run for which no handler works, and why: an opened run, or else the waiting
// run with the earliest due time. It's false if there is none.
func (s Store) First(ctx context.Context) (Status, bool, error) {
	opened, found, err := s.read(ctx, s.Tree.RunsActiveAll())
	if err != nil {
		return Status{}, false, err
	}
	if found && opened.idle() {
		status, err := s.explainIdle(ctx, opened)
		if err = zk.Ignore(err, jobrun.ErrUnknownRun); err != nil || status.Wait.Code != "" {
			return status, err == nil, err
		}
	}
	paths, err := s.waitingPaths(ctx)
	if err != nil || len(paths) == 0 {
		return Status{}, false, err
	}
	status, found, err := s.read(ctx, paths[0])
	if err != nil || !found || status.request == nil {
		return Status{}, false, err
	}
	err = s.explainWaiting(ctx, &status)
	return status, err == nil && status.Wait.Run != status.ID, err
}

// surroundings is the state that decides whether a run can begin.
type surroundings struct {
	store     Store
	config    *jobconfig.Config
	unusable  error // why agents can't use the configuration
	settings  Settings
	hold      jobtree.Hold
	instances []string // with a session
	leader    string
	agents    map[string]AgentData        // of instances that are our agents
	enabled   map[string]bool             // instances on enabled servers
	obstacles map[string]jobtree.Obstacle // announced by agents
	moving    bool                        // the shards are being assigned
	orphaned  bool                        // no session holds the node of that assignment
	queue     []string                    // names of due requests, sorted
	active    []Status
	unread    []int  // shards with an unreadable record, and -1 for the record of a run with all shards
	steward   string // the steward's node, if no process of the job holds it
}

// expirySeen is how long an agent may take to record that a run has expired.
const expirySeen = 2 * time.Second

// why returns the reason why the request at a path hasn't begun. If its run has begun since, the
// reason has that run.
func (s Store) why(ctx context.Context, r jobtree.RunRequest, path string) (*jobrun.Wait, error) {
	if due := time.UnixMilli(r.Due); s.Now().Before(due) {
		return &jobrun.Wait{Code: jobrun.WaitTime, Node: path, Sentence: fmt.Sprintf("It begins no earlier than %s.", due.UTC().Format(time.RFC3339))}, nil
	}
	if expires := time.UnixMilli(r.Expires); r.Expires > 0 && s.Now().After(expires.Add(expirySeen)) {
		return &jobrun.Wait{
			Code: jobrun.WaitExpired, Node: path, Sentence: fmt.Sprintf("It didn't begin before it expired at %s, so it never will.", expires.UTC().Format(time.RFC3339)),
			Remedy: "The next process that serves the job records that. Request the run again if it's still wanted.",
		}, nil
	}
	around, err := s.surroundings(ctx)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(around.active, func(run Status) bool { return run.ID == r.ID }) {
		return &jobrun.Wait{Run: r.ID}, nil
	}
	if w := cmp.Or(around.held(r), around.blocked(r)); w != nil {
		return w, nil
	}
	if w, err := around.obstructed(ctx, r, path); w != nil || err != nil {
		return w, err
	}
	var w *jobrun.Wait
	waits := s.waitsForAll
	if r.Assign == jobrun.AssignOne {
		waits = s.waitsForOne
	}
	if w, err = waits(ctx, around, r, path); err != nil {
		return w, err
	}
	if w.Code == jobrun.WaitBusy {
		if _, waits, err := s.Client.Exists(ctx, path); err != nil || !waits {
			return &jobrun.Wait{Run: r.ID}, err // The shards work on it.
		}
	}
	if w.Code == jobrun.WaitBusy && r.Assign == jobrun.AssignOne && len(around.active) < around.config.Shards {
		return w, nil // An agent skips nothing while there are more shards than runs, even if they're disabled.
	}
	busy := w.Code == jobrun.WaitRun || w.Code == jobrun.WaitBusy || w.Code == jobrun.WaitQueue
	if policy := OverlapOf(r); busy && policy == jobrun.OverlapSkip || w.Code == jobrun.WaitQueue && policy == jobrun.OverlapOne {
		return next(path), nil // An agent skips it.
	}
	return w, nil
}

// OverlapOf returns the overlap policy of a request. A run that has begun is never skipped, because that
// would forget what its shards have done so far.
func OverlapOf(r jobtree.RunRequest) jobrun.Overlap {
	if r.Overlap == "" || r.Attempt > 1 || r.Began > 0 || r.By.Kind == ByRetry || r.By.Kind == ByBackfill {
		return jobrun.OverlapQueue
	}
	return r.Overlap
}

func (s Store) surroundings(ctx context.Context) (a surroundings, err error) {
	a = surroundings{store: s, agents: make(map[string]AgentData), enabled: make(map[string]bool), obstacles: make(map[string]jobtree.Obstacle)}
	var config, leader, necessary, processing, steward node
	var instances []string
	if err := readAll(ctx, s.getting(s.Tree.Config(), &config), s.getting(s.Tree.LeaderInstance(), &leader),
		s.finding(s.Tree.Necessary(), &necessary), s.finding(s.Tree.Processing(), &processing), s.finding(s.Tree.RunsSteward(), &steward),
		func(ctx context.Context) (err error) { a.hold, _, err = s.Held(ctx); return err },
		s.listing(s.Tree.Instances(), &instances),
		s.listing(s.Tree.RunsQueue(), &a.queue),
		func(ctx context.Context) (err error) { a.active, err = s.Active(ctx); return err },
		func(ctx context.Context) (err error) { a.unread, err = s.unreadRecords(ctx); return err },
	); err != nil {
		return a, err
	}
	a.moving, a.leader = necessary.exists() || processing.exists(), string(leader.data)
	a.orphaned = processing.exists() && processing.EphemeralOwner == 0
	a.config, a.unusable = s.usable(config)
	a.settings, _ = SettingsOf(a.config)
	instances, _ = s.Tree.OwnChildren(s.Tree.Instances(), instances)
	list, err := gather(ctx, len(instances), func(ctx context.Context, i int) (neighbour, bool, error) { return s.neighbour(ctx, instances[i]) })
	if steward.exists() {
		a.steward = s.Tree.RunsSteward()
	}
	for _, n := range list {
		a.instances = append(a.instances, n.id)
		a.enabled[n.id] = jobtree.ServerIsEnabled(n.server.data, a.config.Generation)
		if n.agent.exists() {
			a.agents[n.id] = ParseAgent(n.agent.data)
		}
		if len(n.refusal.data) > 0 && n.refusal.EphemeralOwner != 0 {
			a.obstacles[n.id] = jobtree.DecodeObstacle(n.refusal.data)
		}
		if steward.EphemeralOwner != 0 && n.agent.EphemeralOwner == steward.EphemeralOwner {
			a.steward = ""
		}
	}
	return a, err
}

type neighbour struct {
	id                     string
	server, agent, refusal node
}

// neighbour reads the nodes of an instance. It's false if no session holds the instance, because no
// process is behind it then.
func (s Store) neighbour(ctx context.Context, id string) (n neighbour, alive bool, err error) {
	n.id = id
	var instance node
	err = readAll(ctx, s.finding(s.Tree.Instance(id), &instance), s.getting(s.Tree.Agent(id), &n.agent),
		s.getting(s.Tree.Refusal(id), &n.refusal), s.getting(s.Tree.Server(jobtree.InstanceIP(id)), &n.server))
	return n, instance.EphemeralOwner != 0, err
}

// usable decodes a job's configuration. The error is why agents begin nothing by it; the
// configuration isn't nil.
func (s Store) usable(stored node) (*jobconfig.Config, error) {
	if !stored.exists() {
		return &jobconfig.Config{}, errors.New("it was removed")
	}
	config, err := jobconfig.Decode(stored.data)
	if err != nil {
		return &jobconfig.Config{}, err
	}
	if err := config.Usable(); err != nil {
		return config, err
	}
	_, _, err = quartz.RulesOf(s.Tree.Name(), config.Props).Schedule(config.Cron, config.TimeZone)
	return config, err
}

// unreadRecords returns the shards with an unreadable record, and -1 for the record of a run with
// all shards.
func (s Store) unreadRecords(ctx context.Context) ([]int, error) {
	names, err := s.Children(ctx, s.Tree.RunsActive())
	if err != nil {
		return nil, err
	}
	return gather(ctx, len(names), func(ctx context.Context, i int) (shard int, unread bool, err error) {
		shard, ok := jobtree.ParseItem(names[i])
		if names[i] == path.Base(s.Tree.RunsActiveAll()) {
			shard, ok = -1, true
		}
		data, stat, err := s.get(ctx, s.Tree.RunsActive()+"/"+names[i])
		_, problem := jobtree.DecodeRunRecord(data)
		return shard, ok && stat.Czxid != 0 && problem != nil, err
	})
}

// obstructed returns the foreign node that keeps every agent from beginning a request, if there is
// one.
func (a surroundings) obstructed(ctx context.Context, r jobtree.RunRequest, at string) (*jobrun.Wait, error) {
	s, tree := a.store, a.store.Tree
	wait := func(node, sentence, remedy string) (*jobrun.Wait, error) {
		return &jobrun.Wait{Code: jobrun.WaitNode, Node: node, Sentence: fmt.Sprintf(sentence, node), Remedy: remedy}, nil
	}
	one := r.Assign == jobrun.AssignOne
	record := tree.RunsActiveAll()
	switch {
	case a.steward != "" && (!one || parent(at) != tree.RunsQueue()):
		return wait(a.steward, "No process of the job holds %s, so no agent takes care of requested runs.", "Delete the node; an agent takes over at once.")
	case one && len(a.unread) > 0 && a.config.Shards <= len(a.active)+len(a.unread):
		record = tree.RunsActive() + "/" + strconv.Itoa(a.unread[0])
		fallthrough
	case !one && slices.Contains(a.unread, -1):
		return wait(record, "%s isn't the record of a run, and agents leave it alone.", "Delete the node; the run begins then.")
	}
	if w, err := s.strangeChildren(ctx, at, 0); w != nil || err != nil {
		return w, err
	}
	return s.strangeChildren(ctx, record, 1)
}

// strangeChildren returns the reason if a run's node doesn't have as many children as agents create.
func (s Store) strangeChildren(ctx context.Context, node string, want int) (*jobrun.Wait, error) {
	stat, exists, err := s.Client.Exists(ctx, node)
	if err != nil || !exists || int(stat.NumChildren) == want {
		return nil, err
	}
	return &jobrun.Wait{
		Code: jobrun.WaitNode, Node: node, Sentence: fmt.Sprintf("No agent can begin or end the run, because %s has child nodes that agents don't create.", node),
		Remedy: "Make sure that the run isn't active, then delete the node and its children.",
	}, nil
}

// named returns a wait because of some processes.
func named(code jobrun.WaitCode, node, text string, who []string, remedy string) *jobrun.Wait {
	shown := make([]string, 0, mostNamed)
	for _, id := range who[:min(len(who), mostNamed)] {
		shown = append(shown, jobtree.Shown(id))
	}
	list := strings.Join(shown, ", ")
	if more := len(who) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return &jobrun.Wait{Code: code, Node: node, Sentence: fmt.Sprintf(text, list), Remedy: remedy, Who: shown}
}

// takesRuns reports whether an instance accepts requested runs, and serves whether its server is enabled too.
func (a surroundings) takesRuns(id string) bool { return a.agents[id].TakesRuns }
func (a surroundings) serves(id string) bool    { return a.takesRuns(id) && a.enabled[id] }

func only(ids []string, is func(id string) bool) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !is(id) })
}

// held returns the reason if the hold of the job keeps the request from beginning.
func (a surroundings) held(r jobtree.RunRequest) *jobrun.Wait {
	if !HeldBack(a.hold, r) {
		return nil
	}
	held := a.hold.Shown()
	text := fmt.Sprintf("The job is held by %s since %s.", held.By, held.At.UTC().Format(time.RFC3339))
	if held.Reason != "" {
		text = strings.TrimSuffix(text, ".") + ": " + held.Reason
	}
	return &jobrun.Wait{
		Code: jobrun.WaitHeld, Node: a.store.Tree.Held(), Sentence: text,
		Remedy: "Release the job. Runs requested by a person begin despite the hold.",
	}
}

// blocked returns the reason why no shard can begin the run, if there is one.
func (a surroundings) blocked(r jobtree.RunRequest) *jobrun.Wait {
	tree := a.store.Tree
	if a.unusable != nil {
		why := jobtree.Shown(strings.TrimRight(a.unusable.Error(), ". "))
		return &jobrun.Wait{
			Code: jobrun.WaitConfig, Node: tree.Config(), Who: []string{why},
			Sentence: fmt.Sprintf("Agents can't use the job's configuration: %s.", why),
			Remedy:   "Correct the configuration; agents follow at once.",
		}
	}
	if len(a.instances) == 0 {
		return &jobrun.Wait{
			Code: jobrun.WaitNoProcess, Node: tree.Instances(), Sentence: "No process serves the job.",
			Remedy: "Start a process that contains the job, in this namespace.",
		}
	}
	capable := only(a.instances, a.takesRuns)
	enabled := only(capable, a.serves)
	willing := only(enabled, func(id string) bool {
		debug := a.agents[id].Debug
		return debug == "" || !HeldBack(jobtree.Hold{What: debug}, r)
	})
	switch {
	case len(capable) == 0:
		return named(jobrun.WaitNotGo, tree.Agents(), "The processes that serve the job don't accept requested runs, like all Java processes: %s.", a.instances,
			"Serve the job from a Go process.")
	case len(enabled) == 0:
		return named(jobrun.WaitDisabled, tree.Servers(), "The servers of all processes that could run it are disabled: %s.", capable, "Enable one of the servers.")
	case len(willing) == 0:
		return named(jobrun.WaitDebug, tree.Agents(), "The processes that could run it are in Debug, so they begin only runs requested by people: %s.", enabled,
			"Request it in the console, or serve the job from a process without Config.Debug.")
	}
	return nil
}

// waitsForOne returns the reason for a run that uses one shard.
func (s Store) waitsForOne(ctx context.Context, a surroundings, _ jobtree.RunRequest, path string) (*jobrun.Wait, error) {
	off, busy, err := s.shardsInUse(ctx, a)
	if err != nil {
		return nil, err
	}
	enabled := a.config.Shards - len(off)
	free := enabled - len(busy)
	switch {
	case a.config.Shards <= 0:
	case enabled == 0:
		return &jobrun.Wait{
			Code: jobrun.WaitShardsOff, Node: s.Tree.ItemDisabled(off[0]), Who: []string{off.String()},
			Sentence: fmt.Sprintf("All shards are disabled: %s.", off), Remedy: "Enable one of them, or cancel the run.",
		}, nil
	case free == 0 && len(a.placeless(busy)) > 0:
		return a.obstacle("All enabled shards are taken, and processes announce why some of them wait: %s.", a.placeless(busy)), nil
	case free == 0:
		w := &jobrun.Wait{
			Code: jobrun.WaitBusy, Node: s.Tree.RunsActive(), N: enabled, Who: []string{busy.String()},
			Sentence: fmt.Sprintf("All %d shards work on other runs.", enabled), Remedy: "It begins when one of them has ended. With more shards, more of them run at a time.",
		}
		switch {
		case len(off) > 0:
			w.Sentence = fmt.Sprintf("All enabled shards work on other runs: %s. Disabled shards begin no run: %s.", busy, off)
			w.Remedy = "It begins when a run of an enabled shard has ended. With more enabled shards, more runs are on at a time."
		case enabled == 1:
			w.Sentence, w.Remedy = "The only shard works on another run.", "It begins when that run has ended. With more shards, more runs are on at a time."
		}
		return w, nil
	}
	if full := a.full(); len(full) > 0 {
		return named(jobrun.WaitPlaces, s.Tree.Agents(), "Each process works on as many runs as its MaxParallel allows: %s.", full,
			"It begins when one of them has ended. Start more processes, or raise MaxParallel."), nil
	}
	return cmp.Or(a.assigning(), a.queued(path, free), a.everyAgent(path)), nil
}

// shardsInUse returns the disabled shards, and the enabled shards that work on a run. If there are
// many shards, it only finds the disabled ones among the first.
func (s Store) shardsInUse(ctx context.Context, a surroundings) (off, busy jobtree.RunShards, err error) {
	switched, running := make([]node, min(a.config.Shards, mostOwners)), make([]node, min(a.config.Shards, mostOwners))
	var reads []func(context.Context) error
	for n := range switched {
		reads = append(reads, s.finding(s.Tree.ItemDisabled(n), &switched[n]), s.finding(s.Tree.ItemRunning(n), &running[n]))
	}
	if err := readAll(ctx, reads...); err != nil {
		return nil, nil, err
	}
	for n := range switched {
		switch {
		case switched[n].exists():
			off = off.With(n)
		case running[n].exists():
			busy = busy.With(n)
		}
	}
	for _, run := range a.active {
		if n, ok := jobtree.ParseItem(path.Base(run.path)); ok && n < a.config.Shards && !off.Has(n) {
			busy = busy.With(n)
		}
	}
	return off, busy, nil
}

// full lists the enabled processes, if each already works on its maximum of runs.
func (a surroundings) full() []string {
	claims := make(map[string]int)
	for _, run := range a.active {
		for _, claim := range run.Claims {
			claims[claim.Instance]++
		}
	}
	var full []string
	for _, id := range only(a.instances, a.serves) {
		agent := a.agents[id]
		if agent.MaxParallel == 0 || claims[id] < agent.MaxParallel {
			return nil
		}
		full = append(full, fmt.Sprintf("%s (%d)", id, agent.MaxParallel))
	}
	return full
}

// waitsForAll returns the reason for a run that uses each shard.
func (s Store) waitsForAll(ctx context.Context, a surroundings, r jobtree.RunRequest, path string) (*jobrun.Wait, error) {
	if len(a.active) > 0 {
		first := a.active[0]
		w := &jobrun.Wait{
			Code: jobrun.WaitRun, Node: first.path, Run: first.ID, Sentence: fmt.Sprintf("Run %s comes first.", first.ID),
			Remedy: "It begins when that run has ended. To begin earlier, cancel that run.",
		}
		if first.Cancelled != nil {
			w.Remedy = "It begins when that run has ended. That run was cancelled, but some of its handlers haven't returned."
		}
		return w, nil
	}
	others, err := s.javaAgents(ctx, a.instances, only(a.instances, a.takesRuns))
	if err != nil {
		return nil, err
	}
	if len(others) > 0 {
		owners, _, err := s.ownedBy(ctx, a.config.Shards, r.Shards, others)
		if err != nil {
			return nil, err
		}
		if len(owners) > 0 {
			return a.ownedByJava(owners), nil
		}
	}
	if w := cmp.Or(a.assigning(), a.queued(path, 1)); w != nil {
		return w, nil
	}
	wanted := r.Shards
	for n := 0; len(r.Shards) == 0 && n < min(a.config.Shards, mostOwners); n++ {
		wanted = append(wanted, n)
	}
	return a.unclaimed(ctx, wanted, path, false)
}

func (a surroundings) ownedByJava(owners []string) *jobrun.Wait {
	return named(jobrun.WaitNotGo, a.store.Tree.Sharding(), "Shards of the job belong to processes that don't accept requested runs, like all Java processes: %s.", owners,
		"Serve the job from Go processes alone, or request it for other shards.")
}

// whyIdle returns the reason why no instance works on a run that was opened. A hold or Debug doesn't keep
// instances from it.
func (s Store) whyIdle(ctx context.Context, r jobtree.RunRecord, path string) (*jobrun.Wait, error) {
	a, err := s.surroundings(ctx)
	if err != nil {
		return nil, err
	}
	person := r.RunRequest
	person.Manual, person.Fire = true, 0
	if w := a.blocked(person); w != nil || len(r.Claims) > 0 { // Another process would take the shards over.
		return w, nil
	}
	if w, err := s.strangeChildren(ctx, path, 1); w != nil || err != nil {
		return w, err
	}
	if w := a.assigning(); w != nil {
		return w, nil
	}
	return a.unclaimed(ctx, r.Waiting, path, true)
}

// assigning returns the reason if the shards have to be assigned first.
func (a surroundings) assigning() *jobrun.Wait {
	tree := a.store.Tree
	if !a.moving {
		return nil
	}
	switch o := a.obstacles[a.leader]; {
	case a.leader == "":
		return &jobrun.Wait{
			Code: jobrun.WaitNoLeader, Node: tree.LeaderInstance(), Sentence: "The shards have to be assigned, and no process leads.",
			Remedy: "An enabled process is elected within moments. If this stays, see Explain of the job.",
		}
	case !slices.Contains(a.instances, a.leader):
		return named(jobrun.WaitNoLeader, tree.LeaderInstance(), "The shards have to be assigned, and the leader is %s, which isn't there.", []string{a.leader},
			"See Explain of the job for the remedy.")
	case a.orphaned:
		return &jobrun.Wait{
			Code: jobrun.WaitNode, Node: tree.Processing(),
			Sentence: fmt.Sprintf("No process holds %s, so agents wait for an assignment that never comes.", tree.Processing()),
			Remedy:   "Delete the node; agents create it again when they need it.",
		}
	case o.Code == jobtree.ObstacleStrategyUnknown || o.Code == jobtree.ObstacleAssigning || blocks(o.Code):
		return a.obstacle("The shards have to be assigned, and the leader announces why it can't: %s.", []string{a.leader})
	}
	return &jobrun.Wait{
		Code: jobrun.WaitResharding, Node: tree.Necessary(), Sentence: "The shards are being assigned.",
		Remedy: "It begins after that: within seconds, unless the leader waits for shards that run.",
	}
}

// queued returns the reason if other requests come first. free is how many can begin.
func (a surroundings) queued(path string, free int) *jobrun.Wait {
	before, _ := slices.BinarySearch(a.queue, path[strings.LastIndexByte(path, '/')+1:])
	if before < free || before == 0 {
		return nil
	}
	text := "1 run that was due earlier comes first."
	if before > 1 {
		text = fmt.Sprintf("%d runs that were due earlier come first.", before)
	}
	return &jobrun.Wait{Code: jobrun.WaitQueue, Node: a.store.Tree.RunsQueue(), N: before, Sentence: text}
}

// everyAgent returns the obstacles if each process that could run it has an obstacle.
func (a surroundings) everyAgent(path string) *jobrun.Wait {
	var hindered []string
	for _, id := range only(a.instances, a.serves) {
		if !blocks(a.obstacles[id].Code) {
			return next(path)
		}
		hindered = append(hindered, id)
	}
	if len(hindered) == 0 {
		return next(path)
	}
	return a.obstacle("The processes that could run it announce why they can't: %s.", hindered)
}

// next is the answer if nothing is known that is in the way.
func next(path string) *jobrun.Wait {
	return &jobrun.Wait{
		Code: jobrun.WaitAgent, Node: path,
		Sentence: "The registry shows nothing in its way: an agent decides about it next, usually within moments.",
	}
}

// blocks reports whether an agent with an obstacle begins no requested run. The leader's obstacles with the
// assignment count only while shards are assigned, and some are of a run that is over.
func blocks(code jobtree.ObstacleCode) bool {
	switch code {
	case "", jobtree.ObstacleDebug, jobtree.ObstacleListenerFails, jobtree.ObstacleNotBegun, jobtree.ObstacleStrategyUnknown, jobtree.ObstacleAssigning:
		return false
	}
	return true
}

// obstacle is a wait for what processes announce.
func (a surroundings) obstacle(text string, ids []string) *jobrun.Wait {
	var announced []string
	for _, id := range ids {
		announced = append(announced, id+": "+strings.TrimRight(a.obstacles[id].Text, ". "))
	}
	return named(jobrun.WaitObstacle, a.store.Tree.Refusals(), text, announced, "See Explain of the job for the remedy.")
}

// placeless returns the processes in which one of these shards waits for a place, although it's marked as
// running.
func (a surroundings) placeless(shards jobtree.RunShards) (ids []string) {
	for _, id := range a.instances {
		o := a.obstacles[id]
		if o.Code == jobtree.ObstacleNoPlace && slices.ContainsFunc(o.Waiting(), shards.Has) {
			ids = append(ids, id)
		}
	}
	return ids
}

// unclaimed returns the reason why the owners of some shards don't take them. Without one, an agent is
// about to. A run that isn't opened yet leaves out disabled shards.
func (a surroundings) unclaimed(ctx context.Context, shards []int, path string, opened bool) (*jobrun.Wait, error) {
	tree := a.store.Tree
	rotates := sharding.Rotates(a.config.Shards, a.config.StrategyType)
	shards = shards[:min(len(shards), mostOwners)]
	owners, switched, running := make([]node, len(shards)), make([]node, len(shards)), make([]node, len(shards))
	var reads []func(context.Context) error
	for i, n := range shards {
		reads = append(reads, a.store.getting(tree.ItemInstance(n), &owners[i]),
			a.store.finding(tree.ItemDisabled(n), &switched[i]), a.store.finding(tree.ItemRunning(n), &running[i]))
	}
	if err := readAll(ctx, reads...); err != nil {
		return nil, err
	}
	var off, ownerless, busy []int
	var java, disabled, hindered []string
	for i, n := range shards {
		owner := string(owners[i].data)
		switch {
		case switched[i].exists():
			off = append(off, n)
		case rotates && !running[i].exists():
		case running[i].exists():
			if waiting := a.placeless(jobtree.RunShards(nil).With(n)); len(waiting) > 0 {
				hindered = append(hindered, waiting...)
			} else {
				busy = append(busy, n)
			}
		case !slices.Contains(a.instances, owner):
			ownerless = append(ownerless, n)
		case !a.takesRuns(owner):
			java = append(java, owner)
		case !a.enabled[owner]:
			disabled = append(disabled, owner)
		case blocks(a.obstacles[owner].Code), opened && a.obstacles[owner].Code == jobtree.ObstacleNotBegun:
			hindered = append(hindered, owner)
		}
	}
	distinct := func(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }
	switch {
	case opened && len(off) > 0:
		numbers := jobtree.RunShards(off).String()
		return &jobrun.Wait{
			Code: jobrun.WaitShardsOff, Node: tree.ItemDisabled(off[0]), Who: []string{numbers},
			Sentence: fmt.Sprintf("Shards of the run were disabled after it was opened: %s.", numbers), Remedy: "Enable them, or cancel the run.",
		}, nil
	case len(java) > 0:
		return a.ownedByJava(distinct(java)), nil
	case len(ownerless) > 0:
		return &jobrun.Wait{
			Code: jobrun.WaitNoOwner, Node: tree.ItemInstance(ownerless[0]), Who: []string{jobtree.RunShards(ownerless).String()},
			Sentence: fmt.Sprintf("No process that is there has these shards: %s.", jobtree.RunShards(ownerless)),
			Remedy:   "See Explain of the job for the remedy.",
		}, nil
	case len(disabled) > 0:
		return named(jobrun.WaitDisabled, tree.Servers(), "Shards of the run belong to processes on disabled servers: %s.", distinct(disabled), "Enable the servers."), nil
	case len(hindered) > 0:
		return a.obstacle("Processes that have shards of the run announce why they can't run them: %s.", distinct(hindered)), nil
	case len(busy) > 0 && len(busy) == len(shards)-len(off):
		return &jobrun.Wait{
			Code: jobrun.WaitBusy, Node: tree.ItemRunning(busy[0]), N: len(busy), Who: []string{jobtree.RunShards(busy).String()},
			Sentence: fmt.Sprintf("All shards that it needs run for a fire time or a trigger: %s.", jobtree.RunShards(busy)), Remedy: "It begins when they have ended.",
		}, nil
	case rotates:
		return a.everyAgent(path), nil
	}
	return next(path), nil
}
