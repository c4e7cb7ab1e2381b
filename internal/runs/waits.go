package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// mostNamed is the highest number of processes listed in a reason.
const mostNamed = 10

// Explained is Get, plus the reason why a waiting run hasn't begun.
func (s Store) Explained(ctx context.Context, id string) (Status, error) {
	status, err := s.Get(ctx, id)
	if err != nil || status.State != jobrun.Queued && status.State != jobrun.Scheduled {
		return status, err
	}
	if status.Wait, err = s.why(ctx, *status.request, status.path); status.Wait.Run == id {
		return s.Get(ctx, id) // It has begun since.
	}
	return status, err
}

// First returns the waiting run with the earliest due time, and why it waits. It's false if there
// is none.
func (s Store) First(ctx context.Context) (Status, bool, error) {
	paths, err := s.waitingPaths(ctx)
	if err != nil || len(paths) == 0 {
		return Status{}, false, err
	}
	status, found, err := s.read(ctx, paths[0])
	if err != nil || !found || status.request == nil {
		return Status{}, false, err
	}
	status.Wait, err = s.why(ctx, *status.request, status.path)
	return status, err == nil && status.Wait.Run != status.ID, err
}

// surroundings is the state that decides whether a run can begin.
type surroundings struct {
	store     Store
	config    *jobconfig.Config
	settings  Settings
	hold      jobtree.Hold
	instances []string
	processes []process // of the instances
	moving    bool      // the shards are being assigned
	queue     []string  // names of due requests, sorted
	active    []Status
	unread    []int  // shards with an unreadable record, and -1 for the record of a run with all shards
	steward   string // the steward's node, if no process of the job holds it
}

// process is an instance of the job. Only our agents have data and obstacles.
type process struct {
	AgentData
	id       string
	enabled  bool // its server is
	obstacle jobtree.Obstacle
	steward  bool
}

// why returns the reason why the request at a path hasn't begun. If its run has begun since, the
// reason has that run.
func (s Store) why(ctx context.Context, r jobtree.RunRequest, path string) (jobrun.Wait, error) {
	if due := time.UnixMilli(r.Due); s.Now().Before(due) {
		return jobrun.Wait{Code: jobrun.WaitTime, Node: path, Sentence: fmt.Sprintf("It begins at its time, %s.", due.UTC().Format(time.RFC3339))}, nil
	}
	around, err := s.surroundings(ctx)
	if err != nil {
		return jobrun.Wait{}, err
	}
	if slices.ContainsFunc(around.active, func(run Status) bool { return run.ID == r.ID }) {
		return jobrun.Wait{Run: r.ID}, nil
	}
	if w := around.blocked(r); w.Code != "" {
		return w, nil
	}
	if w, err := around.obstructed(ctx, r, path); w.Code != "" || err != nil {
		return w, err
	}
	if r.Assign == jobtree.RunOne {
		return around.waitsForOne(path), nil
	}
	return s.waitsForAll(ctx, around, r, path)
}

func (s Store) surroundings(ctx context.Context) (a surroundings, err error) {
	a.store = s
	var config []byte
	exists := func(to *bool, path string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, there, err := s.Client.Exists(ctx, path)
			*to = there
			return err
		}
	}
	var necessary, processing bool
	var steward zk.Stat
	reads := []func(ctx context.Context) error{
		func(ctx context.Context) (err error) {
			config, _, err = s.Client.Get(ctx, s.Tree.Config())
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) { a.hold, _, err = s.Held(ctx); return err },
		func(ctx context.Context) (err error) {
			a.instances, err = s.children(ctx, s.Tree.Instances())
			return err
		},
		func(ctx context.Context) (err error) { a.queue, err = s.children(ctx, s.Tree.RunsQueue()); return err },
		func(ctx context.Context) (err error) { a.active, err = s.Active(ctx); return err },
		exists(&necessary, s.Tree.Necessary()), exists(&processing, s.Tree.Processing()),
		func(ctx context.Context) (err error) {
			steward, _, err = s.Client.Exists(ctx, s.Tree.RunsSteward())
			return err
		},
		func(ctx context.Context) (err error) { a.unread, err = s.unreadRecords(ctx); return err },
	}
	if err := each(ctx, len(reads), func(ctx context.Context, i int) error { return reads[i](ctx) }); err != nil {
		return a, err
	}
	a.moving = necessary || processing
	slices.Sort(a.queue)
	if a.config, err = jobconfig.Decode(config); err != nil {
		a.config = &jobconfig.Config{}
	}
	a.settings, _ = SettingsOf(a.config)
	a.instances, _ = s.Tree.OwnChildren(s.Tree.Instances(), a.instances)
	slices.Sort(a.instances)
	a.processes = make([]process, len(a.instances))
	err = each(ctx, 3*len(a.instances), func(ctx context.Context, i int) error {
		id, p := a.instances[i/3], &a.processes[i/3]
		switch i % 3 {
		case 0:
			p.id = id
			data, stat, err := s.Client.Get(ctx, s.Tree.Agent(id))
			p.AgentData = ParseAgent(data)
			p.steward = steward.EphemeralOwner != 0 && stat.EphemeralOwner == steward.EphemeralOwner
			return zk.Ignore(err, zk.ErrNoNode)
		case 1:
			data, stat, err := s.Client.Get(ctx, s.Tree.Refusal(id))
			if stat.EphemeralOwner != 0 && len(data) > 0 {
				p.obstacle = jobtree.DecodeObstacle(data)
			}
			return zk.Ignore(err, zk.ErrNoNode)
		}
		data, _, err := s.Client.Get(ctx, s.Tree.Server(jobtree.InstanceIP(id)))
		p.enabled = jobtree.ServerIsEnabled(data, a.config.Generation)
		return zk.Ignore(err, zk.ErrNoNode)
	})
	if steward.Czxid != 0 && !slices.ContainsFunc(a.processes, func(p process) bool { return p.steward }) {
		a.steward = s.Tree.RunsSteward()
	}
	return a, err
}

// unreadRecords returns the shards with an unreadable record, and -1 for the record of a run with
// all shards.
func (s Store) unreadRecords(ctx context.Context) (unread []int, err error) {
	paths, err := s.below(ctx, s.Tree.RunsActive())
	for _, path := range paths {
		shard, ok := jobtree.ParseItem(base(path))
		if path == s.Tree.RunsActiveAll() {
			shard, ok = -1, true
		}
		if !ok {
			continue
		}
		data, _, err := s.Client.Get(ctx, path)
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return nil, err
		}
		if _, problem := jobtree.DecodeRunRecord(data); err == nil && problem != nil {
			unread = append(unread, shard)
		}
	}
	return unread, err
}

// obstructed returns the foreign node that keeps every agent from beginning a request, if there is
// one.
func (a surroundings) obstructed(ctx context.Context, r jobtree.RunRequest, at string) (jobrun.Wait, error) {
	s, tree := a.store, a.store.Tree
	wait := func(node, sentence, remedy string) (jobrun.Wait, error) {
		return jobrun.Wait{Code: jobrun.WaitNode, Node: node, Sentence: fmt.Sprintf(sentence, node), Remedy: remedy}, nil
	}
	one := r.Assign == jobtree.RunOne
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
	for below, node := range []string{at, record} { // A record has one node below it.
		stat, exists, err := s.Client.Exists(ctx, node)
		if err != nil {
			return jobrun.Wait{}, err
		}
		if exists && int(stat.NumChildren) != below {
			return wait(node, "No agent can begin or end the run, because %s has child nodes that agents don't create.",
				"Make sure that the run isn't active, then delete the node and its children.")
		}
	}
	return jobrun.Wait{}, nil
}

// named returns a wait because of some processes.
func named(code jobrun.WaitCode, node, text string, who []string, remedy string) jobrun.Wait {
	shown := make([]string, 0, mostNamed)
	for _, id := range who[:min(len(who), mostNamed)] {
		shown = append(shown, jobtree.Shown(id))
	}
	list := strings.Join(shown, ", ")
	if more := len(who) - len(shown); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return jobrun.Wait{Code: code, Node: node, Sentence: fmt.Sprintf(text, list), Remedy: remedy, Who: shown}
}

// able returns the instances that could run a requested run, the enabled ones among them, and the
// instances that would begin r on their own.
func (a surroundings) able(r jobtree.RunRequest) (capable, enabled, willing []string) {
	for _, p := range a.processes {
		if !p.TakesRuns {
			continue
		}
		capable = append(capable, p.id)
		if !p.enabled {
			continue
		}
		enabled = append(enabled, p.id)
		if !p.heldBack(r) {
			willing = append(willing, p.id)
		}
	}
	return capable, enabled, willing
}

// blocked returns the reason why no shard can begin the run, if there is one.
func (a surroundings) blocked(r jobtree.RunRequest) jobrun.Wait {
	tree := a.store.Tree
	if HeldBack(a.hold, r) {
		held := a.hold.Shown()
		text := fmt.Sprintf("The job is held by %s since %s.", held.By, held.At.UTC().Format(time.RFC3339))
		if held.Reason != "" {
			text = strings.TrimSuffix(text, ".") + ": " + held.Reason
		}
		return jobrun.Wait{Code: jobrun.WaitHeld, Node: tree.Held(), Sentence: text, Remedy: "Release the job. Runs requested by a person begin despite the hold."}
	}
	if len(a.instances) == 0 {
		return jobrun.Wait{
			Code: jobrun.WaitNoProcess, Node: tree.Instances(), Sentence: "No process serves the job.",
			Remedy: "Start a process that contains the job, in this namespace.",
		}
	}
	capable, enabled, willing := a.able(r)
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
	return jobrun.Wait{}
}

// waitsForOne returns the reason for a run that uses one shard.
func (a surroundings) waitsForOne(path string) jobrun.Wait {
	tree := a.store.Tree
	free := a.config.Shards - len(a.active)
	if free <= 0 && a.config.Shards > 0 {
		return jobrun.Wait{
			Code: jobrun.WaitBusy, Node: tree.RunsActive(), N: a.config.Shards,
			Sentence: fmt.Sprintf("All %d shards work on other runs.", a.config.Shards), Remedy: "It begins when one of them has ended. With more shards, more of them run at a time.",
		}
	}
	if full := a.full(); len(full) > 0 {
		return named(jobrun.WaitPlaces, tree.Agents(), "Each process works on as many runs as its MaxParallel allows: %s.", full,
			"It begins when one of them has ended. Start more processes, or raise MaxParallel.")
	}
	return a.lastly(path, free)
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
	for _, p := range a.processes {
		if !p.TakesRuns || !p.enabled {
			continue
		}
		if p.MaxParallel == 0 || claims[p.id] < p.MaxParallel {
			return nil
		}
		full = append(full, fmt.Sprintf("%s (%d)", p.id, p.MaxParallel))
	}
	return full
}

// waitsForAll returns the reason for a run that uses each shard.
func (s Store) waitsForAll(ctx context.Context, a surroundings, r jobtree.RunRequest, path string) (jobrun.Wait, error) {
	if len(a.active) > 0 {
		first := a.active[0]
		return jobrun.Wait{
			Code: jobrun.WaitRun, Node: first.path, Run: first.ID, Sentence: fmt.Sprintf("Run %s comes first.", first.ID),
			Remedy: "It begins when that run has ended. To begin earlier, cancel that run.",
		}, nil
	}
	capable, _, _ := a.able(r)
	others, err := s.javaAgents(ctx, a.instances, capable)
	if err != nil {
		return jobrun.Wait{}, err
	}
	if len(others) > 0 {
		owners, _, err := s.ownedBy(ctx, a.config.Shards, r.Shards, others)
		if err != nil {
			return jobrun.Wait{}, err
		}
		if len(owners) > 0 {
			return named(jobrun.WaitNotGo, s.Tree.Sharding(), "Shards of the job belong to processes that don't accept requested runs, like all Java processes: %s.", owners,
				"Serve the job from Go processes alone, or request it for other shards."), nil
		}
	}
	return a.lastly(path, 1), nil
}

// lastly returns the reason if the first requests of the queue aren't blocked. free is how many of
// them can begin.
func (a surroundings) lastly(path string, free int) jobrun.Wait {
	tree := a.store.Tree
	if a.moving {
		return jobrun.Wait{Code: jobrun.WaitResharding, Node: tree.Necessary(), Sentence: "The shards are being assigned.", Remedy: "It begins after that, usually within seconds."}
	}
	if before, _ := slices.BinarySearch(a.queue, base(path)); before >= free && before > 0 {
		return jobrun.Wait{
			Code: jobrun.WaitQueue, Node: tree.RunsQueue(), N: before,
			Sentence: fmt.Sprintf("%d runs that were due earlier come first.", before),
		}
	}
	var announced []string
	for _, p := range a.processes {
		if !p.TakesRuns || !p.enabled {
			continue
		}
		if p.obstacle.Code == "" || p.obstacle.Code == jobtree.ObstacleDebug {
			announced = nil
			break
		}
		announced = append(announced, p.id+": "+strings.TrimRight(p.obstacle.Text, ". "))
	}
	if len(announced) > 0 {
		return named(jobrun.WaitObstacle, tree.Refusals(), "The processes that could run it announce why they can't: %s.", announced, "See Explain of the job for the remedy.")
	}
	return jobrun.Wait{Code: jobrun.WaitAgent, Node: path, Sentence: "Nothing blocks it: an agent will begin it within moments."}
}
